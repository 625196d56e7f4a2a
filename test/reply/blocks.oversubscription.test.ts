import { expect, test } from 'vitest';
import { decimal } from '../../src/domain/scalars.js';
import { oversubscription } from '../../src/reply/blocks.js';

test('a raise that took less than was committed is oversubscribed', () => {
  expect(oversubscription({ committed: decimal('300'), accepted: decimal('100') })).toBe('3');
});

test('a small difference is no oversubscription', () => {
  expect(oversubscription({ committed: decimal('109'), accepted: decimal('100') })).toBeUndefined();
});

test('without both amounts nothing is known', () => {
  expect(oversubscription({ committed: decimal('300') })).toBeUndefined();
  expect(oversubscription({ committed: decimal('300'), accepted: decimal('0') })).toBeUndefined();
});
