/** Where the font files are. They come with the bot: a slim container has no fonts, and a picture without a font has no text. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'] as const;

/** The build puts the files beside this one; from the sources they are taken out of the package. */
function find(file: (typeof FILES)[number]): string {
  const beside = fileURLToPath(new URL(`fonts/${file.slice(file.indexOf('/') + 1)}`, import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`);
}

export const FAMILY = 'Inter';
/** Regular and semi-bold, as TrueType: the renderer reads no other form. */
export const fontFiles = (): readonly string[] => FILES.map(find);
/** The bytes of one weight. */
export const fontBytes = (weight: 'regular' | 'bold'): Buffer => readFileSync(find(FILES[weight === 'regular' ? 0 : 1]));
