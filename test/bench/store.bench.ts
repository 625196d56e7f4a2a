/**
 * What durability and listing cost. Run with `npx vitest bench --run test/bench/store.bench.ts`; compare the ratios, since absolute
 * numbers depend on the disk.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import { afterAll, bench, describe } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open.js';

const folder = await mkdtemp(join(tmpdir(), 'navwatch-bench-'));
afterAll(async () => rm(folder, { recursive: true, force: true }));

const spec = { prefix: 'box', schema: z.object({ text: z.string() }), version: 1 };
const document = { text: 'x'.repeat(1_000) };
const DOCUMENTS = 20_000;

const open = async (name: string, pragmas: readonly string[] = []) => openStore(`sqlite://${join(folder, name)}`, { pragmas });
const full = (await open('full.sqlite')).collection(spec);
const normal = (await open('normal.sqlite', ['synchronous = NORMAL'])).collection(spec);
const memory = (await openStore('memory://')).collection(spec);

const filling = await open('list.sqlite', ['synchronous = OFF']);
const filled = filling.collection(spec);
for (let n = 0; n < DOCUMENTS; n += 1) await filled.set(String(n), document);
await filling.close();
await copyFile(join(folder, 'list.sqlite'), join(folder, 'opening.sqlite'));
const listed = (await open('list.sqlite')).collection(spec);

// The stock iterator is quadratic, so it gets a tenth of the documents; multiply its time by about a hundred.
const stock = new KeyvSqlite({ uri: `sqlite://${join(folder, 'stock.sqlite')}` });
await stock.query('PRAGMA synchronous = OFF');
for (let n = 0; n < DOCUMENTS / 10; n += 1) await stock.set(`box:${n}`, 'x'.repeat(1_000));

const many = async (work: (n: number) => Promise<unknown>) => Promise.all(Array.from({ length: 64 }, async (_, n) => work(n)));
let n = 0;

/** What the runs of the 4,000 sets took of the processor. */
const used = { runs: 0, cpuMs: 0 };
afterAll(() => process.stdout.write(`4,000 sets at once: ${(used.cpuMs / used.runs).toFixed(0)} ms of CPU in each run\n`));

describe('a set of 1 kB, one after another', () => {
  bench('synchronous FULL (ours)', async () => full.set(String((n += 1) % 1_000), document));
  bench('synchronous NORMAL', async () => normal.set(String((n += 1) % 1_000), document));
  bench('memory', async () => memory.set(String((n += 1) % 1_000), document));
});

describe('64 sets of 1 kB at once', () => {
  bench('synchronous FULL (ours)', async () => void (await many(async (key) => full.set(String(key), document))));
  bench('synchronous NORMAL', async () => void (await many(async (key) => normal.set(String(key), document))));
});

describe('4,000 sets of 1 kB at once', () => {
  bench(
    'synchronous FULL (ours)',
    async () => {
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: 4_000 }, async (_, key) => full.set(String(key), document)));
      const { user, system } = process.cpuUsage(before);
      used.runs += 1;
      used.cpuMs += (user + system) / 1_000;
    },
    { iterations: 5, warmupIterations: 1 },
  );
});

describe('a get of 1 kB', () => {
  bench('SQLite', async () => void (await listed.get(String((n += 1) % DOCUMENTS))));
});

describe('a list', () => {
  bench('20,000 documents by range, parsed', async () => void (await listed.list()), { iterations: 5, warmupIterations: 1 });
  bench(
    '20,000 documents by a scan, page by page',
    async () => {
      for await (const _ of listed.scan());
    },
    { iterations: 5, warmupIterations: 1 },
  );
  bench('the ten under one beginning', async () => void (await listed.list('1234')), { iterations: 5, warmupIterations: 1 });
  bench(
    '2,000 rows by the stock iterator',
    async () => {
      for await (const _ of stock.iterator('box'));
    },
    { iterations: 2, warmupIterations: 0 },
  );
});

describe('opening a file of 20,000 documents', () => {
  bench('with its integrity check', async () => {
    await (await open('opening.sqlite')).close();
  });
});
