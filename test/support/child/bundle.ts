/** Plain JavaScript for child processes: they start in a fifth of the time that compiling each module at its import takes. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type InputOptions } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'node_modules/.cache/navwatch/');
const COMMON: InputOptions = { platform: 'node', resolve: { extensionAlias: { '.js': ['.ts', '.js'] } } };

/** Resolves with where the bundle of this program stands. Packages are part of it, except sqlite3, which is native. */
export async function bundled(program: URL): Promise<string> {
  const input = fileURLToPath(program);
  const bundle = await rolldown({ ...COMMON, input, external: ['sqlite3'] });
  // Renamed when whole, because the other worker may start the same program.
  const unfinished = join(FOLDER, `${randomUUID()}.mjs`);
  await bundle.write({ file: unfinished, format: 'esm', codeSplitting: false });
  await bundle.close();
  const file = join(FOLDER, `${basename(input, '.ts')}.mjs`);
  await rename(unfinished, file);
  return file;
}

const PLATFORMS = 'src/platforms';

/** Resolves with the program of the bot in a new folder below `FOLDER`, file by file: commands are found by scanning a folder. */
export async function compiledBot(): Promise<{ readonly folder: string; readonly main: string }> {
  const commands = await readdir(join(ROOT, 'commands'), { withFileTypes: true });
  const programs = [
    ...['src/main', 'src/charts/worker'],
    ...commands.map((entry) => (entry.isDirectory() ? `commands/${entry.name}/index` : `commands/${basename(entry.name, '.ts')}`)),
  ];
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, 'bot-'));
  const bundle = await rolldown({
    ...COMMON,
    input: Object.fromEntries(programs.map((name) => [name, join(ROOT, `${name}.ts`)])),
    external: /^[^./]/u,
  });
  await bundle.write({ dir: folder, format: 'esm', preserveModules: true, preserveModulesRoot: ROOT });
  await bundle.close();
  for (const { name } of (await readdir(join(ROOT, PLATFORMS), { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    const page = join(PLATFORMS, name, 'page');
    if (existsSync(join(ROOT, page))) await cp(join(ROOT, page), join(folder, page), { recursive: true });
  }
  return { folder, main: join(folder, 'src/main.js') };
}
