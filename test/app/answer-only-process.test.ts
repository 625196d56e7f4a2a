/** One active process and two that only answer, over one shared engine, behind a load balancer to which Telegram posts. */
import { Hono } from 'hono';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type RunningApp } from '../../src/app.js';
import { systemClock } from '../../src/base/clock.js';
import { closed, listen } from '../../src/base/http.js';
import { silentLog } from '../../src/base/log.js';
import { readConfig, type Config } from '../../src/config.js';
import { createTelegram } from '../../src/platforms/telegram/telegram.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { startTelegram } from '../stand-ins/telegram/server.js';
import { sharedEngineDouble } from '../support/shared-engine.js';

const TOKEN = `7100000001:${'a'.repeat(35)}`;
/** So that a test waits for nothing. */
const UNLIMITED = { token: { max: 1_000_000, per: 1 }, chat: () => [] };
const engine = sharedEngineDouble(systemClock);
const closing: (() => Promise<unknown>)[] = [];
const behind: RunningApp[] = [];
let active: RunningApp;
let start: (role: Config['role']) => Promise<RunningApp>;
let telegram: Awaited<ReturnType<typeof startTelegram>>;
/** Which process was asked, in turn. */
let turn = 0;

beforeAll(async () => {
  const service = await startSimulator({
    seed: 'harbor',
    pace: 1,
    clock: systemClock,
    journal: memoryJournal(),
    apiKey: 'a-key-for-tests',
  });
  telegram = await startTelegram({ token: TOKEN, localServer: true });
  const app = new Hono();
  app.post('*', async (c) => {
    const to = behind[(turn += 1) % behind.length];
    if (to === undefined) return c.body(null, 502);
    const headers = new Headers(c.req.raw.headers);
    // The length is that of the body that is sent now; stated twice, a fetch refuses it.
    headers.delete('content-length');
    const { status } = await fetch(new URL(c.req.path, to.url), { method: 'POST', headers, body: await c.req.text() });
    return new Response(null, { status });
  });
  const balancer = await listen(app, { host: '127.0.0.1', port: 0 });
  const config = readConfig({
    HTTP_PORT: '0',
    METRICS_OPEN: 'true',
    ACCESS: 'open',
    TELEGRAM_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    ANALYTICS_BASE_URL: service.url,
    ANALYTICS_API_KEY: 'a-key-for-tests',
    ANALYTICS_REQUESTS_PER_SECOND: '500',
  });
  const settings = { token: TOKEN, apiRoot: telegram.url, webhookUrl: `${balancer.url}telegram` };
  // The stand-in posts without TLS, which the settings refuse.
  const platforms = config.platforms.map((one) => ({
    ...one,
    receivesOverHttp: true,
    create: async (deps: Parameters<typeof one.create>[0]) => createTelegram({ ...settings, ...deps }),
  }));
  start = async (role) =>
    startApp({ ...config, platforms, role }, { store: engine.process().store, log: silentLog, limits: { telegram: UNLIMITED } });
  active = await start('all');
  behind.push(await start('answer'), await start('answer'));
  closing.push(
    ...[active, ...behind].map((one) => async () => one.stop()),
    async () => {
      balancer.server.close();
      await closed(balancer.server, { clock: systemClock }).catch(() => undefined);
    },
    async () => telegram.close(),
    async () => service.close(),
  );
  await telegram.waitFor(() => telegram.calls('setWebhook').length > 0);
  const isReady = async (one: RunningApp) => (await fetch(new URL('readyz', one.url))).ok;
  for (const one of behind) while (!(await isReady(one))) await systemClock.sleep(20);
  return async () => {
    for (const close of closing) await close();
  };
});

const privately = () => {
  const from = telegram.person({ first_name: 'Anna' });
  return { from, chat: telegram.privateChat(from) };
};
const texts = (chat: number) => telegram.posted(chat).map(({ text }) => text.split('\n')[0] ?? '');
const say = async (who: ReturnType<typeof privately>, text: string): Promise<string> => {
  const before = telegram.posted(who.chat).length;
  telegram.say({ ...who, text });
  await telegram.waitFor(() => telegram.posted(who.chat).length > before);
  return texts(who.chat)[before] ?? '';
};

test('questions are answered in turn, a change by the active process, and what follows shows it wherever it is answered', async () => {
  const anna = privately();
  expect(await say(anna, '/watchlist')).not.toContain('Tidewater');
  expect(await say(anna, '/watch tide')).toContain('Watching');
  for (const _ of behind) expect(telegram.posted(anna.chat).length > 0 && (await say(anna, '/watchlist'))).toMatch(/1 entry|Tidewater/u);
  expect(await say(anna, '/unwatch tide')).toContain('Stopped watching');
  for (const _ of behind) expect(await say(anna, '/watchlist')).toMatch(/nothing|Nothing/u);
});

test('what is said at once is answered in its order, changes and questions alike', async () => {
  const anna = privately();
  const lines = [
    '/watch tide',
    '/watchlist',
    '/unwatch tide',
    '/premium tide',
    '/watch heron',
    '/watchlist',
    '/why',
    '/status',
    '/history',
  ];
  for (const text of lines) telegram.say({ ...anna, text });
  await telegram.waitFor(() => telegram.posted(anna.chat).length >= lines.length);
  const found = texts(anna.chat).map((text) => /Watching|Stopped|entry|TIDE|No alert|OK/u.exec(text)?.[0]);
  expect(found.slice(0, 6)).toEqual(['Watching', 'entry', 'Stopped', 'TIDE', 'Watching', 'entry']);
  // Of what only the active process knows.
  expect(found.slice(7)).toEqual(['OK', 'No alert']);
});

test('buttons under an answer work in every process, and Sources too', async () => {
  const anna = privately();
  await say(anna, '/premium tide');
  const [answer] = telegram.posted(anna.chat);
  const sources = answer?.buttons.flat().find(({ text }) => text === 'Sources');
  expect(sources).toBeDefined();
  for (const _ of behind) {
    const before = telegram.posted(anna.chat).length;
    telegram.press({ from: anna.from, message: answer!, button: 'Sources' });
    await telegram.waitFor(() => telegram.posted(anna.chat).length > before);
    expect(texts(anna.chat).at(-1)).not.toContain('No sources');
  }
});

test('an answer process serves nothing but its webhook and its health', async () => {
  const [one] = behind;
  const status = async (path: string) => (await fetch(new URL(path, one!.url))).status;
  expect(await Promise.all(['', 'api/chats', 'healthz', 'readyz', 'metrics'].map(status))).toEqual([404, 404, 200, 200, 200]);
});
