import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_PROPOSAL } from '../../src/analytics/endpoints/proposals.js';
import type { Order } from '../../src/analytics/endpoints/proposals-market.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { historyOf, marketSchema, measureMarkets, type MarketRow, type RememberedMarket } from '../../src/feeds/market-values.js';
import { proposals } from '../../src/feeds/proposals.js';
import { defineFeed } from '../../src/feeds/feed.js';
import { runs } from '../support/properties.js';
import { NOBODY, NOON, snapshotOf, TIDE } from './reading.js';

const row = (extra: Partial<MarketRow> = {}): MarketRow => ({
  ...EMPTY_PROPOSAL,
  publicKey: '9xQ',
  status: 'live',
  startsAt: later(NOON, -DAY),
  ...extra,
});
const margin = (value: string, extra: Partial<MarketRow> = {}): MarketRow => row({ margin: decimal(value), ...extra });
const open = (one: MarketRow, key = '9xQ') => ({ key, topic: `proposals/tide/${key}`, row: one });

type Markets = Readonly<Record<string, RememberedMarket>>;

/** Checks one after another, with what is remembered going through its schema in between. */
function checks(rows: readonly (readonly [Instant, readonly ReturnType<typeof open>[]])[]) {
  let markets: Markets = {};
  return rows.map(([at, all]) => {
    const found = measureMarkets(markets, all, at);
    markets = Object.fromEntries(
      Object.entries(found.markets).map(([key, one]) => [key, marketSchema.parse(JSON.parse(JSON.stringify(one)))]),
    );
    return { ...found, markets };
  });
}

test('a live market is measured where its values changed, and is the same where they did not', () => {
  const [first, second, third] = checks([
    [NOON, [open(margin('1.4', { volume: decimal('1000'), traders: 7, prices: { pass: decimal('1.01'), fail: decimal('1') } }))]],
    [
      later(NOON, HOUR),
      [open(margin('1.4', { volume: decimal('1000'), traders: 7, prices: { pass: decimal('1.01'), fail: decimal('1') } }))],
    ],
    [later(NOON, 2 * HOUR), [open(margin('-0.2'))]],
  ]);
  expect(first?.measured).toMatchObject([
    { topic: 'proposals/tide/9xQ', values: { margin: '1.4', volume: '1000', traders: '7', worth: '1', pass: '1.01', fail: '1' } },
  ]);
  expect(second).toMatchObject({ measured: [], same: ['proposals/tide/9xQ'] });
  expect(third?.measured[0]?.values).toEqual({ margin: '-0.2' });
  expect(third?.measured[0]?.history.margin?.map(({ value }) => value)).toEqual(['1.4', '-0.2']);
});

test('a draft has its stake in percent of what it needs, and no margin', () => {
  const [found] = checks([
    [NOON, [open(row({ status: 'draft', staked: decimal('400000'), stakeNeeded: decimal('500000'), margin: decimal('1') }))]],
  ]);
  expect(found?.measured[0]?.values).toEqual({ stake: '80' });
});

test('a market that has its result is over and forgotten; one that a list leaves out is not', () => {
  const [, missing, over] = checks([
    [NOON, [open(margin('1')), open(margin('2'), 'abc')]],
    [later(NOON, HOUR), [open(margin('2.5'), 'abc')]],
    [later(NOON, 2 * HOUR), [open(row({ status: 'resolved', result: 'approved' }))]],
  ]);
  expect(missing).toMatchObject({ over: [] });
  expect(Object.keys(missing?.markets ?? {}).toSorted()).toEqual(['9xQ', 'abc']);
  expect(over?.over).toEqual(['proposals/tide/9xQ', 'proposals/tide/9xQ/trades']);
  expect(Object.keys(over?.markets ?? {})).toEqual(['abc']);
});

const trade = (at: Instant, value: string, signature = `${at}`): Order => ({
  ...{ at, market: 'pass', direction: 'buy', price: undefined, size: undefined, value: decimal(value), signature },
  ...{ title: undefined, publicKey: undefined, project: undefined, wallet: undefined },
});

test('trades that were made before they are first read begin the series, and later ones count once each, whatever the order', () => {
  const [early, late] = [trade(later(NOON, -HOUR), '90000'), trade(later(NOON, -MINUTE), '500')];
  const [big, small] = [trade(later(NOON, MINUTE), '12000'), trade(later(NOON, 2 * MINUTE), '300')];
  const found = checks([
    [NOON, [open(margin('1', { orders: [early, late] }))]],
    [later(NOON, 5 * MINUTE), [open(margin('1', { orders: [small, early, big, late] }))]],
    [later(NOON, 10 * MINUTE), [open(margin('1', { orders: [small, big, late] }))]],
  ]).map(({ measured }) => measured.filter(({ values }) => values.trade !== undefined).map(({ at, values }) => [at, values.trade]));
  expect(found).toEqual([
    [[later(NOON, -MINUTE), '500']],
    [
      [later(NOON, MINUTE), '12000'],
      [later(NOON, 2 * MINUTE), '300'],
    ],
    [],
  ]);
});

test('the first trade of a market without trades is a trade after its beginning', () => {
  const [first, second] = checks([
    [NOON, [open(margin('1', { orders: [] }))]],
    [later(NOON, HOUR), [open(margin('1', { orders: [trade(later(NOON, MINUTE), '12000')] }))]],
  ]);
  expect(first?.measured.at(-1)).toMatchObject({ topic: 'proposals/tide/9xQ/trades', values: { trade: '0' } });
  expect(second?.measured).toMatchObject([{ values: { trade: '12000' }, at: later(NOON, MINUTE) }]);
});

/** The values of single trades that each check measured, and how long after noon in ms. */
const tradesOf = (found: ReturnType<typeof checks>) =>
  found.map(({ measured }) => measured.flatMap(({ at, values }) => (values.trade === undefined ? [] : [[at - NOON, values.trade]])));

test('a trade that is listed after a later one counts once, after those before it, unless it was made before the first read', () => {
  const [before, first] = [trade(later(NOON, -MINUTE), '90000'), trade(later(NOON, -2 * MINUTE), '500')];
  const [early, late] = [trade(later(NOON, MINUTE), '12000'), trade(later(NOON, 2 * MINUTE), '300')];
  const found = checks([
    [NOON, [open(margin('1', { orders: [first] }))]],
    [later(NOON, 3 * MINUTE), [open(margin('1', { orders: [late, first] }))]],
    [later(NOON, 4 * MINUTE), [open(margin('1', { orders: [late, early, first] }))]],
    [later(NOON, 5 * MINUTE), [open(margin('1', { orders: [late, early, before, first] }))]],
  ]);
  expect(tradesOf(found)).toEqual([[[-2 * MINUTE, '500']], [[2 * MINUTE, '300']], [[2 * MINUTE + 1, '12000']], []]);
});

test('trades of one second count each, and one that a list repeats counts once', () => {
  const at = later(NOON, MINUTE);
  const [one, other] = [trade(at, '12000', 'a'), trade(at, '11000', 'b')];
  const found = checks([
    [NOON, [open(margin('1', { orders: [] }))]],
    [later(NOON, 2 * MINUTE), [open(margin('1', { orders: [one, other, one] }))]],
    [later(NOON, 3 * MINUTE), [open(margin('1', { orders: [other, one] }))]],
  ]);
  expect(tradesOf(found).slice(1)).toEqual([
    [
      [MINUTE, '12000'],
      [MINUTE + 1, '11000'],
    ],
    [],
  ]);
});

test('a trade that is listed more than ten minutes after a check that it should have been in is no longer new', () => {
  const [early, late] = [trade(later(NOON, MINUTE), '12000'), trade(later(NOON, 2 * MINUTE), '300')];
  const found = checks([
    [NOON, [open(margin('1', { orders: [] }))]],
    [later(NOON, 12 * MINUTE), [open(margin('1', { orders: [late] }))]],
    [later(NOON, 13 * MINUTE), [open(margin('1', { orders: [late, early] }))]],
  ]);
  expect(tradesOf(found).slice(1)).toEqual([[[2 * MINUTE, '300']], []]);
});

test('of many trades in ten minutes the newest are remembered, and none of them counts again', () => {
  const many = Array.from({ length: 250 }, (_, index) => trade(later(NOON, (index + 1) * 1_000), '100'));
  const found = checks([
    [NOON, [open(margin('1', { orders: [] }))]],
    [later(NOON, 5 * MINUTE), [open(margin('1', { orders: many }))]],
    [later(NOON, 6 * MINUTE), [open(margin('1', { orders: many }))]],
  ]);
  expect(tradesOf(found).map(({ length }) => length)).toEqual([1, 20, 0]);
  expect(found.at(-1)?.markets['9xQ']?.seen?.trades).toHaveLength(200);
});

test('the trades up to the result are measured with it, and where they cannot be read the next check of the hour does', () => {
  const ended = { status: 'resolved', result: 'approved', endsAt: later(NOON, 2 * MINUTE) };
  const [first, last] = [trade(later(NOON, -MINUTE), '500'), trade(later(NOON, 2 * MINUTE), '12000')];
  const begin = [NOON, [open(margin('1', { orders: [first] }))]] as const;
  const read = [later(NOON, 3 * MINUTE), [open(row({ ...ended, orders: [last, first] }))]] as const;
  const unread = [later(NOON, 3 * MINUTE), [open(row(ended))]] as const;
  const again = [later(NOON, 4 * MINUTE), [open(row({ ...ended, orders: [last, first] }))]] as const;
  const all = ['proposals/tide/9xQ', 'proposals/tide/9xQ/trades'];
  expect(
    checks([begin, read, again]).map(({ measured, over }) => [measured.map(({ values, row: of }) => [values.trade, of.outcome]), over]),
  ).toEqual([
    [
      [
        [undefined, undefined],
        ['500', undefined],
      ],
      [],
    ],
    [[['12000', 'passed']], all],
    [[], all],
  ]);
  const retried = checks([begin, unread, again]);
  expect(retried.map(({ over }) => over)).toEqual([[], all.slice(0, 1), all]);
  expect(tradesOf(retried)[2]).toEqual([[2 * MINUTE, '12000']]);
  const late = checks([begin, [later(NOON, 2 * HOUR), [open(row(ended))]]]);
  expect(late[1]?.over).toEqual(all);
});

test('whatever the order and the dates of trades, up to ten minutes late, each that was listed after the first read counts once', () => {
  const made = fc.record({
    ...{ at: fc.integer({ min: 1, max: 3_600 }), late: fc.integer({ min: 0, max: 590 }), isListedAgain: fc.boolean() },
    // Seconds by which the service dates it into the future.
    ahead: fc.constantFrom(0, 0, 0, 40, 3_600),
  });
  fc.assert(
    fc.property(
      fc.array(made, { maxLength: 20 }),
      fc.array(fc.integer({ min: 30, max: 590 }), { minLength: 8, maxLength: 12 }),
      fc.array(fc.constantFrom(-60, 0, 40, 3_600), { maxLength: 3 }),
      (all, gaps, before) => {
        const listed = all.map(({ at, late, ahead, isListedAgain }, index) => {
          const one = trade(later(NOON, (at + ahead) * 1_000), String(1_000 + index), `${index}`);
          return { from: later(NOON, (at + late) * 1_000), orders: isListedAgain ? [one, one] : [one] };
        });
        const known = before.map((ahead, index) => trade(later(NOON, ahead * 1_000), '7', `before ${index}`));
        const times = gaps.map((_, index) => later(NOON, gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0) * 1_000));
        const found = checks(
          [NOON, ...times].map((at) => {
            const orders = [...known, ...listed.flatMap(({ from, orders: own }) => (from <= at ? own : []))];
            return [at, [open(margin('1', { orders }))]] as const;
          }),
        );
        const counted = tradesOf(found.slice(1)).flat();
        const due = listed.flatMap(({ from, orders: [one] }) => (from <= (times.at(-1) ?? NOON) ? [one?.value] : []));
        const inOrder = (values: readonly unknown[]): readonly number[] => values.map(Number).toSorted((a, b) => a - b);
        expect(inOrder(counted.map(([, value]) => value))).toEqual(inOrder(due));
        const moments = counted.map(([at]) => Number(at));
        expect(moments).toEqual(inOrder([...new Set(moments)]));
        expect(moments.filter((at) => at > (times.at(-1) ?? NOON) + all.length)).toEqual([]);
      },
    ),
    { numRuns: runs(1_000) },
  );
});

test('what an earlier version remembered of trades is still read', () => {
  const known = marketSchema.parse({ last: { at: NOON, values: { margin: '1' } }, past: [], tradedAt: NOON });
  const { measured } = measureMarkets(
    { '9xQ': known },
    [open(margin('1', { orders: [trade(later(NOON, MINUTE), '12000')] }))],
    later(NOON, HOUR),
  );
  expect(measured.map(({ at, values }) => [at, values])).toEqual([[later(NOON, MINUTE), { trade: '12000' }]]);
});

test('the course of four days of checks is a bounded number of values, the newest among them', () => {
  const rows = Array.from({ length: 5 * 24 * 60 }, (_, minute) => [later(NOON, minute * MINUTE), [open(margin(String(minute)))]] as const);
  const last = checks(rows).at(-1)?.markets['9xQ'];
  const points = (last && historyOf(last).margin) ?? [];
  expect(points.length).toBeLessThanOrEqual(120);
  expect(points.at(-1)?.value).toBe(String(5 * 24 * 60 - 1));
  expect((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)).toBeGreaterThan(3.9 * DAY);
});

test('a live message of a market that has not changed is not edited for the course of its margin alone', async () => {
  const shown = row({ threshold: decimal('1.5'), twapStartsAt: NOON, endsAt: later(NOON, DAY) });
  const versions: (string | undefined)[] = [];
  let before: unknown;
  for (const [hours, edge] of [
    [1, '2.4'],
    [2, '2.6'],
    [3, '2.9'],
    [4, '2.9'],
    [5, '2.9'],
    [6, '2.8'],
  ] as const) {
    const at = later(NOON, hours * HOUR);
    const feed = defineFeed({
      ...proposals.spec,
      read: async () => snapshotOf<readonly MarketRow[]>([{ ...shown, passEdge: decimal(edge) }], { at }),
    });
    const result = await feed.check(TIDE, before, { analytics: NOBODY, options: { priority: 'poll' }, isFollowed: () => true });
    before = result.watermark;
    versions.push(result.statuses[0]?.version);
  }
  expect(new Set(versions.slice(2, 5)).size).toBe(1);
  expect(new Set(versions).size).toBe(4);
});
