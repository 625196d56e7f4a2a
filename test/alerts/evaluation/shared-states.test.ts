/** One state for all chats in which a rule has stood since before a time. */
import { expect, test } from 'vitest';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import type { MeasuredCheck } from '../../../src/alerts/evaluation/evaluate.js';
import { evolve, join, lastUntil, sharedStateOf, type SharedState } from '../../../src/alerts/evaluation/shared-states.js';
import { HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { NOON } from '../../feeds/reading.js';
import { measurement, rules } from '../measurements.js';

const [RULE] = rules('premium<-10')['premium']?.thresholds ?? [];
if (RULE === undefined) throw new Error('it is a rule');
const rule = RULE;

const checkOf = (value: number, at: Instant, before?: number): MeasuredCheck => ({
  measurements: [measurement(value, at)],
  before: before === undefined ? [] : lastMeasurements([measurement(before, later(at, -HOUR))]),
  first: false,
  now: at,
});

/** A check that chats join whose rule stands since these times. */
function joined(list: readonly SharedState[], value: number, at: Instant, ...since: readonly Instant[]) {
  const check = checkOf(value, at, list.length === 0 ? undefined : value);
  const [one] = check.measurements;
  if (one === undefined) throw new Error('it is measured');
  const before = evolve(list, rule, one, check);
  return join(
    before.list,
    since.map((stands) => ({ stands, since: stands })),
    { rule, measurement: one, check, until: at },
  );
}
const after = (list: readonly SharedState[], value: number, at: Instant) => joined(list, value, at);

test('chats that begin with one check have one state, and those of a later check another, until they decide alike', () => {
  const first = joined([], -5, NOON, later(NOON, -3 * HOUR), later(NOON, -HOUR)).list;
  expect(first).toMatchObject([{ until: NOON, state: { armed: true, anchor: { value: '-5' } } }]);
  const second = joined(first, -6, later(NOON, 3 * HOUR), later(NOON, 90 * MINUTE)).list;
  expect(second.map(({ state }) => state.anchor.value)).toEqual(['-5', '-6']);
  expect(sharedStateOf(second, NOON)?.anchor.value).toBe('-5');
  expect(sharedStateOf(second, later(NOON, 1))?.anchor.value).toBe('-6');
  expect(sharedStateOf(second, later(NOON, 4 * HOUR))).toBeUndefined();
  const alerted = evolve(second, rule, measurement(-15, later(NOON, 5 * HOUR)), checkOf(-15, later(NOON, 5 * HOUR), -6));
  expect(alerted.list).toMatchObject([{ until: later(NOON, 3 * HOUR), state: { armed: false, anchor: { value: '-15' } } }]);
  expect(alerted.crossings.map(({ after: from, until, crossing }) => [from, until, crossing.since.value])).toEqual([
    [undefined, NOON, '-5'],
    [NOON, later(NOON, 3 * HOUR), '-6'],
  ]);
});

test('a watch that is younger than the value begins with it, again while values are older than it', () => {
  const young = later(NOON, MINUTE);
  const check = { ...checkOf(-5, NOON, -5), now: later(NOON, 2 * MINUTE) };
  const [one] = check.measurements;
  if (one === undefined) throw new Error('it is measured');
  const how = { rule, measurement: one, check, until: check.now };
  const { list } = join(
    [],
    [
      { stands: later(NOON, -2 * HOUR), since: later(NOON, -2 * HOUR) },
      { stands: young, since: young },
    ],
    how,
  );
  expect(lastUntil(list)).toBe(check.now);
  // Dated before the younger watch, so an alert of the older one only.
  const late = { ...checkOf(-15, later(NOON, 30_000), -5), now: later(NOON, HOUR) };
  const found = evolve(list, rule, measurement(-15, later(NOON, 30_000)), late);
  expect(found.crossings.map(({ until }) => until)).toEqual([later(young, -1)]);
  expect([sharedStateOf(found.list, NOON), sharedStateOf(found.list, young)]).toMatchObject([
    { alertedAt: later(NOON, 30_000) },
    { armed: false },
  ]);
  expect(sharedStateOf(found.list, young)?.alertedAt).toBeUndefined();
});

test('a value that is not known begins nothing, and neither does nobody', () => {
  const check = { ...checkOf(0, NOON), measurements: [measurement(undefined, NOON)] };
  const [one] = check.measurements;
  if (one === undefined) throw new Error('it is measured');
  expect(join([], [{ stands: NOON, since: NOON }], { rule, measurement: one, check, until: NOON }).list).toEqual([]);
  const known = joined([], -5, NOON, later(NOON, -HOUR)).list;
  expect(after(known, -5, later(NOON, HOUR)).list.map(({ until }) => until)).toEqual([NOON]);
});
