import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LARGEST_FILE, UnreadableFile } from '../../src/chat/inbound.js';
import { textOfFile, tooLargeSays } from '../../src/platforms/attachments.js';

const bytes = (...codes: readonly number[]) => Uint8Array.from(codes);

test('any text comes back as it was saved', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\u0000') && !text.startsWith('\ufeff'));
      expect(textOfFile('list.json', new TextEncoder().encode(text))).toBe(text);
    }),
  );
});

test('a byte order mark is no part of the text', () => {
  expect(textOfFile('list.txt', bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('a');
});

test.each([
  ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9)],
  ['UTF-16', bytes(0xff, 0xfe, 0x61, 0x00)],
  ['UTF-16 of plain letters without a mark', bytes(0x61, 0x00, 0x62, 0x00)],
  ['a picture', bytes(0x89, 0x50, 0x4e, 0x47)],
])('%s is no text in UTF-8, and the remedy is named', (_what, content) => {
  expect(() => textOfFile('list.txt', content)).toThrow(
    new UnreadableFile("list.txt isn't plain text in UTF-8. Save it as such and send it again."),
  );
});

test('the largest file is read, one byte more is refused with the limit', () => {
  expect(textOfFile('a.txt', new Uint8Array(LARGEST_FILE).fill(0x61))).toHaveLength(LARGEST_FILE);
  expect(() => textOfFile('a.txt', new Uint8Array(LARGEST_FILE + 1).fill(0x61))).toThrow(
    'a.txt is too large: it has 257 KB, and 256 KB is the most. Split it and send the parts one after another.',
  );
  expect(tooLargeSays('a.txt', LARGEST_FILE)).toBeUndefined();
});
