/** A value that must last: the time that counts is between measurements that show it, and an alert comes when enough of it has passed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateRule, longestGap, ruleStateSchema, type RuleResult, type RuleState } from '../../../src/alerts/evaluation/threshold.js';
import type { CheckedMeasurement, MeasuredCheck } from '../../../src/alerts/evaluation/evaluate.js';
import { lastMeasurements, newerThan, seriesOf, withUnchanged, type LastMeasurement } from '../../../src/alerts/checks/check-records.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { decimal } from '../../../src/domain/scalars.js';
import { thresholdRuleSchema, type ThresholdRule } from '../../../src/domain/threshold-rule.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';
import { CHAT, entry, TIDE } from '../harness.js';
import { evaluateKnown, newChat, reopened, type KnownChat } from '../known-chat.js';
import { measurement, rules } from '../measurements.js';

const LASTING = thresholdRuleSchema.parse({ when: 'below', measure: 'premium', threshold: '-10', hysteresis: '2', lasts: 6 * HOUR });

function read(rule: ThresholdRule, values: readonly number[], apart: number): readonly RuleResult[] {
  let state: RuleState | undefined;
  return values.map((value, index) => {
    const result = evaluateRule(rule, state, { at: later(NOON, index * apart), value: decimal(value) });
    state = result.state && ruleStateSchema.parse(JSON.parse(JSON.stringify(result.state)));
    return result;
  });
}
const reasons = (results: readonly RuleResult[]): readonly string[] => results.map(({ reason }) => reason);

describe('a threshold that must last', () => {
  test('alerts when the value has been beyond it for that time, and once', () => {
    expect(reasons(read(LASTING, [-5, -11, -12, -11, -11, -13], 2 * HOUR))).toEqual([
      ...['first check', 'not long enough', 'not long enough', 'not long enough'],
      ...['alert', 'within the hysteresis'],
    ]);
  });

  test('begins its time again when the value was inside for one check', () => {
    expect(reasons(read(LASTING, [-5, -11, -11, -9.9, -11, -11, -11, -11], 2 * HOUR))).toEqual([
      ...['first check', 'not long enough', 'not long enough', 'not reached'],
      ...['not long enough', 'not long enough', 'not long enough', 'alert'],
    ]);
  });

  test('says since when it has lasted, and its end how long it was and how far it went from the crossing on', () => {
    const results = read(LASTING, [-5, -11, -14, -11, -11, -12, -7], 2 * HOUR);
    const crossed = later(NOON, 2 * HOUR);
    expect(results[4]?.alert).toMatchObject({ heldSince: crossed, now: { value: '-11' } });
    expect(results.at(-1)?.back).toMatchObject({
      ...{ heldSince: crossed, furthest: { value: '-14' } },
      ...{ since: { at: later(NOON, 8 * HOUR) }, now: { at: later(NOON, 12 * HOUR) } },
    });
  });

  test('that is already reached at the first check alerts only when the value came back', () => {
    expect(reasons(read(LASTING, [-11, -12, -12, -12, -12, -7, -12, -12, -12, -12], 2 * HOUR)).slice(4)).toEqual([
      ...['within the hysteresis', 'back, armed again'],
      ...['not long enough', 'not long enough', 'not long enough', 'alert'],
    ]);
  });

  test('has no end to tell of a time that was too short', () => {
    expect(read(LASTING, [-5, -11, -12, 5, 5], 2 * HOUR).flatMap(({ back }) => back ?? [])).toEqual([]);
  });

  test('keeps its time within the pause after an alert, and alerts when both are over', () => {
    const short = { ...LASTING, lasts: 10 * MINUTE } as ThresholdRule;
    const results = read(short, [0, -11, -11, -11, 0, -12, -12, -12, -12, -12, -12, -12, -12, -12], 5 * MINUTE);
    expect(reasons(results).indexOf('alert')).toBe(3);
    expect(reasons(results).slice(4, 9)).toEqual([
      ...['back, armed again', 'not long enough', 'not long enough'],
      ...['too soon after the last alert', 'too soon after the last alert'],
    ]);
    const late = read(short, [0, -11, -11, -11, 0, ...Array.from({ length: 12 }, () => -12)], 5 * MINUTE);
    expect(
      late.flatMap(({ alert }) => alert ?? []).map(({ now, heldSince }) => [(now.at - NOON) / MINUTE, ((heldSince ?? 0) - NOON) / MINUTE]),
    ).toEqual([
      [15, 5],
      [75, 25],
    ]);
  });
});

/** One chat that is alerted by checks, as the poller makes them, every so many ms; its states are written and read between any two. */
function follower(rule: string, every: number) {
  let known: KnownChat = newChat(CHAT);
  let before: readonly LastMeasurement[] = [];
  let latest: CheckedMeasurement | undefined;
  const chat = { address: CHAT, entries: [entry(TIDE, later(NOON, -DAY), { rules: rules(rule) })] };
  const evaluate = (measurements: readonly CheckedMeasurement[], now: Instant): void => {
    const check: MeasuredCheck = { measurements, before, first: false, now, longestGap: ({ lasts }) => longestGap(lasts, every) };
    known = reopened(evaluateKnown(known, chat, check).queue);
  };
  return {
    reads(value: number | undefined, at: Instant): void {
      const [found] = newerThan(before, [measurement(value, at)], at);
      if (found === undefined) return;
      evaluate([found], at);
      before = lastMeasurements([found], before);
      latest = found;
    },
    /** The service shows the same value under the same date. */
    readsAgain(at: Instant): void {
      if (latest === undefined) return;
      const again = { ...latest, at, since: latest.at, event: { ...latest.event, id: `${seriesOf(latest)}/${at}`, detectedAt: at } };
      evaluate([again], at);
      before = withUnchanged(before, { same: [seriesOf(latest)], at });
    },
    alerts: () =>
      known.waiting.flatMap(({ crossings: [first] = [] }) =>
        first === undefined || first.furthest !== undefined ? [] : [(first.now.at - NOON) / HOUR],
      ),
  };
}

const hours = (count: number): Instant => later(NOON, count * HOUR);

test('a value that does not change lasts as long as checks show it', () => {
  const one = follower('premium<-10 for 6h', HOUR);
  one.reads(-5, hours(0));
  one.reads(-11, hours(1));
  for (let hour = 2; hour <= 8; hour += 1) one.readsAgain(hours(hour));
  expect(one.alerts()).toEqual([7]);
});

test('a time without checks is not time in which the value lasted, and it begins again', () => {
  const one = follower('premium<-10 for 6h', HOUR);
  one.reads(-5, hours(0));
  for (const hour of [1, 2, 6, 7, 8, 9, 10, 11, 12, 13]) one.reads(-11 - hour / 100, hours(hour));
  expect(one.alerts()).toEqual([12]);
});

test('a check that did not know the value is no time in which it lasted', () => {
  const one = follower('premium<-10 for 6h', HOUR);
  one.reads(-5, hours(0));
  for (let hour = 1; hour <= 14; hour += 1) one.reads(hour >= 3 && hour <= 6 ? undefined : -11 - hour / 100, hours(hour));
  expect(one.alerts()).toEqual([13]);
});

test('checks that became rarer than the time alert nothing, because nobody knows what the value did between them', () => {
  const one = follower('premium<-10 for 1h', 6 * HOUR);
  one.reads(-5, hours(0));
  for (const hour of [6, 12, 18, 24]) one.reads(-11 - hour / 100, hours(hour));
  expect(one.alerts()).toEqual([]);
});

test.each([
  [6 * HOUR, 2 * MINUTE, 15 * MINUTE],
  [10 * MINUTE, 2 * MINUTE, 5 * MINUTE],
  [10 * MINUTE, 24 * MINUTE, 20 * MINUTE],
  [6 * HOUR, 3 * HOUR, 6 * HOUR],
  [HOUR, Number.POSITIVE_INFINITY, 2 * HOUR],
])('of %i ms, with checks every %i ms, measurements may be %i ms apart', (lasts, every, most) => {
  expect(longestGap(lasts, every)).toBe(most);
});

const steps = fc.array(
  fc.record({
    value: fc.option(fc.constantFrom(-14, -12, -11, -11, -11, -9.5, -8, -5), { nil: undefined, freq: 8 }),
    after: fc.constantFrom(5, 10, 10, 10, 20, 45),
  }),
  { minLength: 3, maxLength: 60 },
);

/** The same from all measurements at once, without a state that goes from one to the next. */
function alertsOf(known: readonly { readonly at: Instant; readonly value: number }[], { lasts, gap }: { lasts: number; gap: number }) {
  const found: number[] = [];
  let armedFrom = (known[0]?.value ?? 0) < -10 ? Number.POSITIVE_INFINITY : 0;
  for (const [index, { at, value }] of known.entries()) {
    if (armedFrom === Number.POSITIVE_INFINITY && value >= -8) armedFrom = index;
    let begins = index;
    while (begins > armedFrom) {
      const [previous, now] = [known[begins - 1], known[begins]];
      if (previous === undefined || now === undefined || previous.value >= -10 || now.at - previous.at > gap) break;
      begins -= 1;
    }
    const since = known[begins]?.at ?? at;
    const isPaused = found.length > 0 && at - (found.at(-1) ?? 0) < HOUR;
    if (index === 0 || index < armedFrom || value >= -10 || at - since < lasts || isPaused) continue;
    found.push(at);
    armedFrom = Number.POSITIVE_INFINITY;
  }
  return found.map((at) => (at - NOON) / HOUR);
}

test('alerts are those of every measurement taken together, whatever the values, the checks that fail and the restarts', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(10, 30, 60, 120), fc.constantFrom(2, 10, 20), (all, minutes, every) => {
      const one = follower(`premium<-10 for ${minutes}min`, every * MINUTE);
      const known: { at: Instant; value: number }[] = [];
      let now = NOON;
      for (const { value, after } of all) {
        one.reads(value, now);
        if (value !== undefined) known.push({ at: now, value });
        now = later(now, after * MINUTE);
      }
      const lasts = minutes * MINUTE;
      expect(one.alerts()).toEqual(alertsOf(known, { lasts, gap: longestGap(lasts, every * MINUTE) }));
    }),
    { numRuns: runs(300) },
  );
});
