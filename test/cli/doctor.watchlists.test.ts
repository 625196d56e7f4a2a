/** What the doctor says of the files of WATCHLISTS and their chats, beside a running bot and after it has stopped. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../src/app.js';
import { silentLog } from '../../src/base/log.js';
import { doctor } from '../../src/cli/doctor.js';
import { readConfig } from '../../src/config.js';

const listOf = (entries: readonly object[], chat = 'console/main'): string =>
  JSON.stringify({ navwatch: 'watchlist', version: 2, chat, entries });

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-lists-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lists = join(folder, 'lists');
  mkdirSync(lists);
  const env = {
    STORE_URL: `sqlite://${join(folder, 'navwatch.sqlite')}`,
    ...{ HTTP_PORT: '0', LOG_LEVEL: 'silent', WATCHLISTS: lists, CONSOLE_TOKEN: 'a-token-of-the-operator-1' },
  };
  const config = () => readConfig(env);
  return {
    write: (name: string, text: string) => writeFileSync(join(lists, name), text),
    start: async () => startApp(config(), { log: silentLog, ticker: { every: async () => async () => {} } }),
    /** The lines of the store's part about files. */
    async said(...argv: readonly string[]): Promise<readonly string[]> {
      const lines: string[] = [];
      await doctor([...(argv.includes('--only') ? [] : ['--only', 'store']), ...argv], {
        config,
        out: (text) => lines.push(...text.split('\n')),
        err: () => undefined,
      });
      return lines.filter((line) => line.includes(' watchlists '));
    },
  };
}

test('the doctor says which file has a chat, which chat does not exist and what is edited, of a running bot and of its store', async () => {
  const { write, start, said } = open();
  write('desk.json', listOf([]));
  const bot = await start();
  onTestFinished(async () => bot.stop());
  await expect.poll(async () => said('--url', bot.url)).toEqual([expect.stringContaining('the running bot refuses none')]);
  const headers = { 'content-type': 'application/json', authorization: 'Bearer a-token-of-the-operator-1' };
  const body = JSON.stringify({ text: '/watch tide' });
  await fetch(new URL('api/chats/main/messages', bot.url), { method: 'POST', headers, body });
  await bot.stop();
  const edited = expect.stringMatching(/⚠ watchlists +desk\.json: console\/main was edited since this file was applied/u);
  expect(await said()).toEqual([edited]);
  write('another.json', listOf([{ project: 'tide' }]));
  write('gone.json', listOf([], 'webhook/abcdefghij'));
  write('half.json', '{"navwatch": ');
  const claimed = [
    expect.stringMatching(/⚠ watchlists +another\.json: It is for the same chat as desk\.json\. Join the two\./u),
    edited,
    expect.stringMatching(/⚠ watchlists +gone\.json: There is no endpoint webhook\/abcdefghij\. The page "Webhooks" lists them\./u),
  ];
  expect(await said()).toEqual(claimed);
  const again = await start();
  onTestFinished(async () => again.stop());
  const broken = expect.stringMatching(/⚠ watchlists +half\.json: It is no valid JSON: line 1/u);
  await expect.poll(async () => said('--url', again.url)).toEqual([...claimed, broken]);
  expect(await said()).toEqual([expect.stringContaining('no running bot says which files it refuses')]);
});

test('each file has one line: what the bot or its store says of it takes the place of what the file alone shows', async () => {
  const { write, start, said } = open();
  write('desk.json', listOf([]));
  write('gone.json', listOf([], 'webhook/abcdefghij'));
  write('half.json', '{"navwatch": ');
  const bot = await start();
  onTestFinished(async () => bot.stop());
  const [refused, broken] = [
    expect.stringMatching(/⚠ watchlists +gone\.json: There is no endpoint/u),
    expect.stringMatching(/✗ watchlists +half\.json: It is no valid JSON/u),
  ];
  const applied = expect.stringMatching(/✓ watchlists +desk\.json: 0 entries for console\/main/u);
  await expect.poll(async () => said('--only', 'config', '--url', bot.url)).toEqual([applied, refused, broken]);
  expect(await said('--only', 'config,store', '--url', bot.url)).toEqual([applied, refused, broken]);
  await bot.stop();
  expect(await said('--only', 'config,store')).toEqual([applied, refused, broken]);
  const unasked = expect.stringContaining('no running bot says which files it refuses');
  const alone = expect.stringMatching(/✓ watchlists +gone\.json: 0 entries for webhook\/abcdefghij/u);
  expect(await said('--only', 'config')).toEqual([applied, alone, broken, unasked]);
});
