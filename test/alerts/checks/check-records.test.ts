import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  gapOf,
  isAbsent,
  lastMeasurements,
  lastPoint,
  newerThan,
  openCheckRecords,
  type CheckRecord,
} from '../../../src/alerts/checks/check-records.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { failing } from '../../jobs/failing-store.js';
import { measurement } from '../measurements.js';

const record = (extra: Partial<CheckRecord> = {}): CheckRecord => ({
  ...{ feed: 'supply', subject: 'tide', triedAt: NOON, okAt: NOON, failures: 0, hidden: 0, broken: 0, complete: true },
  ...extra,
});

test('what was recorded is known at once and after a restart, and forgotten for good', async () => {
  const store = await openStore('memory://');
  const checkRecords = await openCheckRecords(store);
  await checkRecords.record(record({ failures: 2, problem: 'timeout' }));
  for (const one of [checkRecords, await openCheckRecords(store)])
    expect(one.read('supply', 'tide')).toMatchObject({ failures: 2, problem: 'timeout' });
  await checkRecords.forget('supply', 'tide');
  for (const one of [checkRecords, await openCheckRecords(store)]) expect(one.all()).toEqual([]);
});

test('a record that cannot be read is left out: the next check writes a new one', async () => {
  const store = await openStore('memory://');
  await store.collection({ prefix: 'check', schema: z.unknown(), version: 1 }).set('supply/tide', 'gone bad');
  const checkRecords = await openCheckRecords(store);
  expect(checkRecords.read('supply', 'tide')).toBeUndefined();
  await checkRecords.record(record());
  expect((await openCheckRecords(store)).read('supply', 'tide')).toEqual(record());
});

test.each<readonly [Partial<CheckRecord>, string | undefined]>([
  [{}, undefined],
  [{ hidden: 1, complete: false }, "tide supply: the data plan hides 1 row. Changes in them can't be detected"],
  [{ hidden: 12, broken: 3, complete: false }, "tide supply: the data plan hides 12 rows. Changes in them can't be detected"],
  [{ broken: 1 }, "tide supply: 1 row couldn't be read. Alerts follow as soon as possible"],
  [{ feed: 'launches', subject: 'all', broken: 2 }, "launches: 2 rows couldn't be read. Alerts follow as soon as possible"],
  [{ complete: false }, 'tide supply: the service sent fewer rows than it counts'],
  [{ missed: { from: later(NOON, -2 * HOUR), to: NOON } }, 'tide supply: the first check ran 2 h late. Earlier changes were missed'],
  [{ okAt: undefined, hidden: 0, complete: false }, undefined],
])('a check with %j has the gap %s', (extra, sentence) => {
  expect(gapOf(record(extra))).toBe(sentence);
});

test('what the service has none of is absent, which neither another failure nor a check that went well is', () => {
  expect(isAbsent({ failures: 3, problem: 'unknown' })).toBe(true);
  expect(isAbsent({ failures: 3, problem: 'unreachable' })).toBe(false);
  expect(isAbsent({ failures: 0, problem: 'unknown' })).toBe(false);
});

test('measurements that a check does not name stay as they were read, in the record and, with their past, in memory until a restart', async () => {
  const store = await openStore('memory://');
  const checkRecords = await openCheckRecords(store);
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  const rank = (token: string, value: number, hour: number) =>
    measurement(value, later(NOON, hour * HOUR), { feed: 'wallet', wallet, measure: 'rank', id: `wallet/${wallet}/${token}/rank/${hour}` });
  const first = [rank('a', 12, 0), rank('b', 50, 0)];
  await checkRecords.record(record({ measurements: lastMeasurements(first) }), first);
  const second = [rank('b', 51, 1)];
  await checkRecords.record(record({ measurements: lastMeasurements(second, checkRecords.read('supply', 'tide')?.measurements) }), second);
  await checkRecords.record(record({ measurements: lastMeasurements([], checkRecords.read('supply', 'tide')?.measurements) }), []);
  const values = (all: CheckRecord['measurements'] = []) =>
    all.map(({ series, name, values: { rank: value } }) => [series.split('/')[2], name, value]);
  await checkRecords.flush();
  const reopened = await openCheckRecords(store);
  for (const one of [checkRecords, reopened])
    expect(values(one.read('supply', 'tide')?.measurements)).toEqual([
      ['b', 'TIDE', '51'],
      ['a', 'TIDE', '12'],
    ]);
  expect(checkRecords.measurements('supply', 'tide').map(({ event }) => event.id)).toEqual([second[0]?.event.id, first[0]?.event.id]);
  expect(reopened.measurements('supply', 'tide')).toEqual([]);
});

test('the last value of a measure stays known while checks do not get it, with its date', () => {
  const [first, unknown, found] = [NOON, later(NOON, HOUR), later(NOON, 2 * HOUR)];
  const of = (value: number | undefined, at = first, before: CheckRecord['measurements'] = []) =>
    lastMeasurements([measurement(value, at)], before);
  const missing = of(undefined, unknown, of(5));
  expect(missing[0]?.values).toEqual({});
  expect(lastPoint(missing[0], 'premium')).toEqual({ at: first, value: '5' });
  expect(lastPoint(of(undefined, found, missing)[0], 'premium')).toEqual({ at: first, value: '5' });
  const [again] = of(6, found, missing);
  expect(lastPoint(again, 'premium')).toEqual({ at: found, value: '6' });
  expect(again?.earlier).toBeUndefined();
  expect(lastPoint(again, 'nav')).toBeUndefined();
});

test('measurements that are not newer than the last of their series are left out, unless that is dated in the future', () => {
  const at = (minutes: number) => measurement(7, later(NOON, minutes * MINUTE));
  const newer = at(1);
  const known = lastMeasurements([measurement(5, NOON)]);
  const other = measurement(7, later(NOON, -HOUR), { project: 'heron' });
  const all = [at(-1), at(0), newer, other];
  expect(newerThan(known, all, later(NOON, HOUR))).toEqual([newer, other]);
  expect(newerThan(known, all, later(NOON, -1))).toEqual(all);
});

test('series without a measurement for 90 days are forgotten, as the tokens that a wallet once held', async () => {
  const checkRecords = await openCheckRecords(await openStore('memory://'));
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  for (let day = 0; day < 200; day += 1) {
    const at = later(NOON, day * DAY);
    const read = [measurement(5, at, { feed: 'wallet', wallet, measure: 'rank', id: `wallet/${wallet}/token${day}/rank/${at}` })];
    await checkRecords.record(record({ triedAt: at, okAt: at }), read);
  }
  expect(checkRecords.measurements('supply', 'tide')).toHaveLength(91);
});

const figures = (value: number, hour: number, id = 'premium'): CheckRecord['measurements'] =>
  lastMeasurements([measurement(value, later(NOON, hour * HOUR), { id: `premium/${id}/${hour}` })]);
const at = (hours: number) => ({ triedAt: later(NOON, hours * HOUR), okAt: later(NOON, hours * HOUR) });

test('a check that went as the one before is in memory until the flush; a crash before it leaves the one before', async () => {
  const store = await openStore('memory://');
  const checkRecords = await openCheckRecords(store);
  await checkRecords.record(record({ measurements: figures(5, 0) }));
  const next = record({ ...at(1), cost: 2, changes: 0.5, measurements: figures(6, 1) });
  await checkRecords.record(next);
  expect(checkRecords.read('supply', 'tide')).toEqual(next);
  expect((await openCheckRecords(store)).read('supply', 'tide')).toEqual(record({ measurements: figures(5, 0) }));
  await checkRecords.flush();
  expect((await openCheckRecords(store)).read('supply', 'tide')).toEqual(next);
});

test.each<readonly [string, Partial<CheckRecord>, Partial<CheckRecord>]>([
  ['the first success', { okAt: undefined, failures: 2, problem: 'timeout' }, {}],
  ['a failure', {}, { failures: 1, problem: 'timeout', failingSince: NOON }],
  ['a second failure', { failures: 1, problem: 'timeout' }, { failures: 2, problem: 'timeout' }],
  ['a success after failures', { failures: 1, problem: 'timeout' }, {}],
  ['an event', {}, { eventAt: NOON }],
  ['rows that became hidden', {}, { hidden: 1 }],
  ['rows that became unreadable', {}, { broken: 1 }],
  ['a list that became incomplete', {}, { complete: false }],
  ['the end of an absence', {}, { gap: { from: NOON, to: later(NOON, HOUR) } }],
  ['a market that opened', {}, { priorityWindows: [{ kind: 'market' }] }],
  [
    'a token that was bought',
    { measurements: figures(5, 0) },
    { measurements: [...(figures(5, 1) ?? []), ...(figures(5, 1, 'other') ?? [])] },
  ],
])('%s is durable at once', async (_what, before, after) => {
  const store = await openStore('memory://');
  const checkRecords = await openCheckRecords(store);
  await checkRecords.record(record(before));
  await checkRecords.record(record({ ...at(1), ...after }));
  expect((await openCheckRecords(store)).read('supply', 'tide')).toEqual(checkRecords.read('supply', 'tide'));
});

test('a flush that fails is made up for by the next one, and writes nothing of what was forgotten', async () => {
  const store = failing(await openStore('memory://'));
  const checkRecords = await openCheckRecords(store);
  for (const subject of ['tide', 'heron']) await checkRecords.record(record({ subject }));
  for (const subject of ['tide', 'heron']) await checkRecords.record(record({ subject, ...at(1) }));
  store.fails(1);
  await expect(checkRecords.flush()).rejects.toThrow();
  await checkRecords.forget('supply', 'heron');
  await checkRecords.flush();
  expect((await openCheckRecords(store)).all()).toEqual([record({ ...at(1) })]);
});

test('a record is written after what it follows from, at once and with the flush, or not at all', async () => {
  const store = await openStore('memory://');
  const settled: string[] = [];
  let isDown = false;
  const checkRecords = await openCheckRecords(store, async (key) => {
    if (isDown) throw new Error('full');
    settled.push(key);
  });
  await checkRecords.record(record());
  await checkRecords.record(record(at(1)));
  isDown = true;
  await expect(checkRecords.flush()).rejects.toThrow('full');
  expect((await openCheckRecords(store)).all()).toEqual([record()]);
  isDown = false;
  await checkRecords.flush();
  expect((await openCheckRecords(store)).all()).toEqual([record(at(1))]);
  expect(settled).toEqual(['supply/tide', 'supply/tide']);
});
