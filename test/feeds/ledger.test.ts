import { expect, test } from 'vitest';
import { DAY, later, MINUTE } from '../../src/base/clock.js';
import { pastLedger } from '../../src/feeds/ledger.js';
import { WINDOW } from '../../src/feeds/seen-ids.js';
import { NOON } from './reading.js';

const rowAt = (minutes: number | undefined) => ({ at: minutes === undefined ? undefined : later(NOON, minutes * MINUTE) });
const past = (rows: readonly ReturnType<typeof rowAt>[], from = later(NOON, -DAY)) =>
  pastLedger({ rows, broken: 2, hidden: 3, complete: false, at: NOON, stale: 'timeout' }, { from, now: NOON });

test('a ledger is one past check of the dated rows of the period, its ends included', () => {
  const rows = [rowAt(1), rowAt(0), rowAt(undefined), rowAt(-30), rowAt(-1440), rowAt(-1441)];
  const { snapshots, since, hidden, broken, stale, at } = past(rows);
  expect(snapshots).toEqual([{ data: [rowAt(0), rowAt(-30), rowAt(-1440)], at: NOON, complete: false, hidden: 3, broken: 2 }]);
  expect({ since, hidden, broken, stale, at }).toEqual({ since: rowAt(-1441).at, hidden: 3, broken: 2, stale: 'timeout', at: NOON });
});

test('a ledger longer than a watermark remembers begins with the newest rows, and says from when', () => {
  const rows = Array.from({ length: WINDOW + 1 }, (_, index) => ({ at: later(NOON, -index * 1_000) }));
  const { snapshots, since } = past(rows.toReversed());
  expect([snapshots[0]?.data.length, since]).toEqual([WINDOW, later(NOON, -(WINDOW - 1) * 1_000)]);
  // As many as are remembered, or older ones outside the period, are not cut.
  expect(past(rows.slice(0, WINDOW)).since).toEqual(later(NOON, -(WINDOW - 1) * 1_000));
  expect(past(rows, later(NOON, -10_000))).toMatchObject({ since: later(NOON, -WINDOW * 1_000), snapshots: [{ data: { length: 11 } }] });
});

test('without a dated row no record begins', () => {
  const [bare, dated] = [past([rowAt(undefined)]), past([rowAt(-1)])];
  expect(bare).toMatchObject({ since: undefined, snapshots: [{ data: [] }] });
  // It may have happened in any period, and concerns every stage.
  expect([bare.gaps, dated.gaps]).toEqual([[{ missing: [NOON], says: expect.stringMatching(/^1 of 1 /u) }], undefined]);
});
