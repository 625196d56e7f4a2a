/** Requests to the page and its API: method, path, headers and body, as a program or a hostile site would send them. */
import { METHODS } from 'node:http';
import { z } from 'zod';
import { createConsole } from '../../../src/platforms/console/console.js';
import { renderings } from '../../../src/platforms/index.js';
import { OperatorLogin } from '../../../src/base/http-callers.js';
import { silentLog } from '../../../src/base/log.js';
import { openStore } from '../../../src/store/open.js';
import { allWell, noneWatched } from '../../platforms/console/harness.js';
import { oneChat } from '../../platforms/console/one-chat.js';
import type { Target } from '../fuzz.js';
import { openFuzzedBot, unbroken } from '../bot.js';

const HOST = '127.0.0.1:8787';
const LIFETIME = 300;
const requestSchema = z.object({
  method: z.string().catch('POST'),
  path: z.string().catch('/'),
  headers: z.record(z.string(), z.unknown()).catch({ host: HOST }),
  body: z.unknown().optional(),
});

const TOKEN = 'token-of-a-fuzzed-console';
const post = (path: string, body: unknown) => ({
  method: 'POST',
  path,
  headers: { host: HOST, authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  body,
});
const get = (path: string) => ({ method: 'GET', path, headers: { host: HOST, authorization: `Bearer ${TOKEN}` } });
const FORM =
  '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n/watchlist import\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[]\r\n--b--\r\n';
const SAMPLES: readonly object[] = [
  ...[
    '/',
    '/operator',
    '/login',
    '/page.js',
    '/..%2f..%2fpackage.json',
    '/api/chats',
    '/api/panel',
    '/api/complete?line=%2Fpremium%20ti&chat=main',
  ].map(get),
  ...['/api/chats/main/messages?after=0', '/api/chats/main/messages?before=9&limit=2&form=page', '/api/chats/main/messages/1/files/0'].map(
    get,
  ),
  ...['/api/chats/main/messages/1/picture?theme=dark', '/api/chats/main/messages/2/previews', '/api/operator/chats?search=tide&page=1'].map(
    get,
  ),
  ...['/api/operator/chat?address=discord%2F42', '/favicon.ico', '/healthz', '/metrics'].map(get),
  ...['/help', '/premium tide', '/watch tide', '/mute 1h'].map((text) => post('/api/chats/main/messages', { text })),
  post('/api/operator/run', { address: 'discord/42', line: '/mute 24h' }),
  {
    method: 'POST',
    path: '/api/chats/main/messages',
    headers: { host: HOST, 'content-type': 'multipart/form-data; boundary=b' },
    body: FORM,
  },
  { ...get('/api/chats'), headers: { host: HOST, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
];

/** Characters; more than any request may have. */
const MAX_REQUEST = 512 * 1024;

/** What no request can be made of is left out, as Node refuses it: an unknown method, which the router would take for a name, or a broken header. */
export function requestOf(input: string): Request | undefined {
  if (input.length > MAX_REQUEST) return undefined;
  try {
    const { method, path, headers, body } = requestSchema.parse(JSON.parse(input));
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const url = new URL(path.startsWith('/') ? path : `/${path}`, `http://${HOST}`);
    const used = METHODS.includes(method) ? method : 'POST';
    return new Request(url, { method: used, headers: sendable(headers), ...(text === undefined ? {} : { body: text }) });
  } catch {
    return undefined;
  }
}

function sendable(headers: Readonly<Record<string, unknown>>): Headers {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      sent.append(name, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    } catch {
      // No such header can be sent.
    }
  }
  return sent;
}

export async function page(): Promise<Target> {
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  const { operator, ran } = oneChat();
  const store = await openStore('memory://');
  const built = await createConsole({
    ...{
      store,
      clock: bot.current().clock,
      log: silentLog,
      panel: { read: async () => allWell },
      watched: noneWatched,
      renderings,
      operator,
    },
    login: new OperatorLogin({ token: TOKEN, clock: bot.current().clock }),
    openTo: { isPortLocal: true },
    answer: async (inbound) => (await bot.current().ask(inbound)).reply,
    catalogue: bot.current().registry.catalogue,
  });
  return {
    name: 'page',
    json: true,
    inputs: SAMPLES.map((sample) => JSON.stringify(sample)),
    mayKeepMb: 120,
    async run(input) {
      const request = requestOf(input);
      if (request === undefined) return 'no request';
      const harness = await bot.next();
      const before = ran.length;
      const response = await built.routes.app.fetch(request);
      unbroken(harness);
      if (response.status >= 500 && response.status !== 503)
        throw new Error(`${request.method} ${request.url} is answered with ${response.status}`);
      const isForeign =
        ![null, `http://${HOST}`].includes(request.headers.get('origin')) || request.headers.get('sec-fetch-site') === 'cross-site';
      if (isForeign && ran.length > before) throw new Error('another site ran a command');
      const type = response.headers.get('content-type') ?? '';
      if (type.startsWith('text/html') && response.headers.get('content-security-policy') === null)
        throw new Error('a page without a policy');
      // Nothing is at an address that is none of the page's own.
      if (response.status !== 404 && response.headers.get('x-content-type-options') !== 'nosniff')
        throw new Error('a response without nosniff');
      if (type.startsWith('text/event-stream')) await response.body?.cancel();
      else if ((await response.text()).includes('node_modules')) throw new Error('a response shows a stack');
      return String(response.status);
    },
    idle: async () => bot.current().clock.next(),
    async close() {
      await built.close();
      await store.close();
      await bot.close();
    },
  };
}
