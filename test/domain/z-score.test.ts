import { expect, test } from 'vitest';
import { DAY, instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { divide, roundTo, subtract } from '../../src/domain/decimal.js';
import { yearSpreadOf, zScoreOf } from '../../src/domain/z-score.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const daily = (values: readonly number[]) =>
  values.map((value, index) => ({ at: instant(NOW - (index + 1) * DAY), value: decimal(value) }));
const swinging = daily(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 9 : 11)));
const at = (value: string) => ({ at: NOW, value: decimal(value) });

test('it counts standard deviations from the mean of the year before', () => {
  expect(roundTo(zScoreOf(at('13'), swinging)!, 2)).toBe('2.96');
  expect(roundTo(zScoreOf(at('7'), swinging)!, 2)).toBe('-2.96');
  expect(zScoreOf(at('10'), swinging)).toBe('0');
});

test('what lies ahead or more than a year back does not count', () => {
  const others = [
    { at: NOW, value: decimal('900') },
    { at: instant(NOW + DAY), value: decimal('900') },
    { at: instant(NOW - 366 * DAY), value: decimal('900') },
  ];
  expect(zScoreOf(at('13'), [...others, ...swinging])).toBe(zScoreOf(at('13'), swinging));
});

test('a short history and one that never moved say nothing', () => {
  expect(zScoreOf(at('13'), swinging.slice(0, 29))).toBeUndefined();
  expect(zScoreOf(at('13'), swinging.slice(0, 30))).toBeDefined();
  expect(zScoreOf(at('13'), daily(Array.from({ length: 40 }, () => 10)))).toBeUndefined();
  expect(zScoreOf(at('13'), [])).toBeUndefined();
});

test('one history answers each moment and each value by itself', () => {
  const [first, earlier] = [zScoreOf(at('13'), swinging), { at: instant(NOW - 20 * DAY), value: decimal('13') }];
  expect(zScoreOf(earlier, swinging)).toBeUndefined();
  expect(zScoreOf(at('7'), swinging)).not.toBe(first);
  expect(zScoreOf(at('13'), swinging)).toBe(first);
});

test('while time goes by, the year before is the one of each moment', () => {
  const history = [...swinging, { at: instant(NOW - 364 * DAY), value: decimal('500') }, { at: NOW, value: decimal('40') }];
  for (const days of [0, 0.5, 1, 1.5, 2, 30]) {
    const moment = { at: instant(NOW + days * DAY), value: decimal('13') };
    expect([days, zScoreOf(moment, history)]).toEqual([days, zScoreOf(moment, [...history])]);
  }
});

test('the mean, the deviation and the number of values that it compares with give the z-score again', () => {
  const { mean, deviation, count } = yearSpreadOf(at('13'), swinging)!;
  expect(count).toBe(40);
  expect(divide(subtract(decimal('13'), mean), deviation)).toBe(zScoreOf(at('13'), swinging));
  expect(yearSpreadOf(at('13'), swinging.slice(0, 29))).toBeUndefined();
});
