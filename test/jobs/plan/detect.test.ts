import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, instant, later } from '../../../src/base/clock.js';
import { afterRun, trustOf, type DetectorDocument, type LastCheck } from '../../../src/jobs/plan/detect.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const run = (
  before: DetectorDocument | undefined,
  hours: number,
  { prints, records = {} }: { prints: Record<string, string>; records?: Record<string, LastCheck> },
): DetectorDocument =>
  afterRun(
    before,
    { at: later(NOON, hours * HOUR), prints: new Map(Object.entries(prints)), rest: undefined },
    { subjects: ['tide', 'heron'], recordOf: (subject) => records[subject], source: 'here', calls: 1 },
  );

test('the first run calls for nothing, the second for what differs', () => {
  const first = run(undefined, 0, { prints: { tide: '1', heron: '1' } });
  expect(first.called).toEqual({});
  expect(run(first, 1, { prints: { tide: '2', heron: '1' } }).called).toEqual({ tide: NOON + HOUR });
});

test('a call stands until something was checked after it', () => {
  const called = run(run(undefined, 0, { prints: { tide: '1' } }), 1, { prints: { tide: '2' } });
  const waiting = run(called, 2, { prints: { tide: '2' }, records: { tide: { triedAt: NOON } } });
  expect(waiting.called).toEqual({ tide: NOON + HOUR });
  const done = run(waiting, 3, { prints: { tide: '2' }, records: { tide: { triedAt: later(NOON, 2.5 * HOUR) } } });
  expect(done.called).toEqual({});
});

test('events that it had seen add to its trust, events that it missed reduce it', () => {
  const called = run(run(undefined, 0, { prints: { tide: '1' } }), 1, { prints: { tide: '2' } });
  const at = later(NOON, 1.5 * HOUR);
  const seen = run(called, 2, { prints: { tide: '2' }, records: { tide: { triedAt: at, eventAt: at } } });
  expect(trustOf(seen)).toBeGreaterThan(trustOf(called));
  const missed = run(run(undefined, 0, { prints: { tide: '1' } }), 2, {
    prints: { tide: '1' },
    records: { tide: { triedAt: at, eventAt: at } },
  });
  expect(trustOf(missed)).toBeLessThan(0.5);
});

test('a list that lost its field is found out, however good it was', () => {
  let document = { ...run(undefined, 0, { prints: { tide: '1' } }), hits: 1_000 };
  for (let hour = 1; hour <= 80; hour += 1) {
    const at = later(NOON, (hour - 0.5) * HOUR);
    document = run(document, hour, { prints: { tide: '1' }, records: { tide: { triedAt: at, eventAt: at } } });
  }
  expect(trustOf(document)).toBeLessThan(0.2);
});

test('an event counts for the detector if the list showed the change first, or shows it now, and against it otherwise', () => {
  const first = run(undefined, 0, { prints: { tide: '1' } });
  const counted = (before: DetectorDocument, now: string, eventAt?: number) => {
    const record = { triedAt: later(NOON, 3 * HOUR), ...(eventAt === undefined ? {} : { eventAt: later(NOON, eventAt * HOUR) }) };
    const { hits, misses } = run(before, 3, { prints: { tide: now }, records: { tide: record } });
    return [hits, misses];
  };
  // Called at 2: an event after that was found by the call, one before it by a scheduled check.
  const called = run(run(first, 1, { prints: { tide: '1' } }), 2, { prints: { tide: '2' } });
  expect([counted(called, '2', 2.5), counted(called, '3', 2.5)]).toEqual([
    [1, 0],
    [1, 0],
  ]);
  // Not called: a scheduled check found it, and the list shows it now or not.
  const still = run(first, 2, { prints: { tide: '1' } });
  expect([counted(still, '2', 2.5), counted(still, '1', 2.5)]).toEqual([
    [1, 0],
    [0, 1],
  ]);
  // Counted by an earlier run, or without an event: nothing to learn from.
  expect([counted(still, '1', 2), counted(still, '1', 1.5), counted(still, '2')]).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  // A project that the list never showed, and a first run, say nothing of the list.
  expect([counted(run(undefined, 0, { prints: { heron: '1' } }), '1', 2.5), counted({ ...still, source: 'elsewhere' }, '1', 2.5)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('old hits and misses fade alike, and the cost follows what runs really cost', () => {
  const first = run(undefined, 0, { prints: { tide: '1' } });
  const { hits, misses } = run({ ...first, hits: 60, misses: 20 }, 1, { prints: { tide: '1' } });
  expect([hits, misses]).toEqual([30, 10]);
  expect([first.cost, run(first, 1, { prints: {} }).cost, run({ ...first, cost: 11 }, 1, { prints: {} }).cost]).toEqual([1, 1, 8]);
});

test('trust is even before anything was counted, and follows what was', () => {
  expect([trustOf({ hits: 0, misses: 0 }), trustOf({ hits: 1, misses: 0 }), trustOf({ hits: 0, misses: 2 })]).toEqual([
    1 / 2,
    2 / 3,
    1 / 4,
  ]);
});

test('a call that a check answered at the same moment stands: the check may have read the list from before', () => {
  const called = run(run(undefined, 0, { prints: { tide: '1' } }), 1, { prints: { tide: '2' } });
  const at = (hours: number) => run(called, 2, { prints: { tide: '2' }, records: { tide: { triedAt: later(NOON, hours * HOUR) } } }).called;
  expect([at(1), at(1.01)]).toEqual([{ tide: NOON + HOUR }, {}]);
  expect(run(called, 2, { prints: { tide: '2' } }).called).toEqual({ tide: NOON + HOUR });
});

test('what another service said is nothing to compare with, and a project that is not shown keeps what was seen of it', () => {
  const other = { ...run(undefined, 0, { prints: { tide: '1' } }), source: 'elsewhere' };
  expect(run(other, 1, { prints: { tide: '2' } }).called).toEqual({});
  const hidden = run(run(undefined, 0, { prints: { tide: '1' } }), 1, { prints: {} });
  expect(hidden.prints).toEqual({ tide: '1' });
});

test('trust is never whole, so that checks keep coming', () => {
  fc.assert(fc.property(fc.nat(), fc.nat(), (hits, misses) => trustOf({ hits, misses }) <= 0.8));
});
