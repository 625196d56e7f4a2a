/** Every address that the running bot serves, as strangers, other sites and broken programs ask it. The list comes from the bot itself. */
import type { Hono } from 'hono';
import { inspectRoutes } from 'hono/dev';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openHttp } from '../../src/app/foundation.js';
import { openBot } from './bot.js';

const TOKEN = 'planted-token-of-the-console';
const NOWHERE = 'http://127.0.0.1:1';
const ENV = {
  CONSOLE_TOKEN: TOKEN,
  PUBLIC_URL: 'https://bot.example',
  ...{ DISCORD_TOKEN: ['MTIzNDU2Nzg5MDEyMzQ1Njc4', 'GplntD', 'planted-token-of-discord-27c'].join('.'), DISCORD_API_URL: NOWHERE },
  ...{ TELEGRAM_TOKEN: ['7100000001', 'AAplanted-token-of-telegram-35-long'].join(':'), TELEGRAM_API_ROOT: NOWHERE },
  ...{ DISCORD_INTERACTIONS_URL: 'https://bot.example/discord', TELEGRAM_WEBHOOK_URL: 'https://bot.example/telegram' },
};

/** They stand for a chat, a key, a file or a secret address. */
const VALUES = ['main', '..%2f..%2fpackage.json', '%00', '__proto__', 'x'.repeat(2_000)];
const BODIES = [
  '',
  '{',
  'null',
  '[]',
  '{"__proto__":{"scope":"manage"}}',
  JSON.stringify({ text: 1, line: {}, address: [] }),
  '['.repeat(20_000),
];
/** One of each part of the bot, so that a part that stops being listed fails. */
const LISTED = [
  '/',
  '/operator',
  '/login',
  '/page/:file',
  '/healthz',
  '/readyz',
  '/metrics',
  '/mcp',
  '/api/v1/ask',
  '/api/openapi.json',
  '/api/docs',
  '/feeds/',
  '/api/chats/:chat/messages',
  '/api/operator/run',
  '/api/operator/watchlists',
  '/operator/webhook',
  '/api/operator/webhook/endpoints',
  '/operator/api',
  '/api/operator/api/keys',
  '/telegram',
  '/discord',
];

/** They stream until somebody stops them. */
const isStream = (type: string | null): boolean => type?.startsWith('text/event-stream') === true;

async function open() {
  let shown: Hono | undefined;
  const bot = await openBot({
    env: ENV,
    overrides: {
      async listen(where, first, clock) {
        shown = first;
        const server = await openHttp(where, first, clock);
        return { ...server, show: (app) => server.show((shown = app)) };
      },
    },
  });
  if (shown === undefined) throw new Error('the bot serves nothing');
  const routes = inspectRoutes(shown).flatMap(({ method, path, isMiddleware }) =>
    isMiddleware && method === 'ALL' ? [] : [{ method, path }],
  );
  const unique = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return { bot, routes: [...unique.values()] };
}

/** The path with each of its parameters as this value. */
const pathWith = (path: string, value: string): string => path.replaceAll(/:[a-z]+(?:\{[^/]+\})?\??|[*]/giu, value);

interface Asked {
  readonly caller: string;
  readonly used: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

function requestsOf(method: string, callers: Readonly<Record<string, Record<string, string>>>): readonly Asked[] {
  const used = method === 'ALL' ? 'POST' : method;
  return Object.entries(callers).flatMap(([caller, headers]) => {
    const bodies = used === 'GET' ? [undefined] : caller === 'operator' ? BODIES : BODIES.slice(-2);
    return bodies.map((body) => ({ caller, used, headers, body }));
  });
}

async function faultsOf(response: Response, { caller, used, path }: Asked & { readonly path: string }): Promise<readonly string[]> {
  const { status, headers } = response;
  if (isStream(headers.get('content-type'))) {
    await response.body?.cancel();
    return [];
  }
  const text = await response.text();
  const found: readonly (readonly [boolean, string])[] = [
    [status >= 500 && status !== 503, 'is a fault of the bot'],
    [/node_modules|\.ts:\d|"name": "navwatch"/u.test(text), 'shows a stack or a file'],
    [/planted/u.test(`${text}${JSON.stringify([...headers])}`), 'shows a secret'],
    [headers.has('access-control-allow-origin'), 'lets other sites read'],
    [status !== 404 && !OPEN.has(path) && headers.get('x-content-type-options') !== 'nosniff', 'may be taken for another type'],
    [caller !== 'operator' && used !== 'GET' && status < 300, 'did what was asked'],
  ];
  return found.flatMap(([isSo, fault]) => (isSo ? [fault] : []));
}

test('every address of the running bot stands strangers, other sites, broken bodies and hostile paths', async () => {
  const { bot, routes } = await open();
  expect(LISTED.filter((part) => !routes.some(({ path }) => path.startsWith(part)))).toEqual([]);
  const json = { 'content-type': 'application/json' };
  // Without a key nothing of the API answers.
  const made = await fetch(new URL('api/operator/api/keys', bot.app().url), {
    ...{ method: 'POST', headers: { ...bot.operator, ...json }, body: JSON.stringify({ name: 'desk', scope: 'read' }) },
  });
  const { token } = z.object({ token: z.string() }).parse(await made.json());
  const callers = {
    'a key that reads': { authorization: `Bearer ${token}`, ...json },
    stranger: { 'x-forwarded-for': '203.0.113.9', ...json },
    'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', ...json },
    operator: { authorization: `Bearer ${TOKEN}`, ...json },
  };
  const before = await bot.say('/watchlist');
  const faults: string[] = [];
  for (const { method, path } of routes)
    for (const value of /[:*]/u.test(path) ? VALUES : VALUES.slice(0, 1))
      for (const one of requestsOf(method, callers)) {
        const { caller, used, headers, body } = one;
        const response = await fetch(new URL(pathWith(path, value).replace(/^[/]+/u, ''), bot.app().url), {
          ...{ method: used, headers, redirect: 'manual', signal: AbortSignal.timeout(60_000) },
          ...(body === undefined ? {} : { body }),
        });
        const asked = `${caller}: ${used} ${path} with ${value.slice(0, 30)} and ${body?.slice(0, 30) ?? 'no body'}: ${response.status}`;
        faults.push(...(await faultsOf(response, { ...one, path })).map((fault) => `${asked} ${fault}`));
      }
  expect(faults).toEqual([]);
  expect(await bot.say('/watchlist')).toBe(before);
});

/** Answers in plain text or JSON to probes and platforms, which set no header for browsers. */
const OPEN: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/telegram', '/discord']);
