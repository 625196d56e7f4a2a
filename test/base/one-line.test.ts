import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from '../../src/base/one-line.js';

test.each([
  ['Raise\n▲ TIDE rose above NAV', 'Raise ▲ TIDE rose above NAV'],
  ['a\r\nb\u2028c\td', 'a b c d'],
  ['\u202Egnp.exe\u0000\u001b[31m', 'gnp.exe[31m'],
  ['z\u0301\u0302\u0303\u0304\u0305\u0306', 'z\u0301\u0302\u0303\u0304'],
  ['👩‍🚀 and a\u200d\u200bb', '👩‍🚀 and ab'],
  ['\ud800', '\ufffd'],
])('%j is shown as %j', (text, shown) => {
  expect(oneLine(text)).toBe(shown);
});

test('whatever comes is one visible line, and stays as it is the second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = oneLine(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]/u);
      expect(oneLine(shown)).toBe(shown);
    }),
  );
});

test('plain text comes back as it is', () => {
  const plain = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join('');
  expect(oneLine(plain)).toBe(plain);
  expect([oneLine(`${plain}\u007f`), oneLine(`${plain}\n`), oneLine('')]).toEqual([plain, `${plain} `, '']);
});
