import { expect, test } from 'vitest';
import { both, either } from '../../src/base/sentence-lists.js';

test('several things read as one breath says them', () => {
  const things = [['a'], ['a', 'b'], ['a', 'b', 'c']];
  expect(things.map(either)).toEqual(['a', 'a or b', 'a, b or c']);
  expect(things.map(both)).toEqual(['a', 'a and b', 'a, b and c']);
  expect(either([])).toBe('');
});
