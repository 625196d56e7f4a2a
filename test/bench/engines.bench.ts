/**
 * What each engine costs, with its data on a disk. Run with `npx vitest bench --run test/bench/engines.bench.ts`; an engine that is not installed
 * is left out. `BENCH_FOLDER` is where the data is.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, bench, describe } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { startPostgres, startRedis, withoutPostgres, withoutRedis } from '../support/servers.js';

/** A disk: the folder for temporary files of the tests is in memory. */
const PARENT = process.env['BENCH_FOLDER'] ?? '/var/tmp';
const DOCUMENTS = 100_000;
const HOUR = 3_600_000;

const folder = await mkdtemp(join(PARENT, 'navwatch-bench-'));
const postgres = withoutPostgres === undefined ? await startPostgres([], PARENT) : undefined;
const redis = withoutRedis === undefined ? await startRedis([], PARENT) : undefined;
const engines = [
  ['SQLite', `sqlite://${join(folder, 'navwatch.sqlite')}`],
  ['PostgreSQL', postgres?.url],
  ['Redis', redis?.url],
] as const;

const spec = { prefix: 'box', schema: z.object({ text: z.string() }), version: 1 };
const many = { ...spec, prefix: 'many' };
const document = { text: 'x'.repeat(1_000) };

const opened: [name: string, url: string, store: Store][] = [];
for (const [name, url] of engines) {
  if (url === undefined) continue;
  const store = await openStore(url);
  await store.shared?.acquire('bench', HOUR);
  const began = performance.now();
  await Promise.all(Array.from({ length: DOCUMENTS }, async (_, n) => store.collection(many).set(String(n), document)));
  process.stdout.write(`${name}: ${DOCUMENTS} sets of 1 kB at once in ${Math.round(performance.now() - began)} ms\n`);
  opened.push([name, url, store]);
}
afterAll(async () => {
  await Promise.all(opened.map(async ([, , store]) => store.close()));
  await Promise.all([postgres?.remove(), redis?.remove(), rm(folder, { recursive: true, force: true })]);
});

const compare = (title: string, work: (store: Store) => Promise<unknown>, options?: { readonly iterations: number }): void => {
  describe.each([title])('%s', () => {
    for (const [name, , store] of opened) bench(name, async () => void (await work(store)), { ...options, time: 1_000 });
  });
};

let n = 0;
const key = (): string => String((n += 1) % 1_000);

compare('a set of 1 kB, one after another', async (store) => store.collection(spec).set(key(), document));
compare('64 sets of 1 kB at once', async (store) =>
  Promise.all(Array.from({ length: 64 }, async (_, at) => store.collection(spec).set(String(at), document))),
);
compare('a get of 1 kB', async (store) => store.collection(many).get(key()));
compare('64 gets of 1 kB at once', async (store) =>
  Promise.all(Array.from({ length: 64 }, async (_, at) => store.collection(many).get(String(at)))),
);
compare('100,000 documents as a list', async (store) => store.collection(many).list(), { iterations: 2 });
compare(
  '100,000 documents by a scan',
  async (store) => {
    for await (const _ of store.collection(many).scan());
  },
  { iterations: 2 },
);

describe('one token of a shared rate', () => {
  for (const [name, , { shared }] of opened)
    if (shared !== undefined) bench(name, async () => void (await shared.take('bench', { intervalMs: 0.001, burst: 10 })), { time: 1_000 });
});

describe('opening a database of 100,000 documents', () => {
  for (const [name, url] of opened) if (name !== 'SQLite') bench(name, async () => (await openStore(url)).close(), { time: 1_000 });
});
