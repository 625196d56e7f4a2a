/** Glyphs and advance widths of the bundled fonts. */
import { create, type Font } from 'fontkit';
import { fontBytes, type Weight } from './fonts.js';

export interface Typeface {
  has(character: string): boolean;
  /** In pixels, without kerning. A missing character counts as "m". */
  width(text: string, size: number): number;
}

function readTypeface(bytes: Buffer): Typeface {
  const font = create(bytes);
  if (!('glyphForCodePoint' in font)) throw new Error('charts: the font file is a collection; install the packages again');
  const widths = new Map<string, number>();
  const width = (character: string): number => {
    const known = widths.get(character) ?? widthOf(font, character);
    widths.set(character, known);
    return known;
  };
  return {
    has: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    width: (text, size) => [...text].reduce((sum, character) => sum + width(character) * size, 0),
  };
}

/** In parts of the font size. */
const widthOf = (font: Font, character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return font.glyphForCodePoint(font.hasGlyphForCodePoint(code) ? code : 0x6d).advanceWidth / font.unitsPerEm;
};

let regular: Typeface | undefined;
let bold: Typeface | undefined;
export const typeface = (weight: Weight = 'regular'): Typeface =>
  weight === 'regular' ? (regular ??= readTypeface(fontBytes('regular'))) : (bold ??= readTypeface(fontBytes('bold')));
