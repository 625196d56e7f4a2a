/** Where the font files are. They come with the bot: a slim container has no fonts, and a picture without a font has no text. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The build puts the files beside this one; from the sources they are taken out of the package. */
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
/** Regular and semi-bold, as TrueType: the renderer reads no other form. */
export const fontFiles = (): readonly string[] => [FILES.regular(), FILES.bold()];
/** The bytes of one weight. */
export const fontBytes = (weight: Weight): Buffer => readFileSync(FILES[weight]());
