import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typeface } from '../../src/charts/fonts.js';
import { fit, readable, shorten, wrap } from '../../src/charts/text.js';

const face = typeface('regular');

test('lines are no wider than their room, and no word is lost while there are lines', () => {
  const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9]{1,12}$/u), { minLength: 1, maxLength: 30 }).map((all) => all.join(' '));
  fc.assert(
    fc.property(words, (text) => {
      const lines = wrap(text, { face, size: 22, room: 340 });
      expect(lines.every((line) => face.width(line, 22) <= 340)).toBe(true);
      expect(lines.join(' ')).toBe(text);
    }),
  );
  expect(shorten('much too long for this', { face, size: 22, room: 100 })).toMatch(/^much.*…$/u);
  expect(
    fit('w '.repeat(400).trim(), {
      face,
      room: 300,
      settings: [
        [30, 1],
        [20, 2],
      ],
    }),
  ).toMatchObject({ size: 20, lines: [expect.any(String), expect.stringMatching(/…$/u)] });
});

test('widths are those of the font, and bold is wider', () => {
  expect(face.width('iii', 100)).toBeLessThan(face.width('mmm', 100) / 2);
  expect(typeface('bold').width('Tidewater', 100)).toBeGreaterThan(face.width('Tidewater', 100));
  expect(face.width('', 22)).toBe(0);
});

test('a number is not parted from its unit', () => {
  for (let room = 80; room < 400; room += 10)
    for (const line of wrap('TIDE trades 17.2% below NAV, with $5.77M in the treasury', { face, size: 22, room }))
      expect(line).not.toMatch(/^[%M]/u);
});

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
