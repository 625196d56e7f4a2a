import { expect, test } from 'vitest';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { DAY, HOUR, later, type Instant } from '../../src/base/clock.js';
import { pastProposals } from '../../src/feeds/past-proposals.js';
import { NOON } from './reading.js';

const hour = (hours: number): Instant => later(NOON, hours * HOUR);
/** Created, begins two hours later, TWAP in the 10th, ends in the 22nd: "ending" is a quarter of its twenty hours. */
const row = (extra: Partial<ProposalRow> = {}): ProposalRow => ({
  ...{ ...EMPTY_PROPOSAL, publicKey: '9xQ', createdAt: NOON, startsAt: hour(2), twapStartsAt: hour(10), endsAt: hour(22) },
  ...{ status: 'resolved', result: 'passed', ...extra },
});
const past = (rows: readonly ProposalRow[], from = NOON, now = later(NOON, 10 * DAY)) => {
  const { snapshots, since } = pastProposals(rows, { from, now });
  return { since, seen: snapshots.map(({ at, data }) => [(at - NOON) / HOUR, data.map(({ status, result }) => result ?? status).join()]) };
};

test('a proposal is read at each moment at which it reached a stage, without what was not known then', () => {
  const seen = [
    [0, 'draft'],
    [2, 'live'],
    [10, 'live'],
    [17, 'live'],
    [22, 'passed'],
  ];
  expect(past([row()])).toEqual({ since: NOON, seen });
  expect(past([row({ result: 'failed' })]).seen.at(-1)).toEqual([22, 'failed']);
  const [, live] = pastProposals([row({ margin: row().margin })], { from: NOON, now: hour(30) }).snapshots;
  expect(live).toMatchObject({ complete: false, hidden: 0, broken: 0, data: [{ passEdge: undefined, margin: undefined }] });
});

test('moments before the period and after now are left out; the first record is known all the same', () => {
  expect(past([row()], hour(10), hour(17))).toEqual({
    since: NOON,
    seen: [
      [10, 'live'],
      [17, 'live'],
    ],
  });
});

test('several proposals are read in the order of their moments, those of one moment together', () => {
  const other = row({
    publicKey: 'other',
    createdAt: hour(-5),
    startsAt: NOON,
    twapStartsAt: undefined,
    endsAt: undefined,
    status: 'live',
    result: undefined,
  });
  expect(past([row(), other], hour(-9))).toMatchObject({
    since: hour(-5),
    seen: [
      [-5, 'draft'],
      [0, 'draft,live'],
      [2, 'live'],
      [10, 'live'],
      [17, 'live'],
      [22, 'passed'],
    ],
  });
});

test('a draft has only its creation, and a removed one no stages of a market', () => {
  expect(past([row({ status: 'draft', result: undefined })]).seen).toEqual([[0, 'draft']]);
  expect(past([row({ status: 'removed', result: undefined })]).seen.map(([at]) => at)).toEqual([0, 2, 22]);
  expect(past([row({ status: 'live', result: undefined, createdAt: undefined, twapStartsAt: undefined })]).seen.map(([at]) => at)).toEqual([
    2, 17, 22,
  ]);
});

test('without any date there is nothing to read, and no record begins', () => {
  const bare = row({ createdAt: undefined, startsAt: undefined, twapStartsAt: undefined, endsAt: undefined });
  expect(past([bare])).toEqual({ since: undefined, seen: [] });
  expect(past([])).toEqual({ since: undefined, seen: [] });
});

test('of more than two thousand moments the newest are read', () => {
  const rows = Array.from({ length: 2_001 }, (_, index) =>
    row({ status: 'draft', result: undefined, createdAt: later(NOON, index * 1_000) }),
  );
  const { snapshots } = pastProposals(rows.toReversed(), { from: NOON, now: later(NOON, DAY) });
  expect([snapshots.length, snapshots[0]?.at, snapshots.at(-1)?.at]).toEqual([2_000, later(NOON, 1_000), later(NOON, 2_000_000)]);
});
