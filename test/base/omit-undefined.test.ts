import { expect, test } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.js';

test('properties that are undefined are left out, and no others', () => {
  const value = { a: 1, b: undefined, c: null, d: 0, e: '', f: false };
  expect(Object.keys(omitUndefined(value))).toEqual(['a', 'c', 'd', 'e', 'f']);
  expect(Object.keys(value)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('only the outer properties count', () => {
  expect(Object.keys(omitUndefined({ inner: { a: undefined } }).inner)).toEqual(['a']);
});

test('a field that may be undefined becomes one that may be absent', () => {
  const replyTo: number | undefined = [7].find((id) => id > 9);
  const message: { readonly text: string; readonly replyTo?: number } = omitUndefined({ text: 'hi', replyTo });
  expect(message).toStrictEqual({ text: 'hi' });
});
