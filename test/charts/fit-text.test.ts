import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typeface } from '../../src/charts/typeface.js';
import { fit, shorten, wrap } from '../../src/charts/fit-text.js';

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
