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

test('what another service said is nothing to compare with, and a project that is not shown keeps what was seen of it', () => {
  const other = { ...run(undefined, 0, { prints: { tide: '1' } }), source: 'elsewhere' };
  expect(run(other, 1, { prints: { tide: '2' } }).called).toEqual({});
  const hidden = run(run(undefined, 0, { prints: { tide: '1' } }), 1, { prints: {} });
  expect(hidden.prints).toEqual({ tide: '1' });
});

test('trust is never whole, so that checks keep coming', () => {
  fc.assert(fc.property(fc.nat(), fc.nat(), (hits, misses) => trustOf({ hits, misses }) <= 0.8));
});
