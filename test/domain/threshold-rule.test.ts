import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact } from '../../src/domain/format.js';
import { MEASURE_NAMES, MEASURES, THRESHOLD_MEASURES, thresholdOf, type Unit } from '../../src/domain/measures.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { thresholdKey, thresholdKeyOfWords, thresholdRuleSchema, type ThresholdRule } from '../../src/domain/threshold-rule.js';
import { runs } from '../support/properties.js';

/** The words that earlier versions stored. */
function oldWords(rule: ThresholdRule): string {
  const { name, move } = MEASURES[rule.measure];
  if ('level' in rule) {
    const { unit, hysteresis } = thresholdOf(rule.measure);
    return `${name} ${rule.when} ${oldValue(rule.level, unit)} (dead-band ${oldValue(rule.band, hysteresis.unit)})`;
  }
  if (rule.when === 'move') return `${name} moves by ${oldValue(rule.by, move.unit)}`;
  if (rule.when === 'change') return `${name} changes`;
  if (rule.when === 'extreme') return `${name} at a new extreme of ${exact(rule.days)} days`;
  return `${name} with a z-score of at least ${exact(rule.least)}`;
}

function oldValue(value: Decimal, unit: Unit): string {
  const text = exact(value);
  if (unit === '$') return text.replace(/^−?/u, (sign) => `${sign}$`);
  return `${text} ${text === '1' ? unit.replace(/s$/u, '') : unit}`.trimEnd();
}

const size = fc.integer({ min: -99_000, max: 99_000_000 }).map((value) => decimal(`${value}e-3`));
const candidates = fc.oneof(
  fc.record({ when: fc.constantFrom('above', 'below'), measure: fc.constantFrom(...THRESHOLD_MEASURES), level: size, band: size }),
  fc.record({ when: fc.constant('move'), measure: fc.constantFrom(...MEASURE_NAMES), by: size }),
  fc.record({ when: fc.constant('change'), measure: fc.constantFrom(...MEASURE_NAMES) }),
  fc.record({ when: fc.constant('extreme'), measure: fc.constant('premium'), days: size }),
  fc.record({ when: fc.constant('z-score'), measure: fc.constant('premium'), least: size }),
);

test('a rule state that an earlier version stored under the words of its rule is found under the key', () => {
  let rules = 0;
  fc.assert(
    fc.property(candidates, (candidate) => {
      const rule = thresholdRuleSchema.safeParse(candidate);
      if (!rule.success) return;
      rules += 1;
      expect(thresholdKeyOfWords(oldWords(rule.data))).toBe(thresholdKey(rule.data));
    }),
    { numRuns: runs(5_000) },
  );
  expect(rules).toBeGreaterThan(runs(5_000) / 10);
});

test('a key that is read a second time stays itself', () => {
  const key = 'premium below -10 band 2';
  expect(thresholdKeyOfWords(key)).toBe(key);
});
