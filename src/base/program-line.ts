/** How to start the bot and the programs beside it, as a hint names it. */
import { fileURLToPath } from 'node:url';

export type Program = 'start' | 'ask' | 'doctor' | 'export' | 'import' | 'key' | 'login' | 'mcp';

const HERE = new URL('../', import.meta.url).href;

/** npm knows the scripts of the folder that it is called in, and an installed package is in another one. */
export const isInstalled = (home = HERE): boolean => home.includes('/node_modules/');

/** The line that starts a program: an npm script in a checkout, the file with Node from an installed package. `home` is the folder `src`. */
export function programLine(name: Program, args = '', home = HERE): string {
  if (isInstalled(home)) {
    const file = fileURLToPath(new URL(name === 'start' ? 'main.js' : `cli/${name}.js`, home));
    return `node ${/^[\w./\\:@+-]+$/u.test(file) ? file : JSON.stringify(file)}${args === '' ? '' : ` ${args}`}`;
  }
  if (name === 'start') return 'npm start';
  return `npm run --silent ${name}${args === '' ? '' : ` -- ${args}`}`;
}
