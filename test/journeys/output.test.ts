import { spawnSync, type StdioOptions } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { compiledBot } from '../support/child/bundle.js';
import { ask, startMain } from './process.js';

const health = z.object({ ok: z.boolean(), droppedLogLines: z.int() });
const started: ReturnType<typeof startMain>[] = [];
let main: string;
const start = (stdio: StdioOptions, env: Readonly<Record<string, string>> = {}) => {
  const bot = startMain(main, stdio, env);
  started.push(bot);
  return bot;
};

beforeAll(async () => {
  const bot = await compiledBot();
  ({ main } = bot);
  return async () => rm(bot.folder, { recursive: true });
});

afterEach(async () => {
  for (const { child, exit } of started.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
});

async function healthAt(url: string) {
  return health.parse(await (await fetch(`${url}/healthz`)).json());
}

test('--help prints the usage and starts no bot, and an unknown argument is refused', () => {
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 120_000 });
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: navwatch'), stderr: '' });
  expect(run('--bogus')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('no argument "--bogus"') });
});

test('a full log disk does not end the bot, nor does standard output that nobody reads; health and /status count the dropped lines', async () => {
  const full = await open('/dev/full', 'w');
  const bot = start(['ignore', 'pipe', full.fd]);
  const url = await bot.url(bot.child.stdout);
  bot.child.stdout?.destroy();
  expect(await ask(url, '/premium tide')).toContain('TIDE');
  const { ok, droppedLogLines } = await healthAt(url);
  expect(ok).toBe(true);
  expect(droppedLogLines).toBeGreaterThan(0);
  expect(await ask(url, '/status')).toMatch(/Log lines are being lost\.[\s\S]*log ⚠ \d+ lines? lost: .*disk/u);
  expect(await bot.stop()).toBe(0);
  await full.close();
});

test('a log that nobody reads does not end the bot, nor does a full disk under standard output', async () => {
  const full = await open('/dev/full', 'w');
  const bot = start(['ignore', full.fd, 'pipe']);
  const url = await bot.url(bot.child.stderr);
  bot.child.stderr?.destroy();
  await healthAt(url);
  await ask(url, '/premium tide');
  expect(await ask(url, '/status')).toMatch(/log ⚠ \d+ lines? lost: its reader/u);
  expect(await bot.stop()).toBe(0);
  await full.close();
});

const PLANTED = 'planted-secret/of the+store';
/** Fails when it is told to, with all that it was given in the error. */
const FAILING = `process.once('SIGUSR2', () => {
  const { CONSOLE_TOKEN: token } = process.env;
  const error = Object.assign(new Error('broken ' + token, { cause: new Error(encodeURIComponent(token)) }), { headers: { authorization: btoa('u:' + token) } });
  Promise.reject(error);
})`;
const isShown = (said: string): boolean =>
  [PLANTED, encodeURIComponent(PLANTED), btoa(`u:${PLANTED}`).slice(4, 24)].some((form) => said.includes(form));

test('an error that nobody foresaw ends the bot, and what is printed has no secret', async () => {
  const preload = `--import=data:text/javascript,${encodeURIComponent(FAILING)}`;
  const bot = start(['ignore', 'pipe', 'pipe'], { CONSOLE_TOKEN: PLANTED, NODE_OPTIONS: preload });
  const errors = bot.written();
  await bot.url(bot.child.stdout);
  bot.child.kill('SIGUSR2');
  const said = await errors;
  expect(await bot.exit).toBe(1);
  expect(said).toContain('Error: broken [redacted]');
  expect(isShown(said)).toBe(false);
});
