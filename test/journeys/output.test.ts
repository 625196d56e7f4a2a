import { open } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ask, startMain } from './process.js';

const health = z.object({ ok: z.boolean(), droppedLogLines: z.int() });
const started: ReturnType<typeof startMain>[] = [];
const start = (...stdio: Parameters<typeof startMain>) => {
  const bot = startMain(...stdio);
  started.push(bot);
  return bot;
};

afterEach(async () => {
  for (const { child, exit } of started.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
});

async function healthAt(url: string) {
  return health.parse(await (await fetch(`${url}/healthz`)).json());
}

test('a full log disk does not end the bot, nor does standard output that nobody reads; health and /status count the dropped lines', async () => {
  const full = await open('/dev/full', 'w');
  const bot = start(['ignore', 'pipe', full.fd]);
  const url = await bot.url(bot.child.stdout);
  bot.child.stdout?.destroy();
  expect(await ask(url, '/watch tide')).toContain('Tidewater');
  const { ok, droppedLogLines } = await healthAt(url);
  expect(ok).toBe(true);
  expect(droppedLogLines).toBeGreaterThan(0);
  expect(await ask(url, '/status')).toMatch(/Log lines are dropped\.[\s\S]*log ⚠ \d+ lines? dropped: its disk is full; free some space/u);
  expect(await bot.stop()).toBe(0);
  await full.close();
});

test('a log that nobody reads does not end the bot, nor does a full disk under standard output', async () => {
  const full = await open('/dev/full', 'w');
  const bot = start(['ignore', full.fd, 'pipe']);
  const url = await bot.url(bot.child.stderr);
  bot.child.stderr?.destroy();
  await healthAt(url);
  await ask(url, '/watch tide');
  expect(await ask(url, '/status')).toMatch(/log ⚠ \d+ lines? dropped: nobody reads it/u);
  expect(await bot.stop()).toBe(0);
  await full.close();
});
