import { expect, test } from 'vitest';
import { decimal } from '../../src/domain/scalars.js';
import { thresholdKey, thresholdRuleSchema, type ThresholdRule } from '../../src/domain/threshold-rule.js';

const rules: readonly (readonly [key: string, rule: ThresholdRule])[] = [
  ['premium below -10 band 2', { when: 'below', measure: 'premium', threshold: decimal('-10'), hysteresis: decimal('2') }],
  ['premium moves by 5', { when: 'move', measure: 'premium', by: decimal('5') }],
  ['allowance changes', { when: 'change', measure: 'allowance' }],
  ['premium at a new extreme of 30', { when: 'extreme', measure: 'premium', days: decimal('30') }],
  ['premium with a z-score of at least 2', { when: 'z-score', measure: 'premium', least: decimal('2') }],
];

test.each(rules)('the state of a rule is stored under "%s", which never changes', (key, rule) => {
  expect(thresholdKey(thresholdRuleSchema.parse(rule))).toBe(key);
});
