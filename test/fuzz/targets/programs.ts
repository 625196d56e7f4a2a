/** What a program with a key may send: requests to the API, to feeds and to the page of keys, and messages of MCP. */
import { Hono } from 'hono';
import { z } from 'zod';
import { openArchive } from '../../../src/alerts/queue/event-archive.js';
import { openCheckRecords } from '../../../src/alerts/checks/check-records.js';
import { silentLog } from '../../../src/base/log.js';
import { isReading } from '../../../src/dispatch/registry.js';
import { ChatCalendar } from '../../../src/operations/chat-calendar.js';
import { fileEntryOf, settingsOf } from '../../../src/dispatch/watchlists/list-file.js';
import { KnownChats } from '../../../src/operations/chat-data.js';
import { createApi } from '../../../src/platforms/api/api.js';
import { FeedTokens } from '../../../src/platforms/api/feed-tokens.js';
import { openStore } from '../../../src/store/open.js';
import { allWell } from '../../platforms/console/harness.js';
import { CHAT } from '../../support/app-harness.js';
import type { Target } from '../fuzz.js';
import { openFuzzedBot, unbroken, type FuzzedBot } from '../bot.js';
import { requestOf } from './page.js';

const HOST = '127.0.0.1:8787';
const LIFETIME = 300;
const madeSchema = z.object({ token: z.string() });

/** The doors of programs in front of a bot, with one key that reads all and one that manages a chat. */
async function openDoors(bot: FuzzedBot) {
  const store = await openStore('memory://');
  const { clock, watchlists, queues, directory, analytics, registry } = bot.current();
  const checkRecords = await openCheckRecords(store);
  const calendar = new ChatCalendar({ analytics, directory, checkRecords, links: () => [], clock });
  const archive = openArchive(store);
  const tokens = await FeedTokens.open({ store, clock });
  const api = await createApi({
    ...{ store, clock, log: silentLog, catalogue: registry.catalogue, panel: { read: async () => allWell }, tokens },
    answer: async (inbound) => (await bot.current().ask(inbound)).reply,
    isReading: async (asked) => isReading(asked, { registry, directory }),
    data: new KnownChats({
      ...{ watchlists, queues, archive, links: () => [], calendar, directory, clock },
      isHere: (chat) => chat === CHAT,
      written: { entry: fileEntryOf, settings: settingsOf },
    }),
    isEnabled: true,
    publicUrl: 'https://bot.example',
    forgetChat: async () => {},
  });
  const app = new Hono();
  app.route('/keys', api.page.api);
  for (const { path, app: routes } of api.routes) app.route(path, routes);
  const made = async (parts: object): Promise<string> => {
    const body = JSON.stringify(parts);
    const response = await app.request('/keys/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return madeSchema.parse(await response.json()).token;
  };
  return {
    app,
    keys: [await made({ scope: 'read' }), await made({ scope: 'manage', chat: CHAT })] as const,
    feed: `/feeds/${await tokens.create(CHAT, 'calendar')}/calendar.ics`,
    alerts: `/feeds/${await tokens.create(CHAT, 'alerts')}/alerts.atom`,
  };
}

/** A refusal has a reason in words; only that a bot is busy or cannot answer may be its own fault. */
async function checked(request: Request, app: Hono): Promise<string> {
  const response = await app.fetch(request);
  const text = await response.text();
  const where = `${request.method} ${new URL(request.url).pathname.slice(0, 40)}`;
  if (response.status >= 500 && response.status !== 503) throw new Error(`${where} is answered with ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (
    type.startsWith('application/problem+json') &&
    !z.looseObject({ detail: z.string().regex(/[.]$/u) }).safeParse(JSON.parse(text)).success
  )
    throw new Error(`${where} is refused without a sentence: ${text.slice(0, 200)}`);
  if (response.headers.has('access-control-allow-origin')) throw new Error(`${where} may be read by other sites`);
  return `${response.status}`;
}

export async function api(): Promise<Target> {
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  let doors = await openDoors(bot);
  let opened = bot.current();
  const [reading, managing] = doors.keys;
  const withKey = (key: string, path: string, more: object = {}) => ({
    method: 'GET',
    path,
    headers: { host: HOST, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...more,
  });
  const asked = (line: string, chat?: string) => ({ method: 'POST', body: { line, chat } });
  const samples = [
    ...['/api/v1/status', '/api/v1/commands', '/api/v1/watchlists?limit=2', '/api/openapi.json', '/api/docs'].map((path) =>
      withKey(reading, path),
    ),
    ...[
      `/api/v1/alerts?chat=${CHAT}&kind=supply&project=tide&since=2026-01-01T00:00:00Z&limit=5`,
      `/api/v1/alerts?chat=${CHAT}&cursor=eyJhdCI6MSwiaWQiOiJ4In0`,
    ].map((path) => withKey(reading, path)),
    ...['/premium tide', 'is tide cheap', '/watch tide', '/watchlist import tide'].flatMap((line) => [
      withKey(reading, '/api/v1/ask', asked(line, CHAT)),
      withKey(managing, '/api/v1/ask', asked(line)),
    ]),
    ...[doors.feed, doors.alerts].map((path) => ({ method: 'GET', path, headers: { host: HOST, 'if-none-match': '"x"' } })),
    withKey(reading, '/keys/keys', { method: 'POST', body: { name: 'desk', scope: 'manage', chat: CHAT } }),
    withKey('nwk_aaaaaaaaaa_x', '/api/v1/status'),
  ];
  return {
    name: 'api',
    json: true,
    inputs: samples.map((sample) => JSON.stringify(sample)),
    words: ['console/main', 'tide', 'supply', 'limit', 'cursor', 'since', '/api/v1/alerts?', '::1', '%00'],
    mayKeepMb: 120,
    async run(input) {
      const harness = await bot.next();
      if (harness !== opened) [opened, doors] = [harness, await openDoors(bot)];
      const renewed = doors.keys.reduce((text, key, index) => text.replaceAll([reading, managing][index] ?? '', key), input);
      const request = requestOf(renewed);
      if (request === undefined) return 'no request';
      const result = await checked(request, doors.app);
      unbroken(harness);
      return result;
    },
    idle: async () => bot.current().clock.next(),
    close: bot.close,
  };
}

export async function mcp(): Promise<Target> {
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  let doors = await openDoors(bot);
  let opened = bot.current();
  const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const call = (name: string, given: object) => message('tools/call', { name, arguments: given });
  const samples = [
    message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } }),
    ...['ping', 'tools/list', 'resources/list', 'resources/templates/list'].map((method) => message(method)),
    message('resources/read', { uri: `navwatch://watchlist/${CHAT}` }),
    call('premium', { project: 'tide', range: '3M' }),
    call('ask', { question: 'is tide cheap' }),
    call('compare', { projects: 'tide heron' }),
    call('status', {}),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  return {
    name: 'mcp',
    json: true,
    inputs: samples.map((sample) => JSON.stringify(sample)),
    words: ['project', 'tools/call', 'untrusted-data', 'range:ALL', 'navwatch://watchlist/'],
    mayKeepMb: 120,
    async run(input) {
      const harness = await bot.next();
      if (harness !== opened) [opened, doors] = [harness, await openDoors(bot)];
      const before = JSON.stringify(harness.watchlists.read(CHAT));
      const headers = { authorization: `Bearer ${doors.keys[1]}`, 'content-type': 'application/json', host: HOST };
      const accept = 'application/json, text/event-stream';
      const request = new Request(`http://${HOST}/mcp`, { method: 'POST', headers: { ...headers, accept }, body: input });
      const result = await checked(request, doors.app);
      unbroken(harness);
      if (JSON.stringify(harness.watchlists.read(CHAT)) !== before) throw new Error('a message of MCP changed a chat');
      return result;
    },
    idle: async () => bot.current().clock.next(),
    close: bot.close,
  };
}
