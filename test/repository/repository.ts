/** The repository's own files, for the tests that are about the repository. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What Git ignores too: made or fetched, never written by us. */
const NOT_OURS = /^(node_modules|dist|data|coverage|\.git|\.env|.+\.log)$/;

/** Every file, with `/` between its parts and without a leading one. */
export const files: readonly string[] = walk(ROOT);

/** The source files of these folders, JavaScript of the page included. */
export const sources = (...folders: readonly string[]): readonly string[] =>
  files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)) && /\.(ts|js|mjs)$/.test(file));

/** The file of every command, by the command's name: `commands/x.ts`, or `commands/x/index.ts` where it has a folder. */
export const commandFiles: ReadonlyMap<string, string> = new Map(
  files.flatMap((file): (readonly [string, string])[] => {
    const name = /^commands\/([^/]+?)(?:\/index)?\.ts$/u.exec(file)?.[1];
    return name === undefined ? [] : [[name, file]];
  }),
);

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function walk(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.test(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [relative(ROOT, path).split(sep).join('/')];
    })
    .toSorted();
}
