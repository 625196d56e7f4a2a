import { describe, expect, test } from 'vitest';
import type { WalletHolding } from '../../src/analytics/endpoints/wallets.js';
import { HOUR, later, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { diffHoldings, holdingsWatermarkSchema, type HoldingsSeen, type HoldingsWatermark } from '../../src/feeds/wallet-holdings.js';
import { NOON } from './reading.js';

const hour = (n: number): Instant => later(NOON, n * HOUR);
const row = (token: string, balance: string, syncedAt?: number, extra: Partial<WalletHolding> = {}): WalletHolding => ({
  ...{ token, symbol: token.toUpperCase(), name: token, slug: token, balance: decimal(balance), price: undefined, rank: undefined },
  ...{ ofSupply: undefined, value: undefined, basketShare: undefined },
  syncedAt: syncedAt === undefined ? undefined : hour(syncedAt),
  ...extra,
});
interface Seen extends Partial<HoldingsSeen> {
  readonly rows: readonly WalletHolding[];
  /** Of the snapshot; the check is half an hour later. */
  readonly at?: number;
}
/** What each of these checks finds, the watermark going through JSON in between. */
const checks = (...all: readonly Seen[]) => {
  let watermark: HoldingsWatermark | undefined;
  return all.map(({ at, ...seen }, index) => {
    const snapshotAt = at === undefined ? undefined : hour(at);
    const after = diffHoldings(watermark, { snapshotAt, whole: true, ranked: true, detectedAt: hour((at ?? index) + 0.5), ...seen });
    watermark = holdingsWatermarkSchema.parse(JSON.parse(JSON.stringify(after.watermark)));
    return { ...after, watermark };
  });
};
const changes = (...all: readonly Seen[]) =>
  checks(...all).map((found) => found.changes.map(({ stage, token, was, now, at }) => [stage, token, was, now, (at - NOON) / HOUR]));

describe('rows', () => {
  test('of one token count once: the later one, and of one moment the larger one, whatever their order', () => {
    const before = { at: 0, rows: [row('tide', '1', 0)] };
    for (const [rows, balance] of [
      [[row('tide', '5', 1), row('tide', '9', 2)], '9'],
      [[row('tide', '9', 1), row('tide', '5', 2)], '5'],
      [[row('tide', '5', 2), row('tide', '9', 2)], '9'],
    ] as const)
      for (const list of [rows, rows.toReversed()])
        expect(changes(before, { at: 2, rows: list })[1]).toEqual([
          ['balance', 'tide', '1', balance, rows[1].syncedAt === hour(2) ? 2 : 1],
        ]);
  });

  test('without a date are of the snapshot, and without one of that of when they were read', () => {
    expect(changes({ at: 0, rows: [row('tide', '1')] }, { at: 3, rows: [row('tide', '2')] })[1]).toEqual([
      ['balance', 'tide', '1', '2', 3],
    ]);
    expect(changes({ rows: [row('tide', '1')] }, { rows: [row('tide', '2')] })[1]).toEqual([['balance', 'tide', '1', '2', 1.5]]);
  });

  test('that lose their symbol keep it', () => {
    const bare = row('tide', '2', 1, { symbol: undefined });
    const found = checks(
      { at: 0, rows: [row('tide', '1', 0)] },
      { at: 1, rows: [bare] },
      { at: 1, rows: [bare] },
      { at: 2, rows: [row('tide', '3', 2, { symbol: undefined })] },
    );
    expect(found.map(({ changes: [change] }) => change?.symbol)).toEqual([undefined, 'TIDE', undefined, 'TIDE']);
  });
});

test('a known token that is read late changed all the same, and an unknown one of before a whole list is no new holding', () => {
  const first = { at: 0, rows: [row('tide', '1', 0)] };
  const whole = { at: 3, rows: [row('tide', '1', 0)] };
  expect(changes(first, whole, { at: 3, rows: [row('tide', '2', 1)] })[2]).toEqual([['balance', 'tide', '1', '2', 1]]);
  expect(changes(first, whole, { at: 3, rows: [row('tide', '1', 0), row('aldr', '5', 3)] })[2]).toEqual([]);
  expect(changes(first, whole, { at: 4, rows: [row('tide', '1', 0), row('aldr', '5', 4)] })[2]).toEqual([
    ['new', 'aldr', undefined, '5', 4],
  ]);
  // While no list has been whole, whatever is read for the first time may be old.
  const part = { at: 1, rows: [row('aldr', '5', 1)], whole: false };
  expect(changes({ ...first, whole: false }, part)[1]).toEqual([]);
});

test('a list without any row or snapshot is no first one, so that the next one returns no events either', () => {
  const none = { rows: [] };
  expect(changes(none, { rows: [row('tide', '1')] }, { rows: [row('tide', '2')] }).map((found) => found.length)).toEqual([0, 0, 1]);
  const empty = { at: 0, rows: [] };
  expect(changes(empty, { at: 1, rows: [row('tide', '1')] })[1]).toEqual([['new', 'tide', undefined, '1', 1]]);
});

test('a token that is missing is gone with the second complete list, at the moment of the first one, from what it was', () => {
  const [held, gone] = [{ at: 0, rows: [row('tide', '7', 0), row('aldr', '1', 0)] }, [row('aldr', '1', 0)]];
  const [, , exit] = checks(held, { at: 1, rows: gone }, { at: 2, rows: gone });
  expect(exit?.changes).toEqual([
    { stage: 'exit', token: 'tide', slug: 'tide', symbol: 'TIDE', was: '7', now: '0', from: NOON, at: hour(1) },
  ]);
  // Told once, and nothing that was gone already.
  expect(changes(held, { at: 1, rows: gone }, { at: 2, rows: gone }, { at: 3, rows: gone }, { at: 4, rows: gone }).slice(3)).toEqual([
    [],
    [],
  ]);
  const zero = { at: 1, rows: [row('tide', '0', 1), row('aldr', '1', 0)] };
  expect(changes(held, zero, { at: 2, rows: gone }, { at: 3, rows: gone }).slice(2)).toEqual([[], []]);
});

test('changes and ranks come in the order of their moments, those of one moment by token', () => {
  const ranked = (token: string, balance: string, at: number, rank: number) => row(token, balance, at, { rank });
  const [, found] = checks(
    { at: 0, rows: [ranked('b', '1', 0, 1), ranked('a', '1', 0, 2), ranked('c', '1', 0, 3)] },
    { at: 2, rows: [ranked('c', '2', 2, 6), ranked('b', '2', 2, 4), ranked('a', '2', 1, 5)] },
  );
  expect(found?.changes.map(({ token }) => token)).toEqual(['a', 'b', 'c']);
  expect(found?.ranks.map(({ token, rank, wasRank }) => [token, rank, wasRank])).toEqual([
    ['a', 5, 2],
    ['b', 4, 1],
    ['c', 6, 3],
  ]);
  expect(found?.changes[0]).toMatchObject({ rank: 5, wasRank: 2, was: '1', from: NOON });
});

test('a rank that is as it was is found again by every list of the same snapshot, and of nothing held there is none', () => {
  const of = (balance: string, rank: number | undefined) => ({ at: 0, rows: [row('tide', balance, 0, { rank })] });
  const still = (...all: readonly Seen[]) => checks(...all).map(({ stillRanked }) => stillRanked);
  expect(still(of('1', 4), of('1', 4), of('1', 5), of('1', undefined))).toEqual([[], ['tide'], [], []]);
  expect(still(of('1', undefined), of('1', undefined))).toEqual([[], []]);
});
