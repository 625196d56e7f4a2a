import { expect, test } from 'vitest';
import {
  defaultHysteresis,
  defaultHysteresisWords,
  MEASURE_NAMES,
  MEASURES,
  measureNamed,
  THRESHOLD_MEASURES,
  thresholdOf,
  written,
} from '../../src/domain/measures.js';
import { thresholdRuleSchema } from '../../src/domain/threshold-rule.js';
import { decimal } from '../../src/domain/scalars.js';

test('every measure is found by its id and by its name, in any case', () => {
  for (const measure of MEASURE_NAMES) {
    expect(measureNamed(measure)).toBe(measure);
    expect(measureNamed(MEASURES[measure].name.toUpperCase())).toBe(measure);
  }
  expect(measureNamed('weather')).toBeUndefined();
});

test('the default hysteresis is fixed, or a part of the threshold where values differ by orders of magnitude', () => {
  expect(defaultHysteresis('premium', decimal('-80'))).toBe('2');
  expect(defaultHysteresis('price', decimal('0.00005'))).toBe('0.000001');
  expect(defaultHysteresisWords('price')).toBe('2%');
});

test.each(THRESHOLD_MEASURES)('a rule on %s has its own range, and the refusal names it', (measure) => {
  const rule = (threshold: string) =>
    thresholdRuleSchema.safeParse({ when: 'above', measure, threshold, hysteresis: MEASURES[measure].threshold?.hysteresis.least });
  expect(rule(MEASURES[measure].threshold?.most ?? '').success).toBe(true);
  const { least, most, unit } = thresholdOf(measure);
  for (const part of [MEASURES[measure].name, written(decimal(least), unit), written(decimal(most), unit)])
    expect(rule('9e15').error?.issues[0]?.message).toContain(part);
});
