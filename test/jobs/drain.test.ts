import { expect, test } from 'vitest';
import { GATHER, PAUSE } from '../../src/alerts/queue/batch.js';
import type { DeliverContext } from '../../src/alerts/delivery/deliver.js';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import type { Notifier } from '../../src/chat/notifier.js';
import { createDrain } from '../../src/jobs/drain.js';
import { openStore } from '../../src/store/open.js';
import { amounts, burn, CHAT, platform, TIDE } from '../alerts/harness.js';
import { handClock, settled } from '../support/clock.js';
import { failing } from './failing-store.js';
import { openJobsHarness } from './harness.js';

const OTHER = address('console', 'other');

test('what waits for the end of a mute is checked through once, and again when the mute or the queue changes', async () => {
  const harness = await openJobsHarness();
  await harness.watch(TIDE, { mutedUntil: later(harness.clock.now(), HOUR) });
  await harness.announce(burn(1, harness.clock.now()));
  let checkRecords = 0;
  let isWaiting = true;
  const counted = new Proxy(harness.queues.read(CHAT), {
    get: (of, part) => {
      if (part === 'waiting') checkRecords += 1;
      return Reflect.get(of, part) as unknown;
    },
  });
  const queues = { ...harness.queues, read: (chat: Address) => (isWaiting ? counted : harness.queues.read(chat)) };
  const drain = createDrain({ ...harness.context, queues });
  const looksOfATick = async () => {
    checkRecords = 0;
    await harness.clock.advance(SECOND);
    drain.tick();
    await drain.idle();
    return checkRecords;
  };
  expect(await looksOfATick()).toBeGreaterThan(0);
  expect(await looksOfATick()).toBe(0);
  await harness.watch(TIDE, { mutedUntil: harness.clock.now() });
  expect(await looksOfATick()).toBeGreaterThan(0);
  isWaiting = false;
  await harness.clock.advance(GATHER);
  await looksOfATick();
  expect(amounts(harness.to.shown)).toEqual([1]);
});

/** A platform that takes its time in some chats, until it is let go. */
function slow(inner: Notifier) {
  const waiting = new Map<Address, () => void>();
  const holding = new Set<Address>();
  const began: Address[] = [];
  const notifier: Notifier = {
    ...inner,
    async deliver(to, delivery) {
      began.push(to);
      if (holding.has(to)) await new Promise<void>((resolve) => waiting.set(to, resolve));
      return inner.deliver(to, delivery);
    },
  };
  return {
    notifier,
    /** The chats that deliveries were begun in, one for each attempt. */
    began,
    holds: (chat: Address) => void holding.add(chat),
    lets: (chat: Address) => {
      holding.delete(chat);
      waiting.get(chat)?.();
    },
  };
}

async function openDock() {
  const clock = handClock();
  const store = failing(await openStore('memory://'));
  const to = platform();
  const harness = await openJobsHarness({ store, clock, to });
  const line = slow(to.notifier);
  const context: DeliverContext = { ...harness.context, notifiers: [line.notifier] };
  const drain = createDrain(context);
  await harness.watch(TIDE);
  return {
    ...harness,
    ...line,
    store,
    drain,
    burned: async (amount: number) => harness.announce(burn(amount, clock.now())),
    /** The amounts that were shown, in order. */
    shown: () => amounts(to.shown),
  };
}

test('nothing is begun while nothing is due, and idle is at once', async () => {
  const { drain, burned, clock, began } = await openDock();
  drain.tick();
  await burned(1);
  drain.tick();
  await clock.advance(GATHER - 1);
  drain.tick();
  await drain.idle();
  expect(began).toEqual([]);
  await clock.advance(1);
  drain.tick();
  await drain.idle();
  expect(began).toEqual([CHAT]);
});

test('a tick does not wait for the deliveries it begins, and idle does', async () => {
  const { drain, burned, clock, began, holds, lets, shown } = await openDock();
  await burned(1);
  await clock.advance(GATHER);
  holds(CHAT);
  drain.tick();
  let idle = false;
  const waited = drain.idle().then(() => (idle = true));
  await settled();
  expect(began).toEqual([CHAT]);
  expect([...drain.running()]).toEqual([[CHAT, clock.now()]]);
  expect(idle).toBe(false);
  expect(shown()).toEqual([]);
  lets(CHAT);
  await waited;
  expect(shown()).toEqual([1]);
});

test('however often it ticks, one delivery at a time is under way in a chat, and all of them come in order', async () => {
  const { drain, burned, clock, began, holds, lets, shown } = await openDock();
  for (let amount = 1; amount <= 2; amount += 1) await burned(amount);
  await clock.advance(GATHER);
  holds(CHAT);
  for (let tick = 0; tick < 5; tick += 1) {
    drain.tick();
    await burned(3 + tick);
    await clock.advance(SECOND);
  }
  expect(began).toEqual([CHAT]);
  lets(CHAT);
  await drain.idle();
  await clock.advance(PAUSE);
  drain.tick();
  await drain.idle();
  expect(began).toEqual([CHAT, CHAT]);
  expect(shown()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a chat whose platform is slow does not hold up another', async () => {
  const { drain, burned, clock, began, holds, lets, watch, queues } = await openDock();
  await watch(TIDE, {}, OTHER);
  await burned(1);
  await clock.advance(GATHER);
  holds(CHAT);
  drain.tick();
  await settled();
  expect(began.toSorted()).toEqual([CHAT, OTHER].toSorted());
  expect(queues.read(OTHER).receipts).toMatchObject([{ end: 'sent' }]);
  expect(queues.read(CHAT).receipts).toEqual([]);
  await burned(2);
  await clock.advance(PAUSE);
  drain.tick();
  await settled();
  expect(queues.read(OTHER).receipts).toHaveLength(2);
  lets(CHAT);
  await drain.idle();
  await clock.advance(PAUSE);
  drain.tick();
  await drain.idle();
  expect(queues.read(CHAT).receipts).toHaveLength(2);
});

test('a store that fails is logged once however often it is tried, and once when it is well again; nothing is lost', async () => {
  const { drain, burned, clock, store, names, shown } = await openDock();
  await burned(1);
  await clock.advance(GATHER);
  store.fails(3);
  for (let tick = 0; tick < 5; tick += 1) {
    drain.tick();
    await drain.idle();
    await clock.advance(SECOND);
  }
  expect(names()).toEqual(['error drain.failed', 'info drain.well-again']);
  expect(shown()).toEqual([1]);
  await burned(2);
  await clock.advance(PAUSE);
  store.fails(1);
  drain.tick();
  await drain.idle();
  expect(names().slice(2)).toEqual(['error drain.failed']);
});

test('a chat that fails is said for itself; the other delivers', async () => {
  const { drain, burned, clock, store, watch, noted, queues } = await openDock();
  await watch(TIDE, {}, OTHER);
  await burned(1);
  await clock.advance(GATHER);
  store.fails(1);
  drain.tick();
  await drain.idle();
  const failed = noted.filter(({ event }) => event === 'drain.failed').map(({ fields }) => fields['address']);
  expect(failed).toEqual([CHAT]);
  expect(queues.read(OTHER).receipts).toMatchObject([{ end: 'sent' }]);
});

test('stopping finishes the delivery that began, with its receipt, and begins no other', async () => {
  const { drain, burned, clock, began, holds, lets, queues, waiting } = await openDock();
  await burned(1);
  await clock.advance(GATHER);
  holds(CHAT);
  drain.tick();
  await settled();
  await burned(2);
  await clock.advance(GATHER);
  let stopped = false;
  const stop = drain.stop().then(() => (stopped = true));
  await settled();
  expect(stopped).toBe(false);
  lets(CHAT);
  await stop;
  expect(queues.read(CHAT).receipts).toMatchObject([{ end: 'sent', attempts: 1 }]);
  expect(queues.read(CHAT).open).toBeUndefined();
  expect(waiting()).toEqual(['supply/tide/2']);
  await clock.advance(MINUTE);
  drain.tick();
  await drain.stop();
  expect(began).toEqual([CHAT]);
});

test('a chat that is muted is left alone until the mute ends', async () => {
  const { drain, burned, clock, watch, shown } = await openDock();
  await watch(TIDE, { mutedUntil: later(clock.now(), HOUR) });
  await burned(1);
  await clock.advance(HOUR + GATHER - 1);
  drain.tick();
  await drain.idle();
  expect(shown()).toEqual([]);
  await clock.advance(1);
  drain.tick();
  await drain.idle();
  expect(shown()).toEqual([1]);
});
