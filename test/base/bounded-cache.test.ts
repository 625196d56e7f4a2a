import { expect, test } from 'vitest';
import { boundedCache, memoize, RecentMap } from '../../src/base/bounded-cache.js';

/** A memory of so many results, and the keys that were computed, in order. */
function counting(size: number) {
  const computed: unknown[] = [];
  const known = boundedCache<string>(size);
  const ask = (key: unknown): string =>
    known(key, () => {
      computed.push(key);
      return `of ${String(key)}`;
    });
  return { ask, computed };
}

test('a result is computed once while it is remembered', () => {
  const { ask, computed } = counting(3);
  expect(['a', 'b', 'a', 'a', 'b'].map(ask)).toEqual(['of a', 'of b', 'of a', 'of a', 'of b']);
  expect(computed).toEqual(['a', 'b']);
});

test('a result that is undefined is remembered, too', () => {
  const known = boundedCache<undefined>(2);
  let computed = 0;
  for (let time = 0; time < 3; time += 1) known('key', () => void (computed += 1));
  expect(computed).toBe(1);
});

test('beyond its size the oldest result goes, and one that was used since is spared', () => {
  const { ask, computed } = counting(3);
  for (const key of ['a', 'b', 'c', 'a', 'd']) ask(key);
  expect(computed).toEqual(['a', 'b', 'c', 'd']);
  for (const key of ['a', 'c', 'd']) ask(key);
  expect(computed).toEqual(['a', 'b', 'c', 'd']);
  ask('b');
  expect(computed).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('it never holds more than its size, also where every result was used', () => {
  const { ask, computed } = counting(3);
  for (const key of ['a', 'b', 'c', 'a', 'b', 'c', 'd']) ask(key);
  // Of the four at most three are known, so asking for all of them computes one again.
  for (const key of ['d', 'c', 'b', 'a']) ask(key);
  expect(computed.length).toBe(5);
});

test('a computation that fails leaves nothing behind', () => {
  const known = boundedCache<string>(2);
  expect(() =>
    known('key', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(known('key', () => 'yes')).toBe('yes');
});

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

test('a recent map keeps the values that were set last, each under its latest place', () => {
  const recent = new RecentMap<string, number>(2);
  recent.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...recent]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
  recent.delete('a');
  recent.set('d', 5);
  expect([...recent.keys()]).toEqual(['c', 'd']);
});
