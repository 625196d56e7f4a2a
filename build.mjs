/**
 * Compiles `src` and `commands` into `dist` and copies what is not TypeScript beside it. `dist` is emptied first: commands are found
 * by scanning a folder, so a stale file or folder would come back as a command. `--if-changed` keeps a build made from these very files, so
 * that a restart does not wait for the compiler.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

process.chdir(import.meta.dirname);
const STAMP = join('dist', '.built-from');

const sources = ['src', 'commands'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
);

/** What this build is made from: a file added, removed or changed changes the text. */
const stamp = [...sources, 'build.mjs', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  .map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}\n`)
  .toSorted()
  .join('');

const FONTS = join('node_modules', '@expo-google-fonts', 'inter');

const current = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp;
if (!process.argv.includes('--if-changed') || !current) build();

function build() {
  rmSync('dist', { recursive: true, force: true });
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write('build: the compiler refused; nothing was built.\n');
    process.exit(1);
  }
  for (const file of sources.filter((name) => !name.endsWith('.ts') && basename(name) !== 'tsconfig.json'))
    cpSync(file, join('dist', file));
  copyFonts(join('dist', 'src', 'charts', 'fonts'));
  // Written last: a build that was interrupted has no stamp and is made again.
  writeFileSync(STAMP, stamp);
}

/** The pictures' font travels with the build, its licence beside it: a slim machine has no fonts at all. */
function copyFonts(to) {
  mkdirSync(to, { recursive: true });
  for (const file of ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf', 'LICENSE_FONT'])
    cpSync(join(FONTS, file), join(to, basename(file)));
}
