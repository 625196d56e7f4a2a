/** Secrets planted in every setting, and everything behind them failing with an answer that repeats the whole request: none is ever shown. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { createLog } from '../../src/base/log.js';
import { redactor } from '../../src/base/redact.js';
import { secretsOf, SECTIONS } from '../../src/config.js';
import { Readable } from 'node:stream';
import { saveExport } from '../../src/operations/backup/export-file.js';
import { secretsInExport } from '../operations/backup/secrets.js';
import { openBot } from './bot.js';

const SECRETS = {
  ANALYTICS_API_KEY: 'planted/key of+the service',
  CONSOLE_TOKEN: 'planted-token-of-the-console',
  DISCORD_TOKEN: ['MTIzNDU2Nzg5MDEyMzQ1Njc4', 'GplntD', 'planted-token-of-discord-27c'].join('.'),
  TELEGRAM_TOKEN: ['7100000001', 'AAplanted-token-of-telegram-35-long'].join(':'),
  HEARTBEAT_URL: 'https://127.0.0.1:1/ping/planted-heartbeat-id',
};
/** What of each nobody may read. */
const HIDDEN = [...Object.values(SECRETS).slice(0, -1), 'planted-heartbeat-id'];

/** Written apart from the redactor. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).toLowerCase(),
  secret.replaceAll('/', String.raw`\/`),
  ...['', 'x', 'xy', 'user:'].map((before) => btoa(before + secret).slice(before.length === 0 ? 0 : 8, -4)),
  Buffer.from(secret).toString('hex'),
];
const shownIn = (text: string): readonly string[] => HIDDEN.filter((secret) => formsOf(secret).some((form) => text.includes(form)));

/** Fails in another way each time, and says back all that it was sent. */
async function startEcho(): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const all = JSON.stringify({ url: request.url, headers: request.headers, body });
      requests.push(all);
      const quoted = encodeURIComponent(all).slice(0, 4_000);
      const ways = [
        () => response.writeHead(401, { 'www-authenticate': quoted }).end(all),
        () =>
          response
            .writeHead(500, quoted.slice(0, 200))
            .end(JSON.stringify({ error: all, message: all, description: all, ok: false, error_code: 500 })),
        () => response.writeHead(302, { location: `http://127.0.0.1:1/?all=${quoted}` }).end(),
        () => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data": ${all}, "ok": true, "result": ${all}`),
        () =>
          response
            .writeHead(429, { 'retry-after': quoted, 'content-type': 'application/json' })
            .end(JSON.stringify({ message: all, retry_after: 0.1 })),
        () => response.destroy(),
      ];
      ways[requests.length % ways.length]?.();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

test('every secret setting is planted here', () => {
  const named = SECTIONS.flatMap(({ variables }) => Object.keys(variables)).filter((name) =>
    /TOKEN|_KEY|SECRET|PASSWORD|HEARTBEAT/u.test(name),
  );
  // The public key is none; the address of the store has a test with its engines.
  expect(named.filter((name) => name !== 'DISCORD_PUBLIC_KEY' && name !== 'LINK_TOKEN').toSorted()).toEqual(
    Object.keys(SECRETS).toSorted(),
  );
});

test('no log line, reply, page, metric, health check or export shows a secret, whatever fails and repeats it', async () => {
  const echo = await startEcho();
  const lines: string[] = [];
  const bot = await openBot({
    env: {
      ...SECRETS,
      ...{ ANALYTICS_BASE_URL: echo.url, DISCORD_API_URL: echo.url, TELEGRAM_API_ROOT: echo.url },
      ...{ OPERATOR_CHAT: 'telegram/chat/5', TELEGRAM_WEBHOOK_URL: 'https://bot.example/telegram' },
    },
    hasteBelow: MINUTE,
    log: (config) => createLog({ level: 'debug', redact: redactor(secretsOf(config)), to: { write: (text) => void lines.push(text) } }),
  });
  const headers = { authorization: `Bearer ${SECRETS.CONSOLE_TOKEN}`, 'content-type': 'application/json' };
  const said: string[] = [];
  const read = async (path: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch(new URL(path, bot.app().url), { headers, ...init });
    said.push(`${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`);
  };
  const say = async (text: string): Promise<void> => read('api/chats/main/messages', { method: 'POST', body: JSON.stringify({ text }) });

  for (const line of [
    '/status',
    '/watch tide',
    '/premium tide',
    '/movements tide',
    '/refresh 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd',
    '/why',
    '/privacy',
  ])
    await say(line);
  const own = JSON.stringify({ name: 'desk', url: 'https://127.0.0.1:1/hook' });
  await read('api/operator/webhook/endpoints', { method: 'POST', body: own });
  const secret = /whsec_[\w+/=]+/u.exec(said.pop() ?? '')?.[0] ?? '';
  expect(secret).not.toBe('');
  const id =
    /"id":"([^"]+)"/u.exec(await (await fetch(new URL('api/operator/webhook/endpoints', bot.app().url), { headers })).text())?.[1] ?? '';
  await read(`api/operator/webhook/endpoints/${id}/test`, { method: 'POST', body: '{}' });
  await bot.pass(120, 30);
  for (const path of [
    '',
    'healthz',
    'readyz',
    'metrics',
    'api/panel',
    'api/chats',
    'operator',
    'api/operator/chats',
    'api/operator/webhook/endpoints',
    'api/nothing',
  ])
    await read(path);
  await read('api/chats/main/messages?after=0');
  await read('healthz', { headers: { authorization: `Bearer ${SECRETS.CONSOLE_TOKEN}x` } });
  for (const line of ['/status', '/sources', '/history']) await say(line);

  const exported = await fetch(new URL('api/operator/export', bot.app().url), { headers });
  const file = join(bot.folder, 'export.gz');
  if (exported.body !== null) await saveExport(Readable.from(exported.body), file);
  expect(await secretsInExport(file, HIDDEN)).toEqual([]);
  await rm(file);

  expect(
    HIDDEN.slice(0, 4)
      .filter(
        (one) => !echo.requests.some((all) => all.includes(JSON.stringify(one).slice(1, -1)) || all.includes(encodeURIComponent(one))),
      )
      .filter((one) => one !== SECRETS.CONSOLE_TOKEN),
  ).toEqual([]);
  expect(lines.length).toBeGreaterThan(10);
  expect([...lines, ...said].flatMap((text) => shownIn(text).map((shown) => [shown, text.slice(0, 300)]))).toEqual([]);
  expect([...lines, ...said].filter((text) => text.includes(secret.slice(6)))).toEqual([]);
});
