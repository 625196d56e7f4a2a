/** `npm run trace -- "/premium tide"`: the files that a line of chat runs through on Telegram, in the order of their first function. `mint`: until its alert. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const [line = '/premium tide', ...rest] = process.argv.slice(2);
if (rest.length > 0) {
  console.error('npm run trace takes one line of chat in quotes, as "/premium tide", or the word mint.');
  process.exit(2);
}
const { status } = spawnSync('vitest', ['run', '--config', 'test/trace/vitest.config.ts', '--silent=false'], {
  stdio: 'inherit',
  env: { ...process.env, TRACE: line },
});
process.exitCode = status ?? 1;
