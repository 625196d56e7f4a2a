import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { GATHER } from '../../src/alerts/queue/batch.js';
import { deliver } from '../../src/alerts/delivery/deliver.js';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { CHECK_DEADLINE } from '../../src/jobs/plan/check-order.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { openStore } from '../../src/store/open.js';
import { amounts, burn, CHAT, TIDE } from '../alerts/harness.js';
import { settled } from '../support/clock.js';
import { failing } from './failing-store.js';
import { openJobsHarness, SOURCE, type JobsHarnessOptions } from './harness.js';
import { project, trouble } from './fake-service.js';

const OTHER = address('console', 'other');
const KEY = 'supply/tide';

/** A harness whose chat watches one project that has been checked before, with two rows in it. */
async function openPost(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const task: Task = { feed: harness.seen.feed(), subject: project('tide') };
  await harness.watch(TIDE);
  harness.seen.shows('tide', 1, 2);
  const check = async () => poll(task, harness.poll);
  await check();
  harness.seen.takeAsked();
  return {
    ...harness,
    task,
    check,
    watermark: async () => harness.watermark(KEY),
    record: () => harness.checkRecords.read('supply', 'tide'),
  };
}

test('the first check returns no events, remembers what stood there, and records how it went', async () => {
  const { waiting, kept, watermark, record, clock } = await openPost();
  expect(waiting()).toEqual([]);
  expect(await kept()).toEqual([]);
  expect(await watermark()).toEqual({ source: SOURCE, watermark: { alerted: [1, 2] }, pending: [] });
  const now = clock.now();
  expect(record()).toMatchObject({
    ...{ feed: 'supply', subject: 'tide', triedAt: now, okAt: now, failures: 0, hidden: 0, broken: 0, complete: true },
    eventAt: undefined,
  });
});

test('what is new is kept, queued for every chat that watches, and cleared from the watermark', async () => {
  const { seen, check, waiting, kept, watermark, record, watch, clock } = await openPost();
  await watch(TIDE, {}, OTHER);
  await watch(TIDE, { modes: { supply: 'off' } }, address('console', 'deaf'));
  seen.shows('tide', 4, 3);
  await clock.advance(MINUTE);
  expect(await check()).toBe(true);
  expect(waiting()).toEqual(['supply/tide/4', 'supply/tide/3']);
  expect(waiting(OTHER)).toEqual(waiting());
  expect(waiting(address('console', 'deaf'))).toEqual([]);
  expect(await kept()).toEqual(['supply/tide/3', 'supply/tide/4']);
  expect(await watermark()).toEqual({ source: SOURCE, watermark: { alerted: [1, 2, 4, 3] }, pending: [] });
  expect(record()).toMatchObject({ eventAt: clock.now(), okAt: clock.now() });
});

test('a check without events writes nothing; the next flush writes that it was made, and when events came last', async () => {
  const store = failing(await openStore('memory://'));
  const { seen, check, checkRecords, record, clock } = await openPost({ store });
  seen.shows('tide', 3);
  await check();
  const eventAt = clock.now();
  const written = store.wrote.length;
  await clock.advance(MINUTE);
  await check();
  expect(store.wrote.slice(written)).toEqual([]);
  expect(record()).toMatchObject({ eventAt, triedAt: clock.now() });
  await checkRecords.flush();
  await checkRecords.flush();
  expect(store.wrote.slice(written)).toEqual(['check/supply/tide']);
  expect((await openCheckRecords(store)).read('supply', 'tide')).toMatchObject({ eventAt, triedAt: clock.now() });
});

test('the check after a chat came back is durable at once, so that no later one takes the chat for just returned', async () => {
  const store = await openStore('memory://');
  const { seen, check, watchlists, clock } = await openPost({ store });
  seen.shows('tide', 3);
  await check();
  await clock.advance(20 * SECOND);
  const absence = { from: later(clock.now(), -10 * SECOND), to: clock.now() };
  await watchlists.change(CHAT, (chat) => ({ ...chat, absence }));
  await check();
  expect((await openCheckRecords(store)).read('supply', 'tide')).toMatchObject({ okAt: clock.now() });
});

test('a check asks in the background, refuses old copies and takes no answer older than half its interval', async () => {
  const { seen, poll: context } = await openPost();
  const signal = new AbortController().signal;
  await poll({ feed: seen.feed({ id: 'growth', every: 10 }), subject: project('tide') }, context, signal);
  expect(seen.asked.at(-1)).toMatchObject({
    check: 'growth/tide',
    options: { priority: 'poll', ifFailing: 'refuse', maxAge: 5 * MINUTE, signal },
  });
});

test('more events than are handed on at once come whole and in order', async () => {
  const { seen, check, waiting, kept, watermark } = await openPost();
  const many = Array.from({ length: 120 }, (_, index) => 200 - index);
  seen.shows('tide', ...many);
  await check();
  expect(waiting()).toEqual(many.map((amount) => `supply/tide/${amount}`));
  expect(await kept()).toHaveLength(120);
  expect(await watermark()).toMatchObject({ pending: [] });
});

test('a failed check leaves the watermark where it is, and what it missed is reported by the next good one', async () => {
  const { seen, check, waiting, watermark, record, clock } = await openPost();
  const before = await watermark();
  const okAt = clock.now();
  seen.shows('tide', 3);
  seen.fails(trouble('unreachable'));
  await clock.advance(MINUTE);
  expect(await check()).toBe(false);
  expect(await watermark()).toEqual(before);
  expect(waiting()).toEqual([]);
  expect(record()).toMatchObject({ triedAt: clock.now(), okAt, failures: 1, problem: 'unreachable', complete: true });
  seen.fails(undefined);
  expect(await check()).toBe(true);
  expect(waiting()).toEqual(['supply/tide/3']);
  expect(record()).toMatchObject({ failures: 0 });
  expect(record()?.problem).toBeUndefined();
});

test('a first check that fails makes no watermark, so the next one is the first', async () => {
  const { seen, poll: context, watermarks, waiting } = await openPost();
  const task: Task = { feed: seen.feed(), subject: project('heron') };
  seen.shows('heron', 1);
  seen.fails(trouble('timeout'));
  await poll(task, context);
  expect(await watermarks.get('supply/heron')).toBeUndefined();
  seen.fails(undefined);
  await poll(task, context);
  expect(waiting()).toEqual([]);
  expect(await watermarks.get('supply/heron')).toMatchObject({ watermark: { alerted: [1] } });
});

test('a watermark of another service makes a first check, and its pending events are still routed', async () => {
  const { seen, check, watermarks, waiting, kept, watermark, clock } = await openPost();
  await watermarks.set(KEY, { source: 'another service', watermark: { alerted: [] }, pending: [burn(9, clock.now())] });
  seen.shows('tide', 3);
  await check();
  expect(waiting()).toEqual(['supply/tide/9']);
  expect(await kept()).toEqual(['supply/tide/9']);
  expect(await watermark()).toEqual({ source: SOURCE, watermark: { alerted: [1, 2, 3] }, pending: [] });
});

test('rows that are hidden, broken or missing are recorded, and the record is cleared when all can be seen', async () => {
  const { seen, check, record } = await openPost();
  seen.blurs({ hidden: 3, broken: 2, complete: false });
  await check();
  expect(record()).toMatchObject({ hidden: 3, broken: 2, complete: false, failures: 0 });
  seen.fails(trouble('timeout'));
  await check();
  expect(record()).toMatchObject({ hidden: 3, broken: 2, complete: false, failures: 1 });
  seen.fails(undefined);
  seen.blurs({});
  await check();
  expect(record()).toMatchObject({ hidden: 0, broken: 0, complete: true, failures: 0 });
});

test('a failing check is logged once per change of its reason, and once when it is well again', async () => {
  const { seen, check, names, noted } = await openPost();
  for (const kind of ['timeout', 'timeout', 'forbidden', 'forbidden', 'forbidden'] as const) {
    seen.fails(trouble(kind));
    await check();
  }
  seen.fails(undefined);
  await check();
  await check();
  expect(names()).toEqual(['warn check.failed', 'warn check.failed', 'info check.recovered']);
  const said = noted.filter(({ level }) => level !== 'debug').map(({ fields }) => fields);
  expect(said).toMatchObject([{ check: KEY, problem: 'timeout' }, { problem: 'forbidden' }, { check: KEY, failures: 5 }]);
});

test('a mistake of ours is an error in the log, with its cause', async () => {
  const { seen, check, names, noted, record } = await openPost();
  const cause = new TypeError('not a feed');
  seen.fails(cause);
  expect(await check()).toBe(false);
  expect(names()).toEqual(['error check.failed']);
  expect(noted.at(-1)).toMatchObject({ fields: { problem: 'internal', cause } });
  expect(record()).toMatchObject({ failures: 1, problem: 'internal' });
});

test('a project that the service does not have counts as answered and troubles nobody', async () => {
  const { seen, check, names, record } = await openPost();
  seen.fails(trouble('unknown'));
  expect(await check()).toBe(true);
  expect(names()).toEqual([]);
  expect(record()).toMatchObject({ failures: 1, problem: 'unknown' });
});

test('a check that was stopped is neither recorded as failed nor logged', async () => {
  const { seen, task, poll: context, names, record } = await openPost();
  const before = record();
  const control = new AbortController();
  const release = seen.holds();
  const check = poll(task, context, control.signal);
  control.abort(new Error('stopping'));
  release();
  expect(await check).toBe(false);
  expect(record()).toEqual(before);
  expect(names()).toEqual([]);
});

test('two checks of the same subject run one after the other, so the second sees the watermark of the first', async () => {
  const { seen, check, waiting } = await openPost();
  seen.shows('tide', 3);
  const release = seen.holds();
  const both = [check(), check()];
  await settled();
  expect(seen.takeAsked()).toEqual([KEY]);
  release();
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(seen.takeAsked()).toEqual([KEY]);
  expect(waiting()).toEqual(['supply/tide/3']);
});

test('a watermark that cannot be read fails the check loudly; nothing is forgotten and nothing is reported', async () => {
  const store = await openStore('memory://');
  const { seen, check, waiting, names, noted, record } = await openPost({ store });
  const raw = store.collection({ prefix: 'watermark', schema: z.unknown(), version: 1 });
  await raw.set(KEY, { source: SOURCE, watermark: 1, pending: 'torn' });
  seen.shows('tide', 3);
  expect(await check()).toBe(false);
  expect(names()).toEqual(['error check.failed']);
  expect(String(noted.at(-1)?.fields['cause'])).toContain('mark/supply/tide');
  expect(record()).toMatchObject({ problem: 'internal' });
  expect(await raw.get(KEY)).toMatchObject({ pending: 'torn' });
  expect(waiting()).toEqual([]);
});

test('a watermark of an older layout of the feed fails the check rather than starting over without events', async () => {
  const { seen, check, watermarks, waiting, record, watermark } = await openPost();
  await watermarks.set(KEY, { source: SOURCE, watermark: { alerted: 'everything' }, pending: [] });
  seen.shows('tide', 3);
  expect(await check()).toBe(false);
  expect(record()).toMatchObject({ problem: 'internal' });
  expect(await watermark()).toMatchObject({ watermark: { alerted: 'everything' } });
  expect(waiting()).toEqual([]);
});

test('what a failing store left in the watermark goes out with the next check, even one that the service does not answer', async () => {
  const { seen, check, watermarks, waiting, watermark, clock } = await openPost();
  await watermarks.set(KEY, { source: SOURCE, watermark: { alerted: [1, 2, 3] }, pending: [burn(3, clock.now())] });
  seen.fails(trouble('unreachable'));
  expect(await check()).toBe(false);
  expect(waiting()).toEqual(['supply/tide/3']);
  expect(await watermark()).toEqual({ source: SOURCE, watermark: { alerted: [1, 2, 3] }, pending: [] });
});

test('what was delivered while the store would not record that it is routed is not reported again', async () => {
  const store = failing(await openStore('memory://'));
  const { seen, check, context, waiting, watermark, clock, to, signal } = await openPost({ store });
  seen.shows('tide', 3);
  // The mark, the event and the queue are written; the record that says so fails.
  store.fails(1, { after: 3 });
  expect(await check()).toBe(false);
  await clock.advance(GATHER);
  await deliver(CHAT, context, signal);
  await clock.advance(MINUTE);
  expect(await check()).toBe(true);
  expect(await watermark()).toMatchObject({ pending: [] });
  expect(waiting()).toEqual([]);
  expect(amounts(to.shown)).toEqual([3]);
});

test('a check whose outcome cannot be written says so and does not reject', async () => {
  const store = failing(await openStore('memory://'));
  const { seen, check, names } = await openPost({ store });
  seen.fails(trouble('timeout'));
  store.fails(1);
  expect(await check()).toBe(false);
  expect(names()).toEqual(['warn check.failed', 'error check.unrecorded']);
});

test("recovery hands on what every watermark still holds, and one that cannot be read stands in nobody's way", async () => {
  const store = await openStore('memory://');
  const harness = await openJobsHarness({ store });
  const { watermarks, clock, watch, waiting, poll: context, names, noted, kept } = harness;
  await watch(TIDE);
  await watch({ kind: 'all' }, {}, OTHER);
  const raw = store.collection({ prefix: 'watermark', schema: z.unknown(), version: 1 });
  await raw.set('growth/tide', { pending: 'torn' });
  await watermarks.set('supply/tide', { source: SOURCE, watermark: { alerted: [1] }, pending: [burn(1, clock.now())] });
  const elsewhere = burn(2, clock.now(), { id: 'launches/all/2', feed: 'launches', project: undefined });
  await watermarks.set('launches/all', { source: 'another service', watermark: { alerted: [2] }, pending: [elsewhere] });
  await recover(context);
  expect(waiting()).toEqual(['supply/tide/1']);
  expect(waiting(OTHER).toSorted()).toEqual(['launches/all/2', 'supply/tide/1']);
  expect(await kept()).toEqual(['launches/all/2', 'supply/tide/1']);
  expect(await watermarks.get('launches/all')).toEqual({ source: 'another service', watermark: { alerted: [2] }, pending: [] });
  expect(names()).toEqual(['error watermark.unreadable']);
  expect(noted[0]).toMatchObject({ fields: { watermark: 'growth/tide' } });
  await clock.advance(SECOND);
  await recover(context);
  expect(waiting()).toEqual(['supply/tide/1']);
});

test('a late first check alerts what the service dates after the watch began', async () => {
  const { seen, poll: context, firstChecks, watch, waiting, clock, kept } = await openJobsHarness();
  const task: Task = { feed: seen.feed({ dated: true }), subject: project('tide') };
  await watch(TIDE);
  await firstChecks.begin(KEY, clock.now());
  seen.shows('tide', 1);
  await clock.advance(HOUR);
  expect(await poll(task, context)).toBe(true);
  expect(waiting()).toEqual(['supply/tide/1']);
  expect(await kept()).toEqual(['supply/tide/1']);
  expect(firstChecks.since(KEY)).toBeUndefined();
  expect(context.checks.read('supply', 'tide')?.missed).toBeUndefined();
  await clock.advance(MINUTE);
  await poll(task, context);
  expect(waiting()).toEqual(['supply/tide/1']);
});

test('a late first check of what the service does not date names the time it missed, for as long as its events could have been alerted', async () => {
  const { seen, poll: context, firstChecks, watch, waiting, clock } = await openJobsHarness();
  const task: Task = { feed: seen.feed(), subject: project('tide') };
  await watch(TIDE);
  const from = clock.now();
  await firstChecks.begin(KEY, from);
  seen.shows('tide', 1);
  seen.fails(trouble('unreachable'));
  await clock.advance(HOUR);
  await poll(task, context);
  seen.fails(undefined);
  await clock.advance(HOUR);
  const to = clock.now();
  await poll(task, context);
  const missed = () => context.checks.read('supply', 'tide')?.missed;
  expect([waiting(), missed()]).toEqual([[], { from, to }]);
  seen.fails(trouble('unreachable'));
  await poll(task, context);
  seen.fails(undefined);
  await poll(task, context);
  expect(missed()).toEqual({ from, to });
  await clock.advance(72 * HOUR);
  await poll(task, context);
  expect(missed()).toBeUndefined();
});

test('a first check in time misses nothing, and neither does one after another service was asked', async () => {
  const { seen, poll: context, firstChecks, watch, waiting, clock, watermarks } = await openJobsHarness();
  const task: Task = { feed: seen.feed(), subject: project('tide') };
  await watch(TIDE);
  await firstChecks.begin(KEY, clock.now());
  await clock.advance(CHECK_DEADLINE);
  await poll(task, context);
  expect(context.checks.read('supply', 'tide')?.missed).toBeUndefined();
  await watermarks.set(KEY, { source: 'another service', watermark: { alerted: [] }, pending: [] });
  await firstChecks.begin(KEY, clock.now());
  seen.shows('tide', 1);
  await clock.advance(HOUR);
  await poll({ ...task, feed: seen.feed({ dated: true }) }, context);
  expect(waiting()).toEqual([]);
});

test('a check that takes longer than its deadline has failed, and its lane is free', async () => {
  const { seen, poll: context, clock } = await openJobsHarness();
  const feed = seen.feed();
  const slowCheck: typeof feed.check = async (_, __, { options }) => {
    await clock.sleep(HOUR, options.signal);
    throw new Error('it was not ended');
  };
  const check = poll({ feed: { ...feed, check: slowCheck }, subject: project('tide') }, context);
  await clock.asleep(2);
  await clock.advance(CHECK_DEADLINE);
  expect(await check).toBe(false);
  expect(context.checks.read('supply', 'tide')).toMatchObject({ failures: 1, problem: 'timeout' });
  expect(clock.sleepers()).toBe(0);
  expect(await poll({ feed, subject: project('tide') }, context)).toBe(true);
});
