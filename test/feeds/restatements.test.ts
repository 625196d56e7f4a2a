import { expect, test } from 'vitest';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { correctedAgain, isCorrectionDue, keptRestatements, versionOf } from '../../src/feeds/restatements.js';
import { NOON } from './reading.js';

test('the pause after a correction doubles with each, from five minutes to two weeks', () => {
  const pauseAfter = (times: number): number => {
    let minutes = 0;
    while (!isCorrectionDue({ times, at: NOON }, later(NOON, minutes * MINUTE))) minutes += 5;
    return minutes;
  };
  expect([1, 2, 3, 4].map(pauseAfter)).toEqual([5, 10, 20, 40]);
  expect([pauseAfter(13), pauseAfter(14), pauseAfter(500)]).toEqual([5 * 2 ** 12, 5 * 2 ** 12, 5 * 2 ** 12]);
  expect(isCorrectionDue(undefined, NOON)).toBe(true);
});

test('a clock that was set back holds no correction up until it has caught up', () => {
  expect([isCorrectionDue({ times: 9, at: later(NOON, HOUR) }, NOON), isCorrectionDue({ times: 1, at: NOON }, NOON)]).toEqual([
    true,
    false,
  ]);
});

test('the same correction again is another one, counted from the last', () => {
  const first = correctedAgain(undefined, NOON);
  expect([first, correctedAgain(first, later(NOON, HOUR))]).toEqual([
    { times: 1, at: NOON },
    { times: 2, at: later(NOON, HOUR) },
  ]);
  expect([versionOf('a>b', undefined), versionOf('a>b', first)]).toEqual(['a>b', 'a>b#1']);
});

test('only values that are still remembered stay', () => {
  const all = new Map([
    ['a', { times: 1, at: NOON }],
    ['b', { times: 2, at: NOON }],
  ]);
  expect(keptRestatements(all, (key) => key === 'b')).toEqual({ b: { times: 2, at: NOON } });
  expect([keptRestatements(all, () => false), keptRestatements(new Map(), () => true)]).toEqual([undefined, undefined]);
});
