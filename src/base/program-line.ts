/** Writes the command lines that start the bot and its other programs, for hints. */
import { fileURLToPath } from 'node:url';

export type Program = 'start' | 'ask' | 'doctor' | 'export' | 'import' | 'key' | 'login' | 'mcp';

const HERE = new URL('../', import.meta.url).href;

/** Tells whether the bot runs from an installed package. Its npm scripts cannot be called then, because npm uses those of the current folder. */
export const isInstalled = (home = HERE): boolean => home.includes('/node_modules/');

/** Returns the line that starts a program: an npm script in a checkout, else Node with the file. `home` is the folder `src`. */
export function programLine(name: Program, args = '', home = HERE): string {
  if (isInstalled(home)) {
    const file = fileURLToPath(new URL(name === 'start' ? 'main.js' : `cli/${name}.js`, home));
    return `node ${/^[\w./\\:@+-]+$/u.test(file) ? file : JSON.stringify(file)}${args === '' ? '' : ` ${args}`}`;
  }
  if (name === 'start') return 'npm start';
  return `npm run --silent ${name}${args === '' ? '' : ` -- ${args}`}`;
}
