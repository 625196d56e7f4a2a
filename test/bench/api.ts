/**
 * How fast the API answers while chats are alerted: `npm run bench:api`. A built bot in a process of its own gets 200 requests a second, mixed from all
 * operations, which come when they are due whether or not earlier ones were answered. Prints percentiles and
 * CPU time, which other programs on the machine do not change, and the delay of alerts with and without them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { cpuSeconds } from './harness/proc.js';

const PER_SECOND = 200;
const SECONDS = 30;
const KEYS = 8;
const CHATS = 50;
const TOKEN = 'token-of-the-bench';
const MAIN = new URL('../../dist/src/main.js', import.meta.url).pathname;
const FLAGS = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--heap-growing-percent=50', '--interrupt-budget=1000000'];

const OPERATIONS: readonly { readonly name: string; readonly path: string; readonly line?: string }[] = [
  { name: 'ask /premium tide', path: '/api/v1/ask', line: '/premium tide' },
  { name: 'ask /treasury heron', path: '/api/v1/ask', line: '/treasury heron' },
  { name: 'alerts', path: '/api/v1/alerts?chat=console/bench-1&limit=20' },
  { name: 'watchlists', path: '/api/v1/watchlists?limit=20' },
  { name: 'status', path: '/api/v1/status' },
  { name: 'commands', path: '/api/v1/commands' },
];

const folder = await mkdtemp(join(tmpdir(), 'navwatch-bench-'));
const child = spawn(process.execPath, [...FLAGS, MAIN], {
  cwd: folder,
  env: {
    PATH: process.env['PATH'],
    STORE_URL: `sqlite://${join(folder, 'bench.sqlite')}`,
    HTTP_PORT: '0',
    CONSOLE_TOKEN: TOKEN,
    SIMULATOR_PACE: '20',
    LOG_LEVEL: 'info',
  },
  stdio: ['ignore', 'pipe', 'pipe'],
});
let said = '';
for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)));
const urlOf = async (): Promise<string> => {
  for (let tries = 0; tries < 600; tries += 1) {
    const url = /(http:\/\/127\.0\.0\.1:\d+)\//u.exec(said)?.[1];
    if (url !== undefined && said.includes('"event":"started"')) return url;
    await wait(50);
  }
  throw new Error(`the bot did not start:\n${said}`);
};
const url = await urlOf();
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

async function send(path: string, { token, body }: { readonly token: string; readonly body?: object | undefined }) {
  const begun = performance.now();
  const sent = request(`${url}${path}`, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = z.tuple([z.custom<IncomingMessage>(() => true)]).parse(await once(sent, 'response'));
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text, milliseconds: performance.now() - begun };
}

const percentile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
function report(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `${name}: ${sorted.length}, p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms, longest ${percentile(sorted, 1)} ms`,
  );
}

const tokenSchema = z.object({ token: z.string() });
const keys: string[] = [];
for (let n = 0; n < KEYS; n += 1)
  keys.push(tokenSchema.parse(JSON.parse((await send('/api/operator/api/keys', { token: TOKEN, body: { scope: 'read' } })).text)).token);
for (let n = 1; n <= CHATS; n += 1)
  for (const line of ['/watch all', '/alerts all everything'])
    await send(`/api/chats/bench-${n}/messages`, { token: TOKEN, body: { text: line } });

const alertsSchema = z.object({ alerts: z.array(z.object({ sentAt: z.string(), detectedAt: z.string() })) });
async function delays(since: number): Promise<readonly number[]> {
  const path = `/api/v1/alerts?chat=console/bench-1&limit=100&since=${new Date(since).toISOString()}`;
  const { alerts } = alertsSchema.parse(JSON.parse((await send(path, { token: keys[0] ?? '' })).text));
  return alerts.map(({ sentAt, detectedAt }) => Date.parse(sentAt) - Date.parse(detectedAt));
}

// First checks, and what the first answers read from the service.
await wait(20_000);
for (const { path, line } of OPERATIONS) await send(path, { token: keys[0] ?? '', body: line === undefined ? undefined : { line } });
const cpu = async (): Promise<number> => cpuSeconds(child.pid ?? 0);
const quietFrom = Date.now();
const cpuBefore = await cpu();
await wait(SECONDS * 1_000);
const cpuQuiet = await cpu();
report('alerts without requests, from detected to sent', await delays(quietFrom));

const times = new Map<string, number[]>();
const failures = new Map<number, number>();
const underWay: Promise<void>[] = [];
const loadedFrom = Date.now();
const begun = performance.now();
for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
  const due = begun + (n * 1_000) / PER_SECOND;
  if (performance.now() < due) await wait(due - performance.now());
  const operation = OPERATIONS[n % OPERATIONS.length];
  if (operation === undefined) continue;
  const { name, path, line } = operation;
  const token = keys[Math.floor(n / OPERATIONS.length) % KEYS] ?? '';
  underWay.push(
    send(path, { token, body: line === undefined ? undefined : { line } }).then(({ status, milliseconds }) => {
      if (status === 200) times.set(name, [...(times.get(name) ?? []), milliseconds]);
      else failures.set(status, (failures.get(status) ?? 0) + 1);
    }),
  );
}
await Promise.all(underWay);
const perRequest =
  ((await cpu()) - cpuQuiet - ((cpuQuiet - cpuBefore) * (performance.now() - begun)) / (SECONDS * 1_000)) / underWay.length;
console.log(`CPU of the bot: ${(perRequest * 1_000).toFixed(2)} ms a request, load of the machine ${loadavg()[0]?.toFixed(1)}`);
for (const [name, of] of times) report(name, of);
report('all', [...times.values()].flat());
console.log(`refused: ${failures.size === 0 ? 'none' : [...failures].map(([status, count]) => `${count} with ${status}`).join(', ')}`);
await wait(3_000);
report('alerts beside them, from detected to sent', await delays(loadedFrom));
agent.destroy();
child.kill('SIGTERM');
await once(child, 'exit');
await rm(folder, { recursive: true, force: true });
