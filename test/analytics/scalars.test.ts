import { expect, test } from 'vitest';
import { attempt, count, UNREADABLE, words } from '../../src/analytics/scalars.js';

test('a title that breaks its line or turns the reading direction comes in as one visible line', () => {
  expect(words.parse(' Fund the audit\n▼ TIDE fell below NAV \u202E')).toBe('Fund the audit ▼ TIDE fell below NAV');
});

test.each(['', ' \n ', '\u200b\u202e'])('words that show nothing are none: %j', (text) => {
  expect(words.safeParse(text).success).toBe(false);
});

test('a schema that refines another one keeps its own check, whichever is read first', () => {
  const even = count.refine((value) => value % 2 === 0);
  expect(attempt(count, '3')).toBe(3);
  expect(attempt(even, '3')).toBe(UNREADABLE);
  expect(attempt(even, '4')).toBe(4);
});
