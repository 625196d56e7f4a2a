import { expect, test } from 'vitest';
import { createPictureCache } from '../../src/charts/pictures.js';

test('what is kept stays within its room', () => {
  const cache = createPictureCache(10);
  for (const key of ['a', 'b', 'c']) cache.put(key, new Uint8Array(4));
  expect([cache.get('a'), cache.get('b')?.length, cache.get('c')?.length]).toEqual([undefined, 4, 4]);
  cache.get('b');
  cache.put('d', new Uint8Array(4));
  expect([cache.get('c'), cache.get('b')?.length]).toEqual([undefined, 4]);
  cache.put('e', new Uint8Array(11));
  expect(cache.get('e')).toBeUndefined();
});
