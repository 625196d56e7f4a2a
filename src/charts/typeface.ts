/**
 * Reads the glyphs and advance widths of a TrueType file: `head`, `hhea`, `hmtx`, and `cmap` formats 4 and 12
 * (https://learn.microsoft.com/typography/opentype/spec/cmap).
 */
import { fontBytes, type Weight } from './fonts.js';

export interface Typeface {
  has(character: string): boolean;
  /** Pixels at this size, without kerning (slightly too wide). A missing character counts as "m". */
  width(text: string, size: number): number;
}

/** Throws a `RangeError` for a truncated file. */
function readTypeface(bytes: Buffer): Typeface {
  const tables = new Map(
    Array.from({ length: bytes.readUInt16BE(4) }, (_, index) => {
      const entry = 12 + index * 16;
      return [bytes.toString('latin1', entry, entry + 4), bytes.readUInt32BE(entry + 8)] as const;
    }),
  );
  const table = (name: string): number => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`charts: the font has no table "${name}"; install the packages again`);
    return at;
  };
  const unitsPerEm = bytes.readUInt16BE(table('head') + 18);
  const widths = bytes.readUInt16BE(table('hhea') + 34);
  const hmtx = table('hmtx');
  const glyphs = charactersOf(bytes, table('cmap'));
  const advance = (glyph: number): number => bytes.readUInt16BE(hmtx + Math.min(glyph, widths - 1) * 4) / unitsPerEm;
  const unknown = advance(glyphs.get(0x6d) ?? 0);
  return {
    has: (character) => glyphs.has(character.codePointAt(0) ?? 0),
    width: (text, size) =>
      [...text].reduce((sum, character) => {
        const glyph = glyphs.get(character.codePointAt(0) ?? 0);
        return sum + (glyph === undefined ? unknown : advance(glyph)) * size;
      }, 0),
  };
}

/** Glyph index by code point. Format 12 entries override format 4. */
function charactersOf(bytes: Buffer, cmap: number): ReadonlyMap<number, number> {
  const subtables = Array.from({ length: bytes.readUInt16BE(cmap + 2) }, (_, index) => cmap + bytes.readUInt32BE(cmap + 4 + index * 8 + 4));
  const format = (at: number): number => bytes.readUInt16BE(at);
  const wide = subtables.find((at) => format(at) === 12);
  const narrow = subtables.find((at) => format(at) === 4);
  return new Map([...(narrow === undefined ? [] : segments(bytes, narrow)), ...(wide === undefined ? [] : groups(bytes, wide))]);
}

function* groups(bytes: Buffer, at: number): Generator<[number, number]> {
  for (let index = 0; index < bytes.readUInt32BE(at + 12); index += 1) {
    const group = at + 16 + index * 12;
    const [first, last, glyph] = [bytes.readUInt32BE(group), bytes.readUInt32BE(group + 4), bytes.readUInt32BE(group + 8)];
    for (let code = first; code <= last; code += 1) yield [code, glyph + code - first];
  }
}

function* segments(bytes: Buffer, at: number): Generator<[number, number]> {
  const length = bytes.readUInt16BE(at + 6);
  for (let offset = 0; offset < length; offset += 2) {
    const [last, first] = [bytes.readUInt16BE(at + 14 + offset), bytes.readUInt16BE(at + 16 + length + offset)];
    const delta = bytes.readUInt16BE(at + 16 + length * 2 + offset);
    const rangeAt = at + 16 + length * 3 + offset;
    const range = bytes.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const raw = range === 0 ? code : bytes.readUInt16BE(rangeAt + range + (code - first) * 2);
      const glyph = raw === 0 ? 0 : (raw + delta) % 0x1_0000;
      if (glyph !== 0) yield [code, glyph];
    }
  }
}

let regular: Typeface | undefined;
let bold: Typeface | undefined;
/** The bundled font, read once. */
export const typeface = (weight: Weight = 'regular'): Typeface =>
  weight === 'regular' ? (regular ??= readTypeface(fontBytes('regular'))) : (bold ??= readTypeface(fontBytes('bold')));
