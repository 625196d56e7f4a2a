/** One plain file for Node from a TypeScript program of the tests: it starts in a third of the time that its modules take one by one. */
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/navwatch/', import.meta.url));

/** Resolves with where the bundle of this program stands. Packages are part of it, except sqlite3, which is native. */
export async function bundled(program: URL): Promise<string> {
  const input = fileURLToPath(program);
  const bundle = await rolldown({ input, platform: 'node', external: ['sqlite3'], resolve: { extensionAlias: { '.js': ['.ts', '.js'] } } });
  // Renamed when whole, because the other worker may start the same program.
  const unfinished = join(FOLDER, `${randomUUID()}.mjs`);
  await bundle.write({ file: unfinished, format: 'esm', codeSplitting: false });
  await bundle.close();
  const file = join(FOLDER, `${basename(input, '.ts')}.mjs`);
  await rename(unfinished, file);
  return file;
}
