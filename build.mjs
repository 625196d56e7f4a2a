/**
 * Compiles `src` and `commands` into `dist` and copies what is not TypeScript beside it. `dist` is emptied first: commands are found
 * by scanning a folder, so a stale file or folder would come back as a command. `--if-changed` keeps a build made from these very files, so
 * that a restart does not wait for the compiler.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

process.chdir(import.meta.dirname);
// An installed package has the build and no sources, and npm calls this file before it starts something there.
if (!existsSync('src')) process.exit(0);
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

/** What a package needs only to be installed, beside what it runs with: npm's own old build tools, which have known faults. */
const INSTALL_ONLY = { sqlite3: ['node-addon-api', 'node-gyp', 'prebuild-install', 'tar'] };

const current = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp;
if (process.argv.includes('--runtime')) leaveRuntime();
else if (!process.argv.includes('--if-changed') || !current) build();

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
  fitReader();
  // Written last: a build that was interrupted has no stamp and is made again.
  writeFileSync(STAMP, stamp);
}

/** The reader of plain words is fitted to the commands' phrases here, so that no process has to do it when somebody first asks. */
function fitReader() {
  const { status } = spawnSync(process.execPath, [join('dist', 'src', 'cli', 'fit-reader.js')], { stdio: 'inherit' });
  if (status === 0) return;
  process.stderr.write('build: the reader of plain words could not be fitted; nothing was built.\n');
  process.exit(1);
}

/** The pictures' font travels with the build, its licence beside it: a slim machine has no fonts at all. */
function copyFonts(to) {
  mkdirSync(to, { recursive: true });
  for (const file of ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf', 'LICENSE_FONT'])
    cpSync(join(FONTS, file), join(to, basename(file)));
}

/** Leaves in `node_modules` the packages that the bot runs with, for an image; the manifests then name no others, so that npm lists them as they are. */
function leaveRuntime() {
  if (existsSync('.git')) {
    process.stderr.write('build: --runtime changes package.json and package-lock.json, so it is for a copy and not for a checkout.\n');
    process.exit(1);
  }
  change('package.json', (manifest) => delete manifest.devDependencies);
  change('package-lock.json', ({ packages }) => {
    delete packages[''].devDependencies;
    for (const name of Object.keys(INSTALL_ONLY)) forget(packages[`node_modules/${name}`], INSTALL_ONLY[name]);
  });
  for (const name of Object.keys(INSTALL_ONLY))
    change(`node_modules/${name}/package.json`, (manifest) => forget(manifest, INSTALL_ONLY[name]));
  // npm's list of what is installed, which is older than these changes.
  rmSync('node_modules/.package-lock.json', { force: true });
  const { status } = spawnSync('npm', ['prune', '--omit=dev', '--no-audit', '--no-fund'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function forget(manifest, names) {
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies']) for (const name of names) delete manifest[kind]?.[name];
}

/** Replaces the file, because `node_modules` may share it with others by a hard link. */
function change(file, edit) {
  const read = JSON.parse(readFileSync(file, 'utf8'));
  edit(read);
  writeFileSync(`${file}.new`, `${JSON.stringify(read, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
