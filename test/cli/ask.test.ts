import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../../src/cli/ask.js';
import { readConfig } from '../../src/config.js';
import { reply } from '../../src/chat/reply.js';
import { openHarness } from '../platforms/console/harness.js';

/** Runs the command as if from a shell, and gives back what it printed. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  let out = '';
  let err = '';
  const code = await ask(args, {
    config: () => readConfig(env),
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

test('prints the answer as plain text', async () => {
  await using harness = await openHarness();
  expect(await run(['/premium tide'], { HTTP_PORT: String(harness.port) })).toEqual({ code: 0, out: 'you said /premium tide', err: '' });
});

test('words need no quotes, and the chat can be chosen', async () => {
  await using harness = await openHarness();
  expect((await run(['--url', `${harness.url}/`, '--chat', 'harness', '/premium', 'tide', '3M'])).out).toBe('you said /premium tide 3M');
  expect((await harness.get('/api/chats/harness/messages')).body.messages).toHaveLength(2);
});

test('--json prints the whole answer', async () => {
  await using harness = await openHarness();
  const { out } = await run(['--json', '--url', harness.url, '/help']);
  expect(JSON.parse(out)).toMatchObject({ replies: [{ id: 2, kind: 'reply', text: 'you said /help' }] });
});

test('a file goes along under its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-ask-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'list.json'), '["tide"]');
  await using harness = await openHarness({
    answer: async ({ files = [] }) =>
      reply({ finding: await Promise.all(files.map(async ({ name, read }) => `${name}: ${await read()}`)) }),
  });
  const { code, out } = await run(['--url', harness.url, '--file', join(folder, 'list.json'), '/watchlist import']);
  expect([code, out]).toEqual([0, 'list.json: ["tide"]']);
  expect(await run(['--url', harness.url, '--file', join(folder, 'none.json'), '/watchlist import'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('none.json cannot be read; check the path'),
  });
});

test('the token of the configuration is used, and a missing one is asked for', async () => {
  const token = 'a token of some length';
  await using harness = await openHarness({ token });
  expect(await run(['--url', harness.url, '/help'], { CONSOLE_TOKEN: token })).toMatchObject({ code: 0 });
  expect(await run(['--url', harness.url, '/help'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('CONSOLE_TOKEN') });
});

test('a bot that is not running is said with the remedy', async () => {
  const harness = await openHarness();
  await harness[Symbol.asyncDispose]();
  expect(await run(['/help'], { HTTP_PORT: String(harness.port) })).toEqual({
    code: 1,
    out: '',
    err: `ask: no bot is running at ${harness.url}; start it with: npm start`,
  });
});

test('a server that is something else is not mistaken for the bot', async () => {
  const other = createServer((_request, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { code, err } = await run(['--url', `http://127.0.0.1:${(other.address() as AddressInfo).port}`, '/help']);
  other.close();
  expect([code, err]).toEqual([1, expect.stringContaining('is not Navwatch')]);
});

test('a bound-to-all bot is asked through loopback', async () => {
  await using harness = await openHarness({ token: 'a token of some length' });
  const env = { HTTP_HOST: '0.0.0.0', HTTP_PORT: String(harness.port), CONSOLE_TOKEN: 'a token of some length' };
  expect(await run(['/help'], env)).toMatchObject({ code: 0 });
});

test.each([
  [[], 'Usage:'],
  [['  '], 'Usage:'],
  [['--nonsense', '/help'], '--nonsense'],
  [['--url', 'not an address', '/help'], 'is no address'],
  [['--url', 'localhost:8787', '/help'], 'is no address'],
  [['/help'], '--url'],
])('%j is answered with what to do', async (args, says) => {
  expect(await run(args, { HTTP_PORT: '0' })).toEqual({ code: 1, out: '', err: expect.stringContaining(says) });
});

test('a wrong configuration is reported in its own words', async () => {
  expect(await run(['/help'], { HTTP_PORT: 'many' })).toEqual({ code: 1, out: '', err: expect.stringContaining('HTTP_PORT') });
});

test('text from outside cannot steer the terminal', async () => {
  await using harness = await openHarness({ answer: async () => reply({ finding: ['\u001b[2J\u009b31m\u202Eevil\u0007\nnext'] }) });
  expect((await run(['--url', harness.url, '/x'])).out).toBe('[2J31mevil next');
});
