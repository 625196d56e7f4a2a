import { expect, test } from 'vitest';
import { DEFAULT_PRESET, presetRules } from '../../../src/alerts/rules/presets.js';
import { DAY, HOUR, instant, later } from '../../../src/base/clock.js';
import { backWords } from '../../../src/domain/crossing-words.js';
import { decimal } from '../../../src/domain/scalars.js';
import { crossedAfter, withDayChanges } from '../../../src/jobs/digest/threshold-events.js';

const TO = instant(Date.UTC(2026, 10, 20, 9));
const FROM = later(TO, -DAY);
const { thresholds: rules } = presetRules(DEFAULT_PRESET, 'treasury');

const point = (hours: number, runway: string, allowance: string) => ({
  at: later(FROM, hours * HOUR),
  values: { runway: decimal(runway), allowance: decimal(allowance) },
});
const crossed = (...points: readonly ReturnType<typeof point>[]) =>
  crossedAfter(points, { rules, history: {}, after: FROM }).map(({ point: { at }, crossing: { rule, was, now } }) => [
    (at - FROM) / HOUR,
    `${rule.measure} ${was.value} ${now.value}`,
  ]);

test('a runway that becomes short and a new allowance are found with the value before, in any order of the points', () => {
  const points = [point(-3, '8', '100'), point(3, '8', '120'), point(6, '5', '120')];
  const found = [
    [3, 'allowance 100 120'],
    [6, 'runway 8 5'],
  ];
  expect(crossed(...points)).toEqual(found);
  expect(crossed(...points.toReversed(), ...points)).toEqual(found);
});

test('the first known value crosses nothing, nor does what is short since before the period', () => {
  expect(crossed(point(3, '5', '100'))).toEqual([]);
  expect(crossed(point(-9, '8', '100'), point(-3, '5', '100'), point(3, '4', '100'))).toEqual([]);
});

test('a crossing that is over by the time of the digest comes with its return, and one that lasts without', () => {
  const backs = (...points: readonly ReturnType<typeof point>[]) =>
    crossedAfter(points, { rules, history: {}, after: FROM }).map(({ back }) => back && backWords(back));
  expect(backs(point(-3, '8', '100'), point(6, '5', '100'), point(9, '4', '100'), point(12, '9', '100'))).toEqual([
    'Back above 6 months after 6 h, low 4 months',
  ]);
  expect(backs(point(-3, '8', '100'), point(6, '5', '100'), point(9, '4', '100'))).toEqual([undefined]);
});

test('a rule on the change over 24 h is judged on the prices, and a price without one of the day before has no change', () => {
  const limit = { when: 'below', measure: 'price24h', threshold: decimal('-15'), hysteresis: decimal('2') } as const;
  const priced = (hours: number, price: string) => ({ at: later(FROM, hours * HOUR), values: { price: decimal(price) } });
  const points = withDayChanges([priced(-72, '1.5'), priced(-24, '1'), priced(0, '1.02'), priced(12, '0.5'), priced(24, '0.8')], [limit]);
  expect(points.map(({ values }) => ('price24h' in values ? values.price24h : undefined))).toMatchObject([
    undefined,
    undefined,
    '2',
    undefined,
    /-21.56/u,
  ]);
  expect(crossedAfter(points, { rules: [limit], history: {}, after: FROM }).map(({ point: { at } }) => (at - FROM) / HOUR)).toEqual([24]);
});
