/** An export of a running bot, restored days later: nothing is lost, nothing from before the export comes again, and there is no flood. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HOUR } from '../../src/base/clock.js';
import { importInto } from '../../src/operations/backup/import.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { handClock } from '../support/clock.js';
import { secretsInExport } from '../operations/backup/secrets.js';
import { openBot } from './bot.js';

const KEY = 'planted-key-of-the-service';

test('after an old export is restored, a chat gets one message about what happened since, and then alerts as ever', async () => {
  const clock = handClock();
  const service = await startSimulator({ seed: 'navwatch', pace: 0.001, clock, journal: memoryJournal(), apiKey: KEY });
  onTestFinished(async () => service.close());
  const bot = await openBot({ clock, env: { ANALYTICS_BASE_URL: service.url, ANALYTICS_API_KEY: KEY } });
  const mint = async (amount: string): Promise<void> => {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const body = JSON.stringify({ kind: 'mint', project: 'tide', amount });
    expect((await fetch(`${service.url}/__sim`, { method: 'POST', headers, body })).status).toBe(200);
  };
  await bot.say('/watch tide');
  await bot.pass(70);
  await mint('1111');
  await bot.pass(70);
  expect(await bot.alerts()).toHaveLength(1);

  const file = join(bot.folder, 'navwatch.gz');
  // It goes on while it is exported.
  const [made] = await Promise.all([fetch(`${bot.app().url}api/operator/export`, { headers: bot.operator }), bot.pass(20)]);
  await writeFile(file, Buffer.from(await made.arrayBuffer()));
  const since = ['2222', '3333', '4444'];
  for (const amount of since) {
    await mint(amount);
    await bot.pass(70, 10);
  }
  expect(await bot.alerts()).toHaveLength(4);

  await bot.app().stop();
  const storeUrl = `sqlite://${join(bot.folder, 'navwatch.sqlite')}`;
  await importInto({ storeUrl, file, replace: true, clock });
  await bot.restart(HOUR);
  expect(await bot.alerts()).toHaveLength(1);
  await bot.pass(360, 20);
  const [, ...caughtUp] = await bot.alerts();
  expect(caughtUp).toHaveLength(1);
  for (const amount of since) expect(caughtUp[0]).toContain(Number(amount).toLocaleString('en-US'));
  expect(caughtUp[0]).not.toContain('1,111');
  await mint('5555');
  await bot.pass(70);
  expect((await bot.alerts()).slice(2)).toEqual([expect.stringContaining('5,555')]);
  expect(await secretsInExport(file, [KEY])).toEqual([]);
});
