/** The check record says which events are routed, so that the watermark document is not written a second time for them. */
import { expect, test } from 'vitest';
import { GATHER } from '../../src/alerts/queue/batch.js';
import { deliver } from '../../src/alerts/delivery/deliver.js';
import { withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { instant, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { burn, CHAT, TIDE } from '../alerts/harness.js';
import { failing } from './failing-store.js';
import { project, trouble } from './fake-service.js';
import { openJobsHarness, SOURCE } from './harness.js';

const KEY = 'supply/tide';
const OTHER = address('console', 'other');
const EVENT = 'supply/tide/3';

/** A chat that watches a project with a third row since its first check. */
async function openPost(store: Store) {
  const harness = await openJobsHarness({ store });
  const task: Task = { feed: harness.seen.feed(), subject: project('tide') };
  const check = async () => poll(task, harness.poll);
  await harness.watch(TIDE);
  harness.seen.shows('tide', 1, 2);
  await check();
  harness.seen.shows('tide', 3);
  await harness.clock.advance(MINUTE);
  const { clock, seen, to } = harness;
  return { ...harness, check, restart: async () => openJobsHarness({ store, clock, seen, to }) };
}

/** Their watermark document still has it as pending. */
const isOwed = { pending: [{ id: EVENT }] };

async function expectShownOnce({ restart, to }: Pick<Awaited<ReturnType<typeof openPost>>, 'restart' | 'to'>): Promise<void> {
  const next = await restart();
  await recover(next.poll);
  expect([next.waiting(), to.shown.length]).toEqual([[], 1]);
  expect(await next.watermark(KEY)).toMatchObject({ pending: [] });
}

test('an event that is recorded as routed is not routed again by a start, whatever is watched by then', async () => {
  const { check, watermarks, watch, restart } = await openPost(await openStore('memory://'));
  expect(await check()).toBe(true);
  expect(await watermarks.get(KEY)).toMatchObject(isOwed);
  await watch({ kind: 'all' }, { since: instant(0) }, OTHER);
  const next = await restart();
  await recover(next.poll);
  expect([next.waiting(), next.waiting(OTHER)]).toEqual([[EVENT], []]);
});

test('what was delivered and never recorded as routed is not repeated by a start', async () => {
  const store = failing(await openStore('memory://'));
  const post = await openPost(store);
  // From here on chats forget the ids of events that no watermark owes.
  post.queues.recovered();
  // Both records of the check fail: that of its success, and that of its failure.
  store.fails(2, { after: 3 });
  expect(await post.check()).toBe(false);
  expect(await post.watermarks.get(KEY)).toMatchObject(isOwed);
  await post.clock.advance(GATHER);
  await deliver(CHAT, post.context, post.signal);
  await expectShownOnce(post);
});

test('nor is it after a check that could not be recorded either', async () => {
  const store = failing(await openStore('memory://'));
  const post = await openPost(store);
  post.queues.recovered();
  store.fails(2, { after: 3 });
  await post.check();
  await post.clock.advance(MINUTE);
  post.seen.fails(trouble('unreachable'));
  store.fails(1);
  expect(await post.check()).toBe(false);
  await deliver(CHAT, post.context, post.signal);
  await expectShownOnce(post);
});

test('nor is it when a start routes the events of another watermark first', async () => {
  const store = failing(await openStore('memory://'));
  const post = await openPost(store);
  store.fails(2, { after: 3 });
  await post.check();
  await post.clock.advance(GATHER);
  await deliver(CHAT, post.context, post.signal);
  const other = burn(9, post.clock.now(), { id: 'growth/tide/9', feed: 'growth' });
  await post.watermarks.set('growth/tide', { source: SOURCE, watermark: { alerted: [9] }, pending: [other] });
  const next = await post.restart();
  await recover(next.poll);
  expect([next.waiting(), post.to.shown.length]).toEqual([['growth/tide/9'], 1]);
});

test('a watermark whose events are recorded as routed is forgotten before that record', async () => {
  const { check, watchlists, watermarks, checkRecords, watcher, clock } = await openPost(await openStore('memory://'));
  await check();
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await clock.advance(MINUTE);
  await new Watcher(watcher).forgetUnwatched();
  expect(await watermarks.get(KEY)).toBeUndefined();
  expect(checkRecords.all()).toEqual([]);
});

test('a record outlives a watermark document that cannot be deleted', async () => {
  const store = failing(await openStore('memory://'));
  const { check, watchlists, checkRecords, watcher, clock } = await openPost(store);
  await check();
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await clock.advance(MINUTE);
  store.fails(1);
  await expect(new Watcher(watcher).forgetUnwatched()).rejects.toMatchObject({ trouble: 'locked' });
  expect(checkRecords.all()).toMatchObject([{ routed: { events: [EVENT] } }]);
});
