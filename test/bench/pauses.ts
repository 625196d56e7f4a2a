/**
 * How long a scrape of /metrics and an export keep other work waiting: `npm run bench:pauses`. Prints the longest pause of the event loop, and that of
 * an idle thread beside it, which is the machine's own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { z } from 'zod';
import { MINUTE, instant, systemClock } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { emptyQueue } from '../../src/alerts/queue/queue.js';
import { saveExport } from '../../src/operations/backup/export-file.js';
import { exportStream } from '../../src/operations/backup/export-format.js';
import { feedFreshness, waitingItems } from '../../src/operations/bot-state.js';
import { createMetrics } from '../../src/operations/metrics/metrics.js';
import { openStore } from '../../src/store/open.js';

const CHATS = 10_000;
const CHECKED = 11_700;
const ROUNDS = 20;

const milliseconds = (nanoseconds: number): string => `${(nanoseconds / 1e6).toFixed(0)} ms`;
const watcher = new Worker(
  `const { monitorEventLoopDelay } = require('node:perf_hooks');
   const { parentPort } = require('node:worker_threads');
   let delay = monitorEventLoopDelay({ resolution: 1 }); delay.enable();
   parentPort.on('message', () => { parentPort.postMessage(delay.max); delay.reset(); });`,
  { eval: true },
);
const beside = async (): Promise<number> => {
  watcher.postMessage('read', []);
  const [longest] = await once(watcher, 'message');
  return Number(longest);
};

async function pauseOf(what: string, work: () => Promise<unknown>): Promise<void> {
  await beside();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  delay.disable();
  console.log(
    `${what}: ${seconds.toFixed(2)} s, pauses of at most ${milliseconds(delay.max)}, 99th percentile ${milliseconds(delay.percentile(99))}; an idle thread beside it at most ${milliseconds(await beside())}`,
  );
}

const now = instant(1_800_000_000_000);
const chats = Array.from({ length: CHATS }, (_, n) => address('telegram', String(n)));
const queues = new Map(chats.map((chat) => [chat, emptyQueue(chat)]));
const feeds = ['supply', 'proposals', 'premium', 'treasury'].map((id) => ({ id }));
const records = Array.from({ length: CHECKED }, (_, n) => ({
  feed: feeds[n % feeds.length]?.id ?? '',
  subject: `s${n}`,
  triedAt: now,
  okAt: now,
  failures: 0,
  hidden: 0,
  broken: 0,
  complete: true,
}));
const intervals = new Map(records.map(({ feed, subject }) => [`${feed}/${subject}`, MINUTE]));
const metrics = createMetrics();
metrics.describe(async () => {
  const fresh = feedFreshness({ feeds, records, intervals, startedAt: now, now });
  await waitingItems({
    queues: { busy: () => chats, read: (chat) => queues.get(chat) ?? emptyQueue(chat) },
    watchlists: { read: (chat) => ({ address: chat, entries: [] }) },
    drain: { running: () => new Map() },
  });
  return { role: 'active', ready: fresh.length > 0 };
});
for (let n = 0; n < 2_000; n += 1) {
  metrics.exchanged({ row: `row.${n % 101}`, ms: n, answer: 'body' });
  metrics.ran({ command: `command${n % 24}`, ms: n, ok: n % 2 === 0 });
}
await pauseOf(`${ROUNDS} scrapes with ${CHATS} waiting chats and ${CHECKED} checked subjects`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await metrics.scrape();
    await systemClock.sleep(50);
  }
});
metrics.stop();

const folder = await mkdtemp(join(tmpdir(), 'navwatch-bench-'));
const store = await openStore(`sqlite://${join(folder, 'navwatch.sqlite')}`);
const texts = store.collection({ prefix: 'queue', schema: z.string(), version: 1 });
await Promise.all(chats.map(async (chat) => texts.set(chat, Array.from({ length: 300 }, () => Math.random().toString(36)).join(' '))));
await pauseOf(`an export of ${CHATS} documents`, async () =>
  saveExport(await exportStream(store, systemClock.now()), join(folder, 'export.gz')),
);
await store.close();
await watcher.terminate();
await rm(folder, { recursive: true });
