import { expect, test } from 'vitest';
import { reply } from '../../src/chat/reply.js';
import { newCalculationLog, recordingCalculations } from '../../src/domain/calculations.js';
import { instant } from '../../src/base/clock.js';
import { absolute, divide, percentChange } from '../../src/domain/decimal.js';
import { percent, premium, price, share, usd } from '../../src/domain/format.js';
import { decimal } from '../../src/domain/scalars.js';
import { counted } from '../../src/reply/index.js';
import { withConversions } from '../../src/analytics/wire-values.js';
import { figuresOf, includesFigure, placesOf, shownFigures } from '../../src/sources/figures.js';

const NOW = instant(Date.UTC(2026, 10, 20));

test('a figure is not found inside a longer one', () => {
  expect(includesFigure('$5.46M in total', '$5')).toBe(false);
  expect(includesFigure('+18.4% today', '8.4%')).toBe(false);
  expect(includesFigure('$5.46M, $5 more', '$5')).toBe(true);
  expect(includesFigure('18.4% above NAV', '18.4%')).toBe(true);
  expect(includesFigure('$1.50, and', '$1.50')).toBe(true);
});

test('a figure has its place, its exact value, its formula and the fields it came from', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () =>
    reply({
      finding: [{ strong: `TIDE ${percent(percentChange(decimal('0.494'), decimal('0.5848')))}` }],
      blocks: [
        { kind: 'figures', items: [{ label: 'NAV', value: usd(decimal('5462123.12')) }] },
        { kind: 'table', columns: [{ title: 'Coin' }, { title: 'Price' }], rows: [['TIDE', price(decimal('0.5848'))]] },
      ],
    }),
  );
  const data = { netAssetValue: decimal('5462123.12'), rows: [{ symbol: 'TIDE', price: '0.5848', navPerShare: '0.494' }] };
  expect(figuresOf(made, { log, records: [{}, data], now: NOW })).toEqual([
    {
      label: 'headline',
      text: '+18.4%',
      value: percentChange(decimal('0.494'), decimal('0.5848')),
      formula: '(0.5848 / 0.494 − 1) × 100',
      inputs: [
        { value: '0.5848', name: 'price, TIDE', record: 1 },
        { value: '0.494', name: 'NAV per share, TIDE', record: 1 },
      ],
    },
    { label: 'NAV', text: '$5.46M', value: '5462123.12', inputs: [{ value: '5462123.12', name: 'net asset value', record: 1 }] },
  ]);
});

test('a figure inside a longer one is not listed again, and one behind a sign that the command wrote is', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () =>
    reply({ finding: [`${premium(decimal('4.8'))}, ${percent(decimal('18.4'))} and needs +${share(decimal('0.69'))}`] }),
  );
  recordingCalculations(log, () => [share(decimal('18.4')), share(decimal('4.8'))]);
  const texts = shownFigures(placesOf(made, NOW), log.shown).map(({ text }) => text);
  expect(texts).toEqual(['4.8% above NAV', '+18.4%', '0.69%']);
});

test('a value of the service that is shown without its sign is no calculation', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () => reply({ finding: [usd(absolute(decimal('-1234.5')))] }));
  expect(figuresOf(made, { log, records: [{ net: '-1234.5' }], now: NOW })).toEqual([
    { label: 'headline', text: '$1.23K', value: '-1234.5', inputs: [{ value: '-1234.5', name: 'net', record: 0 }] },
  ]);
});

test('what is formatted and not shown is no figure', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () => {
    usd(decimal('12'));
    return reply({ finding: [`${usd(decimal('7.5'))} paid`] });
  });
  expect(shownFigures(placesOf(made, NOW), log.shown)).toMatchObject([{ label: 'headline', text: '$7.50', value: '7.5' }]);
});

test('a count is no figure, although a calculation of the reply gave the same number', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () => {
    divide(decimal('885036.3'), decimal('885036.3'));
    return reply({ finding: [`${counted(1, 'live launch')}, ${usd(decimal('5462123.12'))} raised`] });
  });
  expect(figuresOf(made, { log, records: [{ accepted: '885036.3' }], now: NOW }).map(({ text }) => text)).toEqual(['$5.46M']);
});

test('a value that was converted says what the service sent, also where every digit is shown', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () =>
    reply({ finding: [`needs ${percent(decimal('1.5'))}, ${usd(decimal('486210'))} committed`] }),
  );
  const records = [
    withConversions({ threshold: '1.5' }, { threshold: '150 bps / 100' }),
    { rows: [withConversions({ committed: '486210' }, { committed: '486210000000 raw / 10^6' })] },
  ];
  expect(figuresOf(made, { log, records, now: NOW })).toMatchObject([
    { text: '+1.5%', inputs: [{ value: '1.5', conversion: '150 bps / 100', record: 0 }] },
    { text: '$486K', inputs: [{ value: '486210', conversion: '486210000000 raw / 10^6', record: 1 }] },
  ]);
});

test('an equal value that the service sent as it is comes before one that was converted', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () => reply({ finding: [usd(decimal('960000'))] }));
  const row = withConversions({ accepted: '960000', raised: '960000' }, { accepted: '960000000000 raw / 10^6' });
  expect(figuresOf(made, { log, records: [row], now: NOW })[0]?.inputs).toEqual([{ value: '960000', name: 'raised', record: 0 }]);
});

test('one text in several places with several values is not assigned to one of the places', () => {
  const log = newCalculationLog();
  const made = recordingCalculations(log, () =>
    reply({
      finding: [],
      blocks: [
        { kind: 'figures', items: [{ label: 'March', value: usd(decimal('5090.8')) }] },
        { kind: 'figures', items: [{ label: 'April', value: usd(decimal('5091.3')) }] },
      ],
    }),
  );
  expect(figuresOf(made, { log, records: [], now: NOW })).toMatchObject([
    { text: '$5.09K', label: '', value: '5090.8' },
    { text: '$5.09K', label: '', value: '5091.3' },
  ]);
});
