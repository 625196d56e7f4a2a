import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import { MAX_FACTS, memoryJournal, storedJournal } from '../../src/simulator/journal.js';
import type { Fact } from '../../src/simulator/world/injected-facts.js';
import { openStore } from '../../src/store/open.js';
import { openBox } from './box.js';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(async () => rm(path, { recursive: true }));
  return `sqlite://${join(path, 'world.sqlite')}`;
}

const fact = (id: number): Fact => ({
  kind: 'supply',
  slug: slug('tide'),
  id,
  type: 'Mint',
  amount: '1',
  at: instant(id),
  appearsAt: instant(id),
});
const facts = (count: number, from = 1): readonly Fact[] => Array.from({ length: count }, (_, index) => fact(from + index));

test('after a restart the world answers as before, with what was injected and the faults in force', async () => {
  const url = await folder();
  const first = await openStore(url);
  const before = await openBox({ journal: await storedJournal(first) });
  await before.sim([
    { kind: 'mint', project: 'tide', amount: '486210' },
    { kind: 'proposal', project: 'tide', title: 'Kept' },
    { kind: 'launch', project: 'marsh' },
    { kind: 'growth', project: 'tide', metricId: 'fees-usd', date: '2026-11-20', value: '12.5' },
    { kind: 'status', path: '/v1/url/*', times: 3 },
  ]);
  const paths = [
    '/v1/dao/token-supply?slug=tide',
    '/v1/proposal?slug=tide',
    '/v1/global-dashboard/recent-launches',
    '/v1/growth-feed?slug=tide',
    '/v1/dao/treasury/overview?slug=kestrel-yard',
  ];
  const alerted = await Promise.all(paths.map(async (path) => (await before.get(path)).body));
  await before.close();
  await first.close();

  const second = await openStore(url);
  onTestFinished(async () => second.close());
  const after = await openBox({ journal: await storedJournal(second) });
  expect(await Promise.all(paths.map(async (path) => (await after.get(path)).body))).toEqual(alerted);
  expect((await after.get('/v1/url/tide')).status).toBe(503);
});

test('hundreds of facts are kept in order over several documents', async () => {
  const url = await folder();
  const first = await openStore(url);
  const journal = await storedJournal(first);
  for (const [count, from] of [
    [99, 1],
    [1, 100],
    [1, 101],
    [250, 102],
  ] as const)
    await journal.add(() => facts(count, from));
  await first.close();
  const second = await openStore(url);
  onTestFinished(async () => second.close());
  expect((await storedJournal(second)).facts()).toEqual(facts(351));
});

test('two commands at once both stand, and see each other', async () => {
  const journal = memoryJournal();
  const seen: number[] = [];
  const add = async (id: number) =>
    journal.add((before) => {
      seen.push(before.length);
      return [fact(id)];
    });
  await Promise.all([add(1), add(2)]);
  expect(seen).toEqual([0, 1]);
  expect(journal.facts()).toHaveLength(2);
});

test('a full journal refuses more with 409 and keeps what it has', async () => {
  const box = await openBox();
  await box.journal.add(() => facts(MAX_FACTS));
  const said = await box.sim({ kind: 'mint', project: 'tide', amount: '1' });
  expect(said.status).toBe(409);
  expect(box.journal.facts()).toHaveLength(MAX_FACTS);
});

test('a journal that cannot be read stops the start, with what to do', async () => {
  const store = await openStore('memory://');
  onTestFinished(async () => store.close());
  const { z } = await import('zod');
  await store.collection({ prefix: 'journal', schema: z.unknown(), version: 1 }).set('facts/000000', { facts: 'gone' });
  await expect(storedJournal(store)).rejects.toThrow(/restore a backup/);
});
