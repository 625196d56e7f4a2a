/**
 * How fast the API answers while chats are alerted, and whether alerts wait for it: `npm run bench:api`. Windows without requests and with 200 a second
 * take turns, and in each the same events are alerted. Requests are mixed from all operations and sent when they are due, whether
 * or not earlier ones were answered. CPU time and the delay of an idle thread tell what other programs on the machine change.
 * `BENCH_POLL=3 BENCH_RATE=200` checks more often; both are far above what a bot usually does (every 60 s, 5 requests a second).
 */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.js';
import { ApiKeys } from '../../src/platforms/api/keys.js';
import type { Store } from '../../src/store/store.js';
import { freePort } from '../support/free-port.js';
import type { Bot } from './harness/bot.js';
import { quantile } from './harness/figure.js';
import { secondsWithoutCore } from './harness/proc.js';
import { NO_LIMIT, withScene, type Scene } from './harness/scene.js';

const PER_SECOND = 200;
const KEYS = 8;
const CHATS = 60;
/** Windows of each kind. */
const ROUNDS = 3;
const EVENTS_PER_WINDOW = 2;
/** Messages of a chat come at least ten seconds apart, so events that are this far apart do not wait for each other. */
const EVENT_EVERY = 14_000;
const CALM_WITHIN = 60_000;
/** Before the bot closes an idle connection, after five seconds. */
const IDLE_CLOSED_AFTER = 3_000;

const OPERATIONS: readonly { readonly name: string; readonly path: string; readonly line?: string }[] = [
  { name: 'ask /premium tide', path: '/api/v1/ask', line: '/premium tide' },
  { name: 'ask /treasury heron', path: '/api/v1/ask', line: '/treasury heron' },
  { name: 'alerts', path: '/api/v1/alerts?chat=telegram/100001&limit=20' },
  { name: 'watchlists', path: '/api/v1/watchlists?limit=20' },
  { name: 'status', path: '/api/v1/status' },
  { name: 'commands', path: '/api/v1/commands' },
];

interface Window {
  readonly kind: 'quiet' | 'loaded';
  readonly from: number;
  readonly to: number;
  readonly cpu: number;
  /** Seconds in which the main thread could have run and had no core. */
  readonly waited: number;
}

const times: { readonly name: string; readonly taken: number }[] = [];
const failures: string[] = [];
const tokens: string[] = [];
let url = '';

/** Without an agent the request has a connection of its own, because the bot may close one that was idle for seconds. */
async function send({ path, line }: { readonly path: string; readonly line?: string }, token: string, agent?: Agent) {
  const begun = performance.now();
  const sent = request(`${url}${path}`, {
    agent: agent ?? false,
    method: line === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(line === undefined ? undefined : JSON.stringify({ line }));
  const [response] = z.tuple([z.custom<IncomingMessage>(() => true)]).parse(await once(sent, 'response'));
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text, milliseconds: performance.now() - begun };
}

async function record({ name }: { readonly name: string }, answer: ReturnType<typeof send>): Promise<void> {
  try {
    const { status, milliseconds: taken } = await answer;
    if (status === 200) times.push({ name, taken });
    else failures.push(`status ${status}`);
  } catch (error) {
    failures.push(String(error));
  }
}

/** Sends the requests of so many milliseconds. Resolves when all are answered. */
async function load(milliseconds: number): Promise<void> {
  const underWay: Promise<void>[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: IDLE_CLOSED_AFTER });
  const begun = performance.now();
  for (let n = 0; n < (PER_SECOND * milliseconds) / 1_000; n += 1) {
    const due = begun + (n * 1_000) / PER_SECOND;
    if (performance.now() < due) await wait(due - performance.now());
    const operation = OPERATIONS[n % OPERATIONS.length]!;
    underWay.push(record(operation, send(operation, tokens[Math.floor(n / OPERATIONS.length) % KEYS]!, agent)));
  }
  await Promise.all(underWay);
  agent.destroy();
}

const idle = new Worker(
  `const { monitorEventLoopDelay } = require('node:perf_hooks');
   const { parentPort } = require('node:worker_threads');
   const delay = monitorEventLoopDelay({ resolution: 1 });
   parentPort.on('message', (word) => (word === 'loaded' ? delay.enable() : word !== 'read' ? delay.disable() : parentPort.postMessage([delay.percentile(50), delay.percentile(99)])));`,
  { eval: true },
);

const milliseconds = (value: number | undefined, digits = 1): string => (value === undefined ? 'n/a' : `${value.toFixed(digits)} ms`);
const seconds = (value: number | undefined): string => (value === undefined ? 'n/a' : `${(value / 1_000).toFixed(2)} s`);
function report(name: string, values: readonly number[], { shown = milliseconds, part = 0.99 } = {}): void {
  const [half, most, longest] = [0.5, part, 1].map((one) => shown(quantile(values, one)));
  console.log(`${name}: ${values.length}, p50 ${half}, p${part * 100} ${most}, longest ${longest}`);
}

const alertsSchema = z.object({ alerts: z.array(z.object({ occurredAt: z.string(), sentAt: z.string(), detectedAt: z.string() })) });

/** Reports the delays of the alerts whose events happened in windows of a kind. */
async function reportAlerts(windows: readonly Window[]): Promise<void> {
  const all: { readonly happened: number; readonly detected: number; readonly sent: number }[] = [];
  for (let n = 1; n <= CHATS; n += 1) {
    const path = `/api/v1/alerts?chat=telegram/${100_000 + n}&kind=supply&limit=100`;
    const { alerts } = alertsSchema.parse(JSON.parse((await send({ path }, tokens[n % KEYS]!)).text));
    for (const { occurredAt, detectedAt, sentAt } of alerts)
      all.push({ happened: Date.parse(occurredAt), detected: Date.parse(detectedAt), sent: Date.parse(sentAt) });
  }
  for (const kind of ['quiet', 'loaded'] as const) {
    const those = all.filter(({ happened }) =>
      windows.some((window) => window.kind === kind && happened >= window.from && happened < window.to),
    );
    const where = kind === 'quiet' ? 'without requests' : 'beside requests';
    const how = { shown: seconds, part: 0.95 };
    report(
      `alerts ${where}, from the event to sent`,
      those.map(({ happened, sent }) => sent - happened),
      how,
    );
    report(
      `alerts ${where}, from detected to sent`,
      those.map(({ detected, sent }) => sent - detected),
      how,
    );
  }
}

/** Measures a window, in which the same events are alerted with and without requests. */
async function measureWindow(kind: Window['kind'], { bot, mint }: Pick<Scene, 'mint'> & { readonly bot: Bot }): Promise<Window> {
  const from = Date.now();
  const [cpu, waited] = [(await bot.usage()).cpu, await secondsWithoutCore(bot.pid)];
  idle.postMessage(kind, []);
  const loaded = kind === 'loaded' ? load(EVENTS_PER_WINDOW * EVENT_EVERY) : undefined;
  for (let event = 0; event < EVENTS_PER_WINDOW; event += 1) {
    await mint();
    await wait(EVENT_EVERY);
  }
  await loaded;
  idle.postMessage('off', []);
  return { kind, from, to: Date.now(), cpu: (await bot.usage()).cpu - cpu, waited: (await secondsWithoutCore(bot.pid)) - waited };
}

async function measure({ start, mint, telegram }: Scene): Promise<void> {
  const bot = await start();
  await telegram.polled();
  await bot.calm(CALM_WITHIN);
  // What the first answers read from the service, and what the compiler needs to see.
  for (const operation of OPERATIONS) for (const token of tokens) await send(operation, token);
  await mint();
  await load(EVENT_EVERY);
  times.length = 0;
  failures.length = 0;
  const windows: Window[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of ['quiet', 'loaded'] as const) windows.push(await measureWindow(kind, { bot, mint }));
  idle.postMessage('read', []);
  const [[half, most]] = z.tuple([z.tuple([z.number(), z.number()])]).parse(await once(idle, 'message'));

  const total = (kind: Window['kind'], of: 'cpu' | 'waited'): number =>
    windows.reduce((sum, window) => sum + (window.kind === kind ? window[of] : 0), 0);
  const lasted = (ROUNDS * EVENTS_PER_WINDOW * EVENT_EVERY) / 1_000;
  const perRequest = ((total('loaded', 'cpu') - total('quiet', 'cpu')) / (PER_SECOND * lasted)) * 1_000;
  const ofCore = (kind: Window['kind']): string => `${((total(kind, 'cpu') / lasted) * 100).toFixed(0)}% of a core`;
  console.log(
    `CPU of the bot: ${milliseconds(perRequest, 2)} a request; without requests ${ofCore('quiet')}, beside them ${ofCore('loaded')}`,
  );
  const takenBy = (wanted?: string): readonly number[] =>
    times.flatMap(({ name, taken }) => (wanted === undefined || name === wanted ? [taken] : []));
  for (const { name } of OPERATIONS) report(name, takenBy(name));
  report('all', takenBy());
  console.log(`not answered: ${failures.length === 0 ? 'none' : `${failures.length}, such as ${failures[0]}`}`);
  await reportAlerts(windows);
  const withoutCore = `${((total('loaded', 'waited') / lasted) * 100).toFixed(0)}% of the time`;
  const late = `p50 ${milliseconds(half / 1e6 - 1)}, p99 ${milliseconds(most / 1e6 - 1)}`;
  console.log(
    `beside requests: the bot's thread could run and had no core ${withoutCore}; an idle thread was late by ${late}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

const port = await freePort();
url = `http://127.0.0.1:${port}`;
const furnish = async (store: Store): Promise<void> => {
  const keys = await ApiKeys.open({ store, clock: systemClock });
  for (let n = 0; n < KEYS; n += 1) tokens.push((await keys.create({ name: `bench ${n}`, scope: 'read', chat: undefined }))?.token ?? '');
};
/** How often projects are checked, in seconds, and requests a second to the service. */
const PACE = {
  POLL_MIN_SECONDS: process.env['BENCH_POLL'] ?? '10',
  ANALYTICS_REQUESTS_PER_SECOND: process.env['BENCH_RATE'] ?? '50',
};

await withScene(
  { chats: CHATS, targets: () => [{ kind: 'all' }], furnish, env: { ...NO_LIMIT, ...PACE, HTTP_PORT: String(port) } },
  measure,
);
await idle.terminate();
