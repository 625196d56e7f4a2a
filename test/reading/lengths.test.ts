import { expect, test } from 'vitest';
import { daysIn, lengthFrom, lengthPattern, lengthUnit, minutesIn, shortLength, type LengthUnit } from '../../src/reading/lengths.js';

const lengthIn = (text: string, m: 'minutes' | 'months', units?: readonly LengthUnit[]) => {
  const found = new RegExp(String.raw`\b${lengthPattern(units)}\b`, 'iu').exec(text);
  return found === null ? undefined : lengthFrom(found.slice(1), { m });
};

test.each([
  ['for 2 hours', 120, '2h'],
  ['1.5 days', 2_160, '1.5d'],
  ['90min', 90, '90min'],
  ['a week', 10_080, '1w'],
  ['an hour', 60, '1h'],
  ['a couple of days', 2_880, '2d'],
  ['few more weeks', 30_240, '3w'],
  ['6-mo', 259_200, '6mo'],
  ['3 yrs', 1_576_800, '3y'],
])('"%s" lasts %d minutes and is written "%s"', (text, minutes, short) => {
  const length = lengthIn(text, 'minutes');
  expect(length && [minutesIn(length), shortLength(length)]).toEqual([minutes, short]);
});

test('whoever asks says whether a single "m" is a minute or a month', () => {
  expect([lengthIn('3m', 'minutes'), lengthIn('3m', 'months')]).toEqual([
    { count: 3, unit: 'minutes' },
    { count: 3, unit: 'months' },
  ]);
  expect(lengthUnit('m')).toBeUndefined();
});

test('"and" is no day, and a unit that is not asked for is no length', () => {
  expect(lengthIn('tide and heron', 'minutes')).toBeUndefined();
  expect(lengthIn('2 weeks', 'minutes', ['minutes', 'hours', 'days'])).toBeUndefined();
});

test('a quarter has 91 days', () => {
  expect(daysIn({ count: 1, unit: 'quarters' })).toBe(91);
});
