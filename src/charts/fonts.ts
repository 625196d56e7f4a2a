/** Reads glyphs and widths of the bundled fonts. They are bundled because a slim container has none. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Font, create } from 'fontkit';

const require = createRequire(import.meta.url);

/** The build copies the fonts next to this module. */
const FILES = {
  regular: () => beside('Inter_400Regular.ttf') ?? require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: () => beside('Inter_600SemiBold.ttf') ?? require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};
export type Weight = keyof typeof FILES;

function beside(name: string): string | undefined {
  const path = fileURLToPath(new URL(`fonts/${name}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

export const FAMILY = 'Inter';
/** Returns the font files: TrueType, the only format that resvg reads. */
export const fontFiles = (): readonly string[] => [FILES.regular(), FILES.bold()];
const fontBytes = (weight: Weight): Buffer => readFileSync(FILES[weight]());

export interface Typeface {
  has(character: string): boolean;
  /** Returns the width in pixels, without kerning. A missing character counts as "m". */
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

/** Returns the width as a fraction of the font size. */
const widthOf = (font: Font, character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return font.glyphForCodePoint(font.hasGlyphForCodePoint(code) ? code : 0x6d).advanceWidth / font.unitsPerEm;
};

let regular: Typeface | undefined;
let bold: Typeface | undefined;
export const typeface = (weight: Weight = 'regular'): Typeface =>
  weight === 'regular' ? (regular ??= readTypeface(fontBytes('regular'))) : (bold ??= readTypeface(fontBytes('bold')));
