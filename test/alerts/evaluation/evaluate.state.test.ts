/** From which state a rule judges a value: cooldowns, a clock that was set back, and what was read last. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate, hadToWait, type Evaluation } from '../../../src/alerts/evaluation/evaluate.js';
import { COOLDOWN, evaluateRule, isStateWorthWriting, isUneventful, type RuleState } from '../../../src/alerts/evaluation/threshold.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import type { Point } from '../../../src/domain/crossing.js';
import { decimal } from '../../../src/domain/scalars.js';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import { MEASURE_NAMES } from '../../../src/domain/measures.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';
import { measurement, rules } from '../measurements.js';
import { levelRules } from '../threshold-rules.js';

const [RULE] = rules('premium<-10')['premium']?.thresholds ?? [];
const WATCHED = later(NOON, -30 * DAY);

const stateAt = (at: Instant, more: Partial<RuleState> = {}): RuleState => ({
  armed: true,
  anchor: { at, value: decimal(-5) },
  last: { at, value: decimal(-5) },
  ...more,
});

function judged(
  value: number,
  at: Instant,
  { last, ...more }: Partial<Evaluation> & { readonly last?: readonly [value: number, at: Instant] },
) {
  if (RULE === undefined) throw new Error('no rule');
  const one = measurement(value, at);
  const before = last === undefined ? [] : lastMeasurements([measurement(last[0], last[1])], []);
  const check = { measurements: [one], before, first: false, now: at };
  return evaluate({ measurement: one, rule: RULE, state: undefined, began: WATCHED, absence: undefined, check, ...more });
}

test('an alert holds the next one back for an hour, and no longer', () => {
  const state = stateAt(NOON, { alertedAt: NOON });
  expect([0, 1, COOLDOWN - 1, COOLDOWN].map((after) => hadToWait(state, later(NOON, after)))).toEqual([false, true, true, false]);
  expect([hadToWait(undefined, NOON), hadToWait(stateAt(NOON), later(NOON, 1))]).toEqual([false, false]);
});

test('after the clock was set back by a day, an alert is held back for an hour and not for a day', () => {
  const state = stateAt(later(NOON, DAY), { alertedAt: later(NOON, DAY) });
  const first = judged(-5, NOON, { state }).state;
  expect(first?.alertedAt).toBe(later(NOON, -1));
  expect(judged(-12, later(NOON, 2 * HOUR), { state: first, last: [-5, NOON] }).alert).toMatchObject({
    was: { value: decimal(-5), at: NOON },
  });
});

test('a state of now is not set back, also when its moments are those of the value', () => {
  const state = stateAt(NOON, { alertedAt: NOON });
  expect(judged(-5, NOON, { state }).state?.alertedAt).toBe(NOON);
});

test('a rule without a state begins with the value that was read last, unless that is old, unknown, or of the future', () => {
  const at = later(NOON, MINUTE);
  expect(judged(-12, at, { last: [-5, NOON] }).alert).toMatchObject({ was: { value: decimal(-5), at: NOON } });
  expect(judged(-12, at, {}).alert).toBeUndefined();
  expect(judged(-12, at, { last: [-5, later(NOON, -HOUR)], began: NOON }).alert).toBeUndefined();
  expect(judged(-12, at, { last: [-5, later(at, DAY)] }).alert).toBeUndefined();
});

test('what was read last is compared also where the state has an older value, and dated before now where it was dated later', () => {
  const at = later(NOON, MINUTE);
  const state = stateAt(later(NOON, -DAY));
  expect(judged(-12, at, { state, last: [-7, NOON] }).alert).toMatchObject({ was: { value: decimal(-7), at: NOON } });
  expect(judged(-12, at, { state, last: [-7, later(at, DAY)] }).alert).toMatchObject({ was: { value: decimal(-7), at: later(at, -1) } });
});

const withLast = (state: RuleState, last: Point): RuleState => ({ ...state, last });

test('a value that is passed over neither alerts nor changes what is written, whatever the rule, the other values and the gaps are', () => {
  let [passed, moves, alerts] = [0, 0, 0];
  const changed: unknown[] = [];
  const step = fc.record({
    value: fc.integer({ min: -4, max: 4 }),
    after: fc.constantFrom(10 * MINUTE, HOUR, HOUR, 2 * HOUR, DAY, -HOUR),
    isUnbroken: fc.boolean(),
    isKnown: fc.boolean(),
    isRemembered: fc.boolean(),
  });
  fc.assert(
    fc.property(levelRules(MEASURE_NAMES), fc.array(step, { minLength: 5, maxLength: 60 }), (rule, steps) => {
      let [state, at]: [RuleState | undefined, Instant] = [undefined, NOON];
      // The values are near the threshold.
      const [middle, apart] = 'threshold' in rule ? [Number(rule.threshold), Number(rule.hysteresis) / 2] : [10, 2];
      const history: Point[] = [];
      for (const { value: away, after, isUnbroken, isKnown, isRemembered } of steps) {
        at = later(at, after);
        const value = decimal(middle + away * apart);
        const others = isKnown ? Object.fromEntries(MEASURE_NAMES.map((name) => [name, value])) : {};
        const earlier = { history: [...history], last: state?.last };
        const result = evaluateRule(rule, state, { at, value, others, isUnbroken, history: earlier.history });
        if (isRemembered) history.push({ at, value });
        alerts += Number(result.alert !== undefined);
        if (state !== undefined && isUneventful(rule, state, { at, value }, earlier)) {
          moves += Number(rule.when === 'move');
          passed += 1;
          const isWritten = result.state === undefined || isStateWorthWriting(state, result.state);
          if (isWritten || result.alert !== undefined || result.back !== undefined) changed.push({ rule, state, at, value, result });
          // It is passed over as if it had not been measured, except that the check's record has the last value.
          if (isKnown && rule.when === 'move') state = withLast(state, { at, value });
          if (isKnown) continue;
        }
        ({ state } = result);
      }
    }),
    { numRuns: runs(500) },
  );
  expect(changed).toEqual([]);
  expect(Math.min(passed, moves, alerts)).toBeGreaterThan(0);
});
