/** A tick, a check, an event, a measurement and a message touch the chats they concern: counted, not timed. */
import { expect, test } from 'vitest';
import { route } from '../../src/alerts/evaluation/route.js';
import { routeMeasurements } from '../../src/alerts/evaluation/route-measurements.js';
import type { Audience } from '../../src/alerts/watchlist/subscribers.js';
import type { Watchlists } from '../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, SECOND } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import { slug } from '../../src/domain/scalars.js';
import { CheckSlots } from '../../src/jobs/check-slots.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { createReachability } from '../../src/alerts/delivery/reachability.js';
import { burn, entry, TIDE } from '../alerts/harness.js';
import { measurement } from '../alerts/measurements.js';
import { openJobsHarness } from './harness.js';
import { handClock } from '../support/clock.js';
import { overriding } from '../support/overriding.js';
import { project, surface } from './fake-service.js';

const CROWD = 300;
const chatNamed = (number: number): Address => address('telegram', `-${number}`);

/** Three hundred chats watch other projects, three of them `tide` too; the documents that are read of them are counted. */
async function openCrowd() {
  const harness = await openJobsHarness();
  const since = later(harness.clock.now(), -HOUR);
  for (let number = 0; number < CROWD; number += 1) {
    const entries = [entry({ kind: 'project', slug: slug(`p-${number % 5}`) }, since), ...(number < 3 ? [entry(TIDE, since)] : [])];
    await harness.watchlists.change(chatNamed(number), (chat) => ({ ...chat, entries }));
  }
  const visited = new Set<Address>();
  let demanded = 0;
  const { here, kept } = harness.watchlists;
  const counted: Watchlists = overriding(harness.watchlists, {
    here: overriding(here, {
      groups() {
        demanded += 1;
        return here.groups();
      },
    }),
    kept: overriding(kept, {
      groups() {
        demanded += 1;
        return kept.groups();
      },
    }),
    read(chat) {
      visited.add(chat);
      return harness.watchlists.read(chat);
    },
    compact(chat) {
      visited.add(chat);
      return harness.watchlists.compact(chat);
    },
    readOnly(chat, isWanted) {
      visited.add(chat);
      return harness.watchlists.readOnly(chat, isWanted);
    },
    all: () => {
      throw new Error('all chats are visited');
    },
    left: () => {
      throw new Error('all chats that left are visited');
    },
  });
  const taken = (): number => {
    const { size } = visited;
    visited.clear();
    return size;
  };
  return { ...harness, counted, taken, demanded: () => demanded };
}

test('an event visits the chats that watch what it is about, and nobody where nobody does', async () => {
  const { counted, queues, taken, clock } = await openCrowd();
  const to = async (about: string) =>
    route([burn(1, clock.now(), { project: slug(about) })], { watchlists: counted, queues, now: clock.now() });
  await to('tide');
  expect(taken()).toBe(3);
  await to('nobodys');
  expect(taken()).toBe(0);
});

test('a measurement that nobody subscribes to visits nobody', async () => {
  const { counted, queues, rules, archive, taken, clock } = await openCrowd();
  const measured = async (about: string) => {
    const measurements = [measurement(5, clock.now(), { project: about })];
    await routeMeasurements(
      { measurements, before: [], first: false },
      { key: `premium/${about}`, watchlists: counted, queues, rules, archive, now: clock.now() },
    );
  };
  await measured('nobodys');
  expect(taken()).toBe(0);
  await measured('tide');
  expect(taken()).toBe(3);
});

test('a check that finds nothing, a tick and a sweep visit nobody, and work out once what is wanted', async () => {
  const { watcher: context, counted, taken, demanded, clock, watchlists, seen } = await openCrowd();
  const watcher = new Watcher({ ...context, watchlists: counted });
  const tick = async () => {
    await watcher.tick();
    await watcher.idle();
  };
  await tick();
  expect([taken(), demanded()]).toEqual([0, 1]);
  for (let times = 0; times < 3; times += 1) {
    await clock.advance(SECOND);
    await tick();
    await watcher.forgetUnwatched();
  }
  expect([taken(), demanded()]).toEqual([0, 2]);
  await watchlists.change(chatNamed(7), (chat) => ({ ...chat, mutedUntil: clock.now() }));
  await tick();
  expect([taken(), demanded()]).toEqual([0, 2]);
  await watchlists.change(chatNamed(7), (chat) => ({ ...chat, entries: [] }));
  await tick();
  expect([taken(), demanded()]).toEqual([0, 3]);
  expect(seen.takeAsked().length).toBeGreaterThan(0);
});

test('a sweep reads watermarks after a change of watchlists, else once an hour, when one that a late check wrote goes', async () => {
  const { watcher: context, clock, watchlists } = await openCrowd();
  let scans = 0;
  const watermarks = {
    ...context.watermarks,
    scan(under?: string) {
      scans += 1;
      return context.watermarks.scan(under);
    },
  };
  const watcher = new Watcher({ ...context, watermarks });
  const kept = async () => (await watermarks.list()).found.length;
  await watcher.forgetUnwatched();
  await watermarks.set('supply/nobodys', { source: 'late', watermark: null, pending: [] });
  await clock.advance(HOUR - 1);
  await watcher.forgetUnwatched();
  expect([scans, await kept()]).toEqual([1, 1]);
  await clock.advance(1);
  await watcher.forgetUnwatched();
  expect([scans, await kept()]).toEqual([2, 0]);
  await watchlists.change(chatNamed(7), (chat) => ({ ...chat, entries: [] }));
  await watcher.forgetUnwatched();
  expect(scans).toBe(3);
});

test('a message of a chat visits that chat and its topics', async () => {
  const { counted, queues, rules, taken, clock, log, watchlists } = await openCrowd();
  const topic = address('telegram', '-7', '2');
  await watchlists.change(topic, (chat) => ({ ...chat, entries: [entry(TIDE, clock.now())] }));
  const reachability = createReachability({ watchlists: counted, queues: { ...queues, all: () => [] }, rules, listed: [], clock, log });
  await reachability.take({ kind: 'back', chat: chatNamed(7) });
  reachability.formerNames('telegram/chat/-7');
  expect(taken()).toBe(2);
});

test('a check that a whole crowd waits for has one turn for all of them, which names none', () => {
  let named = 0;
  const crowd = {
    size: 100_000,
    has: (chat: string) => chat.startsWith('crowd-'),
    *[Symbol.iterator]() {
      named += 1;
      yield 'crowd-1';
    },
  };
  const began: string[] = [];
  const slots = new CheckSlots({
    run: async ({ subject }) => {
      began.push(typeof subject === 'object' && 'slug' in subject ? subject.slug : '');
      return new Promise<boolean>(() => {});
    },
    affordable: () => () => true,
  });
  const clock = handClock();
  const feed = surface(clock).feed();
  const first = (name: string, chats: Audience) => ({
    ...{ task: { feed, subject: project(name), chats: [chats] }, neverRan: true, since: clock.now() },
  });
  const shared = Array.from({ length: 12 }, (_, number) => first(`shared-${number}`, crowd));
  slots.offer({ first: [...shared, first('own', new Set(['chat-1']))], late: [], isWanted: () => true });
  expect(began).toContain('own');
  expect(began).toHaveLength(8);
  expect(named).toBe(0);
});
