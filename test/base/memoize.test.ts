import { expect, test } from 'vitest';
import { memoize } from '../../src/base/memoize.js';

test('what comes of an object is worked out once for each object, also where nothing comes of it', () => {
  let runs = 0;
  const lengthOf = memoize((list: readonly number[]) => {
    runs += 1;
    return list.length === 0 ? undefined : list.length;
  });
  const [none, two] = [[], [1, 2]];
  expect([lengthOf(none), lengthOf(two), lengthOf(none), lengthOf(two)]).toEqual([undefined, 2, undefined, 2]);
  expect(runs).toBe(2);
  expect(lengthOf([1, 2])).toBe(2);
  expect(runs).toBe(3);
});
