/** Any rule on a figure that is allowed: within the ranges, and of lines that can be crossed. */
import fc from 'fast-check';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.js';
import {
  defaultHysteresis,
  JOINABLE_MEASURES,
  MEASURES,
  thresholdOf,
  type Measure,
  type ThresholdMeasure,
} from '../../src/domain/measures.js';
import { thresholdRuleSchema, neverCrossed, type ThresholdRule } from '../../src/domain/threshold-rule.js';
import { decimal } from '../../src/domain/scalars.js';

const tenths = (min: number, max: number) => fc.integer({ min: min * 10, max: max * 10 }).map((count) => decimal(count / 10));

const candidate = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> => fc.record(fields);

const PLACES = JOINABLE_MEASURES.map((measure, place) => ({ measure, place }));

/** None, or up to three conditions on measures that come later in the table. */
function othersOf(name: Measure): fc.Arbitrary<unknown> {
  const own = PLACES.find(({ measure }) => measure === name)?.place ?? PLACES.length;
  const later = PLACES.filter(({ place }) => place > own).map(({ measure }) => measure);
  if (later.length === 0) return fc.constant(undefined);
  const condition = (measure: ThresholdMeasure) => {
    const { least, most } = thresholdOf(measure);
    const threshold = tenths(Number(least), Math.min(500, Number(most)));
    return candidate({ when: fc.constantFrom('above', 'below'), measure: fc.constant(measure), threshold, hysteresis: tenths(1, 50) });
  };
  const some = fc
    .subarray(later, { minLength: 1, maxLength: Math.min(3, later.length) })
    .chain((measures) => fc.tuple(...measures.map(condition)));
  return fc.option(some, { nil: undefined, freq: 2 });
}

export function levelRules(measures: readonly Measure[]): fc.Arbitrary<ThresholdRule> {
  const candidates = measures.flatMap((name) => {
    const measure = fc.constant(name);
    const move = fc.constant('move');
    const { threshold } = MEASURES[name];
    if (threshold === undefined) return [candidate({ when: move, measure, by: fc.integer({ min: 1, max: 500 }).map(decimal) })];
    const isLasting = MEASURES[name].of === 'subject';
    const only = fc.constantFrom(undefined, ...(isLasting ? [] : ['4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABoUhs1Rk']));
    const within = fc.constantFrom(undefined, ...(MEASURES[name].recent ? [10 * MINUTE, HOUR, 90 * MINUTE] : []));
    const lasts = fc.constantFrom(undefined, ...(MEASURES[name].each ? [] : [10 * MINUTE, 90 * MINUTE, 6 * HOUR, 30 * DAY]));
    const line = tenths(Number(threshold.least), Math.min(500, Number(threshold.most)));
    return [
      candidate({
        ...{ when: fc.constantFrom('above', 'below'), measure, threshold: line, hysteresis: tenths(1, 50), lasts, only },
        and: othersOf(name),
      }),
      ...(MEASURES[name].each ? [] : [candidate({ when: move, measure, by: tenths(1, 90), within, only })]),
      ...(MEASURES[name].flips ? [candidate({ when: fc.constant('flip'), measure, only })] : []),
      ...(isLasting
        ? [
            candidate({ when: fc.constant('extreme'), measure, days: fc.integer({ min: 2, max: 365 }).map(decimal) }),
            candidate({ when: fc.constant('z-score'), measure, least: tenths(1, 6) }),
          ]
        : []),
      ...(MEASURES[name].change ? [candidate({ when: fc.constant('change'), measure })] : []),
    ];
  });
  return fc
    .oneof(...candidates)
    .map((one) => omitUndefined(thresholdRuleSchema.parse(one)))
    .map(usualIfEach)
    .filter((rule) => neverCrossed(rule) === undefined);
}

/** An occurrence has nothing to come back from, so its hysteresis is never typed. */
const usualIfEach = (rule: ThresholdRule): ThresholdRule =>
  'threshold' in rule && MEASURES[rule.measure].each ? { ...rule, hysteresis: defaultHysteresis(rule.measure, rule.threshold) } : rule;
