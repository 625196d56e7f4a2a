import Fuse from 'fuse.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nearest } from '../../src/reply/options.js';

test('a mistyped word is near the words that it may have been, the nearest first', () => {
  const words = ['events', 'chart', 'summary', 'event'];
  expect(nearest('evnts', words)[0]).toBe('events');
  expect(nearest('summry', words)).toEqual(['summary']);
  expect(nearest('xyzzy', words)).toEqual([]);
});

test('words that are much shorter are not searched, and a search of none is not begun', () => {
  const search = vi.spyOn(Fuse.prototype, 'search');
  onTestFinished(() => search.mockRestore());
  expect(nearest('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd', ['berlin', 'new york', 'tokyo'])).toEqual([]);
  expect(search).not.toHaveBeenCalled();
  expect(nearest('berlim', ['berlin', 'bo'])).toEqual(['berlin']);
  expect(search).toHaveBeenCalledTimes(1);
});
