import { expect, test } from 'vitest';
import { z } from 'zod';
import { gapOf, isAbsent, openLooks, type LookRecord } from '../../src/alerts/looks.js';
import { openStore } from '../../src/store/open.js';
import { NOON } from '../feeds/reading.js';

const look = (extra: Partial<LookRecord> = {}): LookRecord => ({
  ...{ feed: 'supply', subject: 'tide', triedAt: NOON, okAt: NOON, failures: 0, hidden: 0, broken: 0, complete: true },
  ...extra,
});

test('what was recorded is known at once and after a restart, and forgotten for good', async () => {
  const store = await openStore('memory://');
  const looks = await openLooks(store);
  await looks.record(look({ failures: 2, problem: 'timeout' }));
  for (const one of [looks, await openLooks(store)]) expect(one.read('supply', 'tide')).toMatchObject({ failures: 2, problem: 'timeout' });
  await looks.forget('supply', 'tide');
  for (const one of [looks, await openLooks(store)]) expect(one.all()).toEqual([]);
});

test('a record that cannot be read is left out: the next look writes a new one', async () => {
  const store = await openStore('memory://');
  await store.collection({ prefix: 'look', schema: z.unknown(), version: 1 }).set('supply/tide', 'gone bad');
  const looks = await openLooks(store);
  expect(looks.read('supply', 'tide')).toBeUndefined();
  await looks.record(look());
  expect((await openLooks(store)).read('supply', 'tide')).toEqual(look());
});

test.each<readonly [Partial<LookRecord>, string | undefined]>([
  [{}, undefined],
  [{ hidden: 1, complete: false }, 'tide supply: your plan hides 1 row; news in them cannot be told'],
  [{ hidden: 12, broken: 3, complete: false }, 'tide supply: your plan hides 12 rows; news in them cannot be told'],
  [{ broken: 1 }, 'tide supply: 1 row could not be read; told when they can'],
  [{ feed: 'launches', subject: 'all', broken: 2 }, 'launches: 2 rows could not be read; told when they can'],
  [{ complete: false }, 'tide supply: the service did not show every row it counts'],
  [{ okAt: undefined, hidden: 0, complete: false }, undefined],
])('a look with %j has the gap %s', (extra, sentence) => {
  expect(gapOf(look(extra))).toBe(sentence);
});

test('what the service has none of is absent, which neither another failure nor a look that went well is', () => {
  expect(isAbsent({ failures: 3, problem: 'unknown' })).toBe(true);
  expect(isAbsent({ failures: 3, problem: 'unreachable' })).toBe(false);
  expect(isAbsent({ failures: 0, problem: 'unknown' })).toBe(false);
});
