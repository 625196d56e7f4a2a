import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBot } from './bot.js';

const health = async (url: string): Promise<readonly [number, unknown]> => {
  const answer = await fetch(`${url}healthz`);
  return [answer.status, await answer.json()];
};

test('while the database file is away nothing is confirmed and nothing is sent, health says what to do, and the alert comes once it is back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-moved-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'navwatch.sqlite');
  const bot = await openBot({ env: { STORE_URL: `sqlite://${file}` } });
  await bot.say('/watch tide');
  await bot.pass(70);
  await bot.sim({ kind: 'mint', project: 'tide', amount: '1000' });
  await rename(file, `${file}.away`);

  await expect(bot.say('/watch heron')).rejects.toThrow(
    '503 {"error":"Nothing was read or saved. The database was deleted or replaced while it was open.',
  );
  await bot.pass(70);
  expect(await bot.alerts()).toEqual([]);
  expect(await health(bot.app().url)).toEqual([
    503,
    expect.objectContaining({ ok: false, store: false, problem: expect.stringContaining('then restart the bot') as string }),
  ]);

  await rename(`${file}.away`, file);
  await bot.pass(70);
  expect(await bot.alerts()).toHaveLength(1);
  expect(await bot.say('/watchlist')).not.toContain('Heron');
  expect((await health(bot.app().url))[0]).toBe(200);
});
