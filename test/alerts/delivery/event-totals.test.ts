import fc from 'fast-check';
import { expect, test } from 'vitest';
import { totalOf, withTotals } from '../../../src/alerts/delivery/event-totals.js';
import { later, MINUTE } from '../../../src/base/clock.js';
import { lineText } from '../../../src/chat/plain-text.js';
import { sum } from '../../../src/domain/decimal.js';
import { amount, usd } from '../../../src/domain/format.js';
import { decimal, slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { THRESHOLD_STAGE } from '../../../src/feeds/feed.js';
import { supply } from '../../../src/feeds/supply.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';
import { burn } from '../harness.js';
import { count } from './delivering.js';

function change(index: number, { type = 'Burn', project = 'tide', facts = {} }: { type?: string; project?: string; facts?: object } = {}) {
  const event = burn(index, later(NOON, index * MINUTE), { stage: type.toLowerCase(), project: slug(project) });
  const whole = { ...event, facts: { ...event.facts, type, ...facts } };
  return { event: whole, content: supply.content(whole) };
}

const textOf = (all: readonly Parameters<typeof totalOf>[0][number][]): string => {
  const [first = change(1), ...others] = all;
  const { line, detail } = totalOf([first, ...others]);
  return lineText([...line, '\n', ...detail], NOON);
};

test('ten of one kind, stage and project are one line; nine are not, nor mints with burns or two projects', () => {
  const lengths = (all: readonly ReturnType<typeof change>[]) => withTotals(all).map((part) => ('event' in part ? 1 : part.length));
  expect(lengths(count(9).map((index) => change(index)))).toEqual(Array.from({ length: 9 }, () => 1));
  expect(lengths(count(10).map((index) => change(index)))).toEqual([10]);
  expect(lengths([...count(10).map((index) => change(index)), ...count(9).map((index) => change(index, { type: 'Mint' }))])).toEqual([
    10,
    ...Array.from({ length: 9 }, () => 1),
  ]);
  expect(lengths(count(20).map((index) => change(index, { type: index > 10 ? 'Mint' : 'Burn' })))).toEqual([10, 10]);
  expect(lengths(count(18).map((index) => change(index, { project: index > 9 ? 'heron' : 'tide' })))).toHaveLength(18);
});

test('of single trades the largest are named', () => {
  const trades = count(12).map((index) => {
    const facts = { name: 'Audit', title: 'Audit', trade: { value: decimal(String(index * 1000)) } };
    const event = burn(index, later(NOON, index * MINUTE), { feed: 'proposals', stage: THRESHOLD_STAGE });
    return { event: { ...event, facts }, content: { ...change(1).content, headline: [`trade ${index}`] } };
  });
  const largest = trades.map(({ event }) => event.facts.trade.value).toSorted((a, b) => Number(b) - Number(a));
  const named = largest.slice(0, 3).map((value) => `trade ${Number(value) / 1000}`);
  expect(textOf(trades)).toContain(`Largest: ${named.join(' · ')}`);
  expect(textOf(trades.slice(0, 10))).toContain('10 market alerts at Tidewater');
});

test('names the count, the exact sum with its sign, and the three largest', () => {
  const mints = count(12).map((index) => change(index, { type: 'Mint' }));
  expect(textOf(mints)).toContain('12 mints at Tidewater: +78 TIDE');
  expect(textOf(mints)).toContain('Largest: 12 TIDE, 11 TIDE, 10 TIDE');
  expect(textOf(count(12).map((index) => change(index)))).toContain('12 burns at Tidewater: −78 TIDE');
});

test('without sizes names the three latest, and where only if it is one place', () => {
  const launches = (about: (index: number) => string) =>
    count(12).map((index) => {
      const { event, content } = change(index);
      const name = about(index);
      return {
        event: { ...event, feed: 'launches', stage: 'new', facts: {} },
        content: { ...content, about: name, headline: [`New launch: raise ${index}`] },
      };
    });
  expect(textOf(launches((index) => `Raise ${index}`))).toBe(
    '12 launches announced Latest: New launch: raise 12 · New launch: raise 11 · New launch: raise 10',
  );
  expect(textOf(launches(() => 'Tidewater'))).toContain('12 launches announced at Tidewater Latest: ');
});

test('counts values that the service does not state, and never takes them for zero', () => {
  const some = count(12).map((index) => change(index, { facts: index > 9 ? {} : { usd: '100.5' } }));
  expect(textOf(some)).toContain(`${usd(decimal('904.5'))}, 3 of unknown value`);
  expect(textOf(count(12).map((index) => change(index)))).not.toContain('unknown');
});

test('a share of supply is that of the whole sum, of the supply before the first', () => {
  const mints = count(10).map((index) => change(index, { type: 'Mint', facts: { amount: '10', supplyAfter: String(1_000 + index * 10) } }));
  expect(textOf(mints)).toMatch(/^10 mints: \+100 TIDE \(\+10(?:\.0)? ?% of supply\)/u);
  expect(textOf(mints.toReversed())).toBe(textOf(mints));
  const partly = count(10).map((index) => change(index, { facts: index === 1 ? { supplyAfter: '1000' } : {} }));
  expect(textOf(partly)).toContain('10 burns at Tidewater: ');
});

test('sums are exact, whatever the amounts', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { minLength: 10, maxLength: 60 });
  fc.assert(
    fc.property(amounts, (all) => {
      const tokens = all.map((one) => decimal(`${one / 1_000_000n}.${String(one % 1_000_000n).padStart(6, '0')}`));
      const text = textOf(tokens.map((one, index) => change(index + 1, { facts: { amount: one } })));
      expect(text).toContain(`${all.length} burns at Tidewater: −${amount(sum(tokens))} TIDE`);
    }),
    { numRuns: runs(50) },
  );
});

test('what names no project is grouped by its wallet, and without one by what it is about', () => {
  const some = (wallet: string | undefined, about: string) =>
    count(10).map((index) => {
      const { event, content } = change(index);
      const { project: _, ...rest } = event;
      return { event: { ...rest, ...(wallet === undefined ? {} : { wallet: walletAddress(wallet) }) }, content: { ...content, about } };
    });
  const [one, other] = ['1'.repeat(32), '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd'];
  const lengths = (all: readonly ReturnType<typeof some>[]) => withTotals(all.flat()).map((part) => ('event' in part ? 1 : part.length));
  expect(lengths([some(one, 'Treasury'), some(other, 'Treasury')])).toEqual([10, 10]);
  expect(lengths([some(one, 'Treasury'), some(one, 'Vault')])).toEqual([20]);
  expect(lengths([some(undefined, 'Raise 1'), some(undefined, 'Raise 2')])).toEqual([10, 10]);
});

test('amounts of several tokens have no sum: the largest in USD are named as they stand, and those without a value are not', () => {
  const some = count(12).map((index) =>
    change(index, { facts: { symbol: index % 2 === 0 ? 'TIDE' : 'HERN', ...(index === 1 ? {} : { usd: String(100 - index) }) } }),
  );
  const text = textOf(some);
  expect(text).toMatch(/^12 burns at Tidewater \(\$1\.02K, 1 of unknown value\) Largest: /u);
  expect(text.split('Largest: ')[1]).toBe(
    'Tidewater burned 2 TIDE ($98.00) · Tidewater burned 3 HERN ($97.00) · Tidewater burned 4 TIDE ($96.00)',
  );
});

test('of events of one token those without a value are sorted by their amount, and a share of supply is named with its sign', () => {
  const burns = count(10).map((index) =>
    change(index, { facts: { amount: String(index * 10), supplyAfter: String(10_000 - index * 10) } }),
  );
  expect(textOf(burns)).toContain('Largest: 100 TIDE, 90 TIDE, 80 TIDE');
  expect(textOf(burns)).toMatch(/\(−5\.5\d*% of supply\)/u);
});
