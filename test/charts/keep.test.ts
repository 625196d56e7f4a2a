import { expect, test } from 'vitest';
import { createKeep } from '../../src/charts/keep.js';

test('what is kept stays within its room', () => {
  const keep = createKeep(10);
  for (const key of ['a', 'b', 'c']) keep.put(key, new Uint8Array(4));
  expect([keep.get('a'), keep.get('b')?.length, keep.get('c')?.length]).toEqual([undefined, 4, 4]);
  keep.get('b');
  keep.put('d', new Uint8Array(4));
  expect([keep.get('c'), keep.get('b')?.length]).toEqual([undefined, 4]);
  keep.put('e', new Uint8Array(11));
  expect(keep.get('e')).toBeUndefined();
});
