/** Documents of every earlier version open as what they are now, and the format of a store says when one of its collections changed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { createPlanLimits } from '../../src/analytics/plan-limits.js';
import { silentLog } from '../../src/base/log.js';
import { openWatermarks } from '../../src/jobs/watermarks.js';
import { openDocument } from '../../src/platforms/telegram/document.js';
import { decode, type Decoded } from '../../src/store/document.js';
import { FORMAT } from '../../src/store/format.js';
import { openStore } from '../../src/store/open.js';
import type { CollectionSpec, Store } from '../../src/store/store.js';
import { handClock } from '../support/clock.js';
import { read, ROOT, sources } from './repository.js';

interface Opened {
  readonly prefix: string;
  readonly version: number;
  readonly decode: (text: string) => Decoded<unknown>;
}

/** Every collection that has had an earlier version. */
async function changedCollections(): Promise<readonly Opened[]> {
  const base = await openStore('memory://');
  const opened: Opened[] = [];
  const store: Store = {
    ...base,
    collection<T>(spec: CollectionSpec<T>) {
      opened.push({ prefix: spec.prefix, version: spec.version, decode: (text) => decode(spec, text) });
      return base.collection(spec);
    },
  };
  const around = { store, clock: handClock(), log: silentLog };
  await openWatchlists(store);
  await openQueues(store);
  await openCheckRecords(store);
  openArchive(store);
  openWatermarks(store);
  createPlanLimits({ ...around, source: 'analytics.example' });
  await openDocument(around);
  return opened.filter(({ version }) => version > 1).toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1));
}

const collections = await changedCollections();

/** By format; those that are missing have version 1. An earlier line is never changed. */
const VERSIONS: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  3: { chat: 2, check: 2, event: 2, 'plan-limits': 2, platform: 2, queue: 3, watermark: 3 },
  4: { chat: 2, check: 3, event: 2, 'plan-limits': 2, platform: 2, queue: 3, watermark: 3 },
};

test('whoever raises the version of a collection raises the format too, so that databases are copied before they change', () => {
  expect(Object.fromEntries(collections.map(({ prefix, version }) => [prefix, version]))).toEqual(VERSIONS[FORMAT]);
  const raised = sources('src').flatMap((file) => [...read(file).matchAll(/\bversion: (?!1\b)\d+/gu)].map(() => file));
  expect(raised).toHaveLength(collections.length);
});

const older = collections.flatMap((one) => Array.from({ length: one.version - 1 }, (_, index) => ({ ...one, from: index + 1 })));
const fixtureSchema = z.object({ key: z.string(), document: z.unknown() });

test.each(older)('a document of "$prefix" of version $from opens', async ({ prefix, from, decode: decoded }) => {
  const file = join(ROOT, 'test/fixtures/documents', `${prefix}.v${from}.json`);
  expect(existsSync(file), `write ${prefix}.v${from}.json, a document as that version stored it`).toBe(true);
  const { document } = fixtureSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const opened = decoded(JSON.stringify({ v: from, d: document }));
  expect(opened).toMatchObject({ kind: 'document' });
  await expect(`${JSON.stringify(opened.kind === 'document' && opened.document, undefined, 2)}\n`).toMatchFileSnapshot(
    `../fixtures/documents/${prefix}.v${from}.opened.json`,
  );
});

test('docs/operations.md says of every collection how much of it is kept', () => {
  const prefixes = sources('src').flatMap((file) => [...read(file).matchAll(/\bprefix: '([^']+)'/gu)].map(([, prefix = '']) => prefix));
  const [, table = ''] = /^### What is kept, and for how long\n(.*?)^###? /msu.exec(read('docs/operations.md')) ?? [];
  const listed = [...table.matchAll(/^\| `([^`]+)` +\| [^|]*\w[^|]* \| [^|]*\w[^|]* \|$/gmu)].map(([, prefix = '']) => prefix);
  expect(listed).toEqual([...new Set(prefixes)].toSorted());
});
