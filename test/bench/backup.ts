/**
 * Exports a store of 100,000 chats while it is written, and imports it again: `npm run bench:backup`, with a number for other sizes.
 * Prints seconds, size, the longest pause of the event loop and the memory.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.js';
import { saveExport } from '../../src/operations/backup/export-file.js';
import { exportStream } from '../../src/operations/backup/export-format.js';
import { importInto } from '../../src/operations/backup/import.js';
import { openStore } from '../../src/store/open.js';

const CHATS = Number(process.argv[2] ?? 100_000);
/** A watchlist of a few entries, and a queue with states of rules that is stored compressed. */
const CHAT = 'watch tide '.repeat(90);
const queueOf = (): string => Array.from({ length: 300 }, () => Math.random().toString(36)).join(' ');

const folder = await mkdtemp(join(tmpdir(), 'navwatch-bench-'));
const [url, file] = [`sqlite://${join(folder, 'navwatch.sqlite')}`, join(folder, 'export.gz')];
const store = await openStore(url);
const [chats, queues] = ['chat', 'queue'].map((prefix) => store.collection({ prefix, schema: z.string(), version: 1 }));
if (chats === undefined || queues === undefined) throw new Error('no collections');
for (let n = 0; n < CHATS; n += 1_000)
  await Promise.all(
    Array.from({ length: Math.min(1_000, CHATS - n) }, async (_, index) =>
      Promise.all([chats.set(`telegram/${n + index}`, CHAT), queues.set(`telegram/${n + index}`, queueOf())]),
    ),
  );
await store.checkpoint();

let peak = 0;
let writes = 0;
let slowest = 0;
const done = new AbortController();
const resting = process.memoryUsage().rss;
const watched = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
/** About a hundred writes a second, as a bot of this size makes them. */
const writing = (async () => {
  while (!done.signal.aborted) {
    const begun = performance.now();
    await queues.set(`telegram/${Math.floor(Math.random() * CHATS)}`, queueOf());
    slowest = Math.max(slowest, performance.now() - begun);
    writes += 1;
    await systemClock.sleep(10);
  }
})();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let begun = performance.now();
const saved = await saveExport(await exportStream(store, systemClock.now()), file);
const exported = (performance.now() - begun) / 1_000;
delay.disable();
done.abort();
await writing;
clearInterval(watched);
await store.close();
begun = performance.now();
await importInto({ storeUrl: `sqlite://${join(folder, 'other.sqlite')}`, file, replace: false, clock: systemClock });
const imported = (performance.now() - begun) / 1_000;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
console.log(
  `${CHATS} chats, ${saved.documents} documents, ${megabytes((await stat(join(folder, 'navwatch.sqlite'))).size)}: exported and read back in ${exported.toFixed(1)} s`,
  `(${megabytes((await stat(file)).size)}, ${writes} writes beside it, the slowest ${slowest.toFixed(0)} ms; event loop at most ${(delay.max / 1e6).toFixed(0)} ms,`,
  `99th percentile ${(delay.percentile(99) / 1e6).toFixed(0)} ms; memory ${megabytes(resting)} before, at most ${megabytes(peak)}), imported in ${imported.toFixed(1)} s`,
);
await rm(folder, { recursive: true });
