/** Bundled fonts: a slim container has none. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The build copies them next to this module. */
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
/** TrueType, the only format resvg reads. */
export const fontFiles = (): readonly string[] => [FILES.regular(), FILES.bold()];
export const fontBytes = (weight: Weight): Buffer => readFileSync(FILES[weight]());
