import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueText } from '../../src/charts/figures.js';
import { DAY, HOUR, instant, MINUTE, SECOND } from '../../src/base/clock.js';
import {
  amount,
  clockTime,
  date,
  day,
  duration,
  exact,
  month,
  months,
  most,
  percent,
  points,
  premium,
  price,
  relative,
  share,
  times,
  UNKNOWN,
  usd,
  usdExact,
} from '../../src/domain/format.js';
import { daySchema, decimal, decimalSchema } from '../../src/domain/scalars.js';

const now = instant(Date.UTC(2026, 10, 20, 14, 5));
const figure = { exact, amount, usd, usdExact, price, percent, points, share, most, months, times };
type Shown = keyof typeof figure;

const table: Readonly<Record<Shown, readonly (readonly [given: string, shown: string])[]>> = {
  exact: [
    ['486210.500', '486,210.5'],
    ['9223372036854775807', '9,223,372,036,854,775,807'],
    ['-1234567.000001', '−1,234,567.000001'],
    ['0.000000000001', '0.000000000001'],
    ['0', '0'],
    ['-0', '0'],
  ],
  amount: [
    ['12899934', '12.9 M'],
    ['10230', '10.23 K'],
    ['9999.99', '9,999.99'],
    ['0.00012345', '0.0001235'],
    ['-3159.921', '−3,159.92'],
    ['9223372036854775807', '9,220,000 T'],
    ['0', '0'],
    ['-0', '0'],
  ],
  usd: [
    ['5766232.78', '$5.77 M'],
    ['402582', '$402.6 K'],
    ['828', '$828.00'],
    ['-9.937', '−$9.94'],
    ['0.004', '$0.004000'],
    ['0', '$0.00'],
    ['-0', '$0.00'],
  ],
  usdExact: [
    ['402582', '$402,582'],
    ['9.94', '$9.94'],
    ['1234567.895', '$1,234,567.90'],
    ['9223372036854775807', '$9,223,372,036,854,775,807'],
    ['-100000', '−$100,000'],
    ['0.0001', '$0.0001000'],
    ['0', '$0'],
  ],
  price: [
    ['0.628927', '$0.6289'],
    ['0.00001234', '$0.00001234'],
    ['12.5', '$12.50'],
    ['1', '$1.0000'],
    ['1065061.07', '$1,065,061.07'],
    ['-0.5', '−$0.5000'],
    ['0', '$0'],
    ['-0', '$0'],
  ],
  percent: [
    ['3.7712', '+3.77 %'],
    ['-0.0412', '−0.0412 %'],
    ['0', '0 %'],
    ['-0', '0 %'],
    ['250.4', '+250 %'],
    ['-99.99', '−100 %'],
  ],
  points: [
    ['-30.46', '−30.5 %'],
    ['12', '+12.0 %'],
    ['0.04', '+0.04 %'],
    ['-0.04', '−0.04 %'],
    ['0', '0.0 %'],
    ['1234.56', '+1,234.6 %'],
  ],
  share: [
    ['85', '85 %'],
    ['0.01', '0.01 %'],
    ['128.4', '128 %'],
    ['-5.5', '−5.5 %'],
    ['0', '0 %'],
  ],
  most: [
    ['99.6', '99 %'],
    ['100', '100 %'],
    ['0.9', '<1 %'],
    ['0', '0 %'],
  ],
  months: [
    ['57.66', '57.7 months'],
    ['1200', '1,200 months'],
    ['8000', '8,000 months ⚠ as reported'],
    ['-2', '−2 months ⚠ as reported'],
    ['0.04', '<0.1 months'],
    ['0.05', '0.1 months'],
    ['-0.04', '−0.04 months ⚠ as reported'],
    ['0', '0 months'],
  ],
  times: [
    ['9.81', '9.81×'],
    ['1.2', '1.2×'],
    ['154.9', '155×'],
    ['0.5', '0.5×'],
  ],
};

describe.each(Object.entries(table).map(([name, rows]) => ({ name: name as Shown, rows })))('$name', ({ name, rows }) => {
  test.each(rows)('shows %s as %s', (given, shown) => {
    expect(figure[name](decimalSchema.parse(given))).toBe(shown);
  });
  test('says n/a of what is unknown, never 0', () => {
    expect(figure[name](undefined)).toBe(UNKNOWN);
  });
});

test('every digit of any amount survives in an alert', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 999_999 }), (whole, fraction) => {
      const given = decimal(`${whole}.${String(fraction).padStart(6, '0')}`);
      const back = exact(given).replaceAll(',', '').replace('−', '-');
      expect(new Big(back).eq(given)).toBe(true);
    }),
  );
});

test.each([
  ['-17.24', '17.2 % below NAV'],
  ['4', '4 % above NAV'],
  ['0.04', '0.04 % above NAV'],
  ['-0.0412', '0.0412 % below NAV'],
  ['-0', 'at NAV'],
])('a gap of %s is said in words: %s', (given, shown) => {
  expect(premium(decimalSchema.parse(given))).toBe(shown);
});

test('what is not nothing never reads as nothing, however small or large', () => {
  const sized = fc.tuple(fc.integer({ min: 1, max: 10 ** 6 }), fc.integer({ min: -30, max: 24 }), fc.boolean());
  const zero = /^[+−]?\$?[0.,]+(?: (?:%|months|[KMBT]).*|×)?$|^at NAV/u;
  fc.assert(
    fc.property(sized, ([digits, power, negative]) => {
      const value = decimal(`${negative ? '-' : ''}${digits}e${power}`);
      for (const [name, show] of Object.entries({ ...figure, premium })) expect([name, zero.test(show(value))]).toEqual([name, false]);
      for (const unit of ['usd', 'percent', 'tokens', 'count'] as const) expect(zero.test(valueText(unit, Number(value)))).toBe(false);
    }),
  );
  for (const [name, show] of Object.entries({ ...figure, premium })) expect([name, zero.test(show(decimal('0')))]).toEqual([name, true]);
});

test('a gap nobody knows is said to be one', () => {
  expect(premium(undefined)).toBe('n/a: no NAV published');
});

test.each([
  [40 * SECOND, 1, '40 s'],
  [2 * HOUR + 10 * MINUTE, 1, '2 h'],
  [2 * HOUR + 10 * MINUTE, 2, '2 h 10 min'],
  [20 * DAY, 1, '20 d'],
  [0, 1, '0 s'],
  [400, 1, '<1 s'],
  [-5 * SECOND, 1, '0 s'],
] as const)('%i ms in %i parts is %s', (length, parts, shown) => {
  expect(duration(length, parts)).toBe(shown);
});

test('a clock time names the day where it is another one, and the year where that is another one', () => {
  expect(clockTime(instant(now - HOUR), now)).toBe('13:05 UTC');
  expect(clockTime(instant(now - DAY), now)).toBe('19 Nov 14:05 UTC');
  expect(clockTime(instant(now - 400 * DAY), now)).toBe('16 Oct 2025 14:05 UTC');
});

test('a moment is told from where the reader stands', () => {
  expect(relative(instant(now - 3 * HOUR), now)).toBe('3 h ago (11:05 UTC)');
  expect(relative(instant(now + 5 * HOUR), now)).toBe('in 5 h (19:05 UTC)');
  expect(relative(instant(now - 999), now)).toBe('just now');
  expect(relative(instant(now + 90 * 60_000 - 5), now)).toBe('in 1 h 30 min (15:34 UTC)');
  expect(relative(instant(now - HOUR - 2 * MINUTE), now)).toBe('1 h ago (13:03 UTC)');
  expect(relative(instant(now - 3 * HOUR + 1), now)).toBe('3 h ago (11:05 UTC)');
  expect(relative(instant(now - 29 * HOUR), now)).toBe('1 d 5 h ago (19 Nov 09:05 UTC)');
  expect(relative(instant(now - 43 * HOUR), now)).toBe('1 d 19 h ago (18 Nov 19:05 UTC)');
  expect(relative(instant(now - 3 * DAY - 9 * HOUR), now)).toBe('3 d ago (17 Nov 05:05 UTC)');
});

test('a moment that no calendar holds is not made up', () => {
  const absurd = instant(9e15);
  expect(clockTime(absurd, now)).toBe('n/a');
  expect(relative(absurd, now)).toBe('n/a');
});

test('days and months are those of UTC, with the year where it is not that of the reader', () => {
  const late = instant(Date.UTC(2026, 10, 19, 23, 59, 59, 999));
  expect(date(late, now)).toBe('19 Nov');
  expect(date(instant(late - 365 * DAY), now)).toBe('19 Nov 2025');
  expect(day(daySchema.parse('2026-01-02'), now)).toBe('2 Jan');
  expect(day(daySchema.parse('2025-12-31'), now)).toBe('31 Dec 2025');
  expect(month(late)).toBe('Nov 2026');
});
