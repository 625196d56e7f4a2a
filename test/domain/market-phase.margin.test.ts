import { expect, test } from 'vitest';
import { isPassing, marginOf, requirement, verdict } from '../../src/domain/market-phase.js';
import { decimal } from '../../src/domain/scalars.js';

const [two, limit, margin] = [decimal('2'), decimal('1.5'), decimal('0.4')];

test('a reported margin counts before a computed one, and neither is guessed', () => {
  expect(marginOf({ passEdge: two, threshold: limit, margin })).toBe('0.4');
  expect(marginOf({ passEdge: two, threshold: limit })).toBe('0.5');
  expect(marginOf({ passEdge: two })).toBeUndefined();
});

test('reaching the threshold is not passing it', () => {
  expect(['0', '0.01', '-0.01'].map((value) => isPassing(decimal(value)))).toEqual([false, true, false]);
});

test.each([
  ['live', '1.4', 'passing by 1.4 pts'],
  ['live', '-3.3', 'failing by 3.3 pts'],
  ['live', '0', 'failing by 0 pts'],
  ['live', undefined, 'live'],
  ['passed', '1.9', 'passed by 1.9 pts'],
  ['failed', '-1.9', 'failed by 1.9 pts'],
  ['passed', '-0.9', 'passed, margin −0.9 pts'],
] as const)('%s with a margin of %s: %s', (phase, value, words) => {
  expect(verdict(phase, value === undefined ? undefined : decimal(value))).toBe(words);
});

test.each([
  ['19', 'pass over 19.0% above fail'],
  ['0', 'pass above fail'],
  ['-4', 'pass less than 4.0% below fail'],
])('a threshold of %s percent says what the markets must do: %s', (threshold, words) => {
  expect(requirement(decimal(threshold))).toBe(words);
});
