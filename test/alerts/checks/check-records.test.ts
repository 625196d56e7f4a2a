import { expect, test } from 'vitest';
import { z } from 'zod';
import { figuresOf, gapOf, isAbsent, openLooks, type LookRecord } from '../../../src/alerts/checks/check-records.js';
import { DAY, HOUR, later } from '../../../src/base/clock.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { failing } from '../../jobs/failing-store.js';
import { reading } from '../measurements.js';

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
  [
    { missed: { from: later(NOON, -2 * HOUR), to: NOON } },
    'tide supply: the first check ran 2 h after the watch began; changes before it were missed',
  ],
  [{ okAt: undefined, hidden: 0, complete: false }, undefined],
])('a look with %j has the gap %s', (extra, sentence) => {
  expect(gapOf(look(extra))).toBe(sentence);
});

test('what the service has none of is absent, which neither another failure nor a look that went well is', () => {
  expect(isAbsent({ failures: 3, problem: 'unknown' })).toBe(true);
  expect(isAbsent({ failures: 3, problem: 'unreachable' })).toBe(false);
  expect(isAbsent({ failures: 0, problem: 'unknown' })).toBe(false);
});

test('figures that a look does not name stay as they were read, in the record and, with their past, in memory until a restart', async () => {
  const store = await openStore('memory://');
  const looks = await openLooks(store);
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  const rank = (token: string, value: number, hour: number) =>
    reading(value, later(NOON, hour * HOUR), { feed: 'wallet', wallet, measure: 'rank', id: `wallet/${wallet}/${token}/rank/${hour}` });
  const first = [rank('a', 12, 0), rank('b', 50, 0)];
  await looks.record(look({ figures: figuresOf(first) }), first);
  const second = [rank('b', 51, 1)];
  await looks.record(look({ figures: figuresOf(second, looks.read('supply', 'tide')?.figures) }), second);
  await looks.record(look({ figures: figuresOf([], looks.read('supply', 'tide')?.figures) }), []);
  const values = (all: LookRecord['figures'] = []) =>
    all.map(({ series, name, values: { rank: value } }) => [series.split('/')[2], name, value]);
  await looks.flush();
  const anew = await openLooks(store);
  for (const one of [looks, anew])
    expect(values(one.read('supply', 'tide')?.figures)).toEqual([
      ['b', 'TIDE', '51'],
      ['a', 'TIDE', '12'],
    ]);
  expect(looks.readings('supply', 'tide').map(({ event }) => event.id)).toEqual([second[0]?.event.id, first[0]?.event.id]);
  expect(anew.readings('supply', 'tide')).toEqual([]);
});

test('figures that nothing has read anew for a quarter of a year are forgotten, lest memory grow with each token that a wallet once held', async () => {
  const looks = await openLooks(await openStore('memory://'));
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  for (let day = 0; day < 200; day += 1) {
    const at = later(NOON, day * DAY);
    const read = [reading(5, at, { feed: 'wallet', wallet, measure: 'rank', id: `wallet/${wallet}/token${day}/rank/${at}` })];
    await looks.record(look({ triedAt: at, okAt: at }), read);
  }
  expect(looks.readings('supply', 'tide')).toHaveLength(91);
});

const figures = (value: number, hour: number, id = 'premium'): LookRecord['figures'] =>
  figuresOf([reading(value, later(NOON, hour * HOUR), { id: `premium/${id}/${hour}` })]);
const at = (hours: number) => ({ triedAt: later(NOON, hours * HOUR), okAt: later(NOON, hours * HOUR) });

test('a check that went as the one before is in memory until the flush; a crash before it leaves the one before', async () => {
  const store = await openStore('memory://');
  const looks = await openLooks(store);
  await looks.record(look({ figures: figures(5, 0) }));
  const next = look({ ...at(1), cost: 2, changes: 0.5, figures: figures(6, 1) });
  await looks.record(next);
  expect(looks.read('supply', 'tide')).toEqual(next);
  expect((await openLooks(store)).read('supply', 'tide')).toEqual(look({ figures: figures(5, 0) }));
  await looks.flush();
  expect((await openLooks(store)).read('supply', 'tide')).toEqual(next);
});

test.each<readonly [string, Partial<LookRecord>, Partial<LookRecord>]>([
  ['the first success', { okAt: undefined, failures: 2, problem: 'timeout' }, {}],
  ['a failure', {}, { failures: 1, problem: 'timeout', failingSince: NOON }],
  ['a second failure', { failures: 1, problem: 'timeout' }, { failures: 2, problem: 'timeout' }],
  ['a success after failures', { failures: 1, problem: 'timeout' }, {}],
  ['news', {}, { newsAt: NOON }],
  ['rows that became hidden', {}, { hidden: 1 }],
  ['rows that became unreadable', {}, { broken: 1 }],
  ['a list that became incomplete', {}, { complete: false }],
  ['the end of an absence', {}, { gap: { from: NOON, to: later(NOON, HOUR) } }],
  ['a market that opened', {}, { stakes: [{ kind: 'market' }] }],
  ['a token that was bought', { figures: figures(5, 0) }, { figures: [...(figures(5, 1) ?? []), ...(figures(5, 1, 'other') ?? [])] }],
])('%s is durable at once', async (_what, before, after) => {
  const store = await openStore('memory://');
  const looks = await openLooks(store);
  await looks.record(look(before));
  await looks.record(look({ ...at(1), ...after }));
  expect((await openLooks(store)).read('supply', 'tide')).toEqual(looks.read('supply', 'tide'));
});

test('a flush that fails is made up for by the next one, and writes nothing of what was forgotten', async () => {
  const store = failing(await openStore('memory://'));
  const looks = await openLooks(store);
  for (const subject of ['tide', 'heron']) await looks.record(look({ subject }));
  for (const subject of ['tide', 'heron']) await looks.record(look({ subject, ...at(1) }));
  store.fails(1);
  await expect(looks.flush()).rejects.toThrow();
  await looks.forget('supply', 'heron');
  await looks.flush();
  expect((await openLooks(store)).all()).toEqual([look({ ...at(1) })]);
});
