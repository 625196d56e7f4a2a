import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readable } from '../../src/charts/supported-text.js';
import { typeface } from '../../src/charts/typeface.js';

const face = typeface('regular');

test.each([
  ['Tidewater', 'Tidewater'],
  ['Ünïcode − 5 × “x” €', 'Ünïcode − 5 × “x” €'],
  ['Ｆｕｌｌ 𝓜𝓪𝓽𝓱 ﬁt', 'Full Math fit'],
  ['Moon 🚀🚀 shot', 'Moon shot'],
  ['👩‍🚀', '(symbols)'],
  ['月球 coin', '(Chinese) coin'],
  ['日本 語 トークン', '(Chinese)'],
  ['토큰', '(Korean)'],
  ['مرحبا', '(Arabic)'],
  ['a\u202e\u0000b\nc', 'ab c'],
  ['', ''],
])('%j is written as %j', (text, plain) => {
  expect(readable(text, face)).toBe(plain);
});

test('whatever a name holds, what is written has a glyph for each character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = readable(text, face);
      expect([...plain].filter((character) => !face.has(character))).toEqual([]);
      expect(text.trim() === '' || plain !== '' || /^[\s\p{C}\p{Variation_Selector}]*$/u.test(text.normalize('NFC'))).toBe(true);
    }),
  );
});
