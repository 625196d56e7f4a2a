/** A check that dies at any write: what survives in the store, recovered by the next process, must tell each event once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAUSE } from '../../src/alerts/queue/batch.js';
import { deliver } from '../../src/alerts/delivery/deliver.js';
import { MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { openStore } from '../../src/store/open.js';
import { ALL, CHAT, platform, TIDE } from '../alerts/harness.js';
import { StoreCrash, crashStore, deaths, type CrashStore } from '../alerts/crash-store.js';
import { handClock } from '../support/clock.js';
import { failing } from './failing-store.js';
import { openJobsHarness, SOURCE, type JobsHarness } from './harness.js';
import { project, surface } from './fake-service.js';
import { runs, spread } from '../support/properties.js';

const CHATS = [CHAT, address('console', 'second'), address('console', 'third')];
const KEY = 'supply/tide';
const ids = (numbers: readonly number[]): readonly string[] => numbers.map((number) => `supply/tide/${number}`);
const upTo = (count: number, from = 1): readonly number[] => Array.from({ length: count }, (_, index) => from + index);

/** A place where processes come and go: the store, the service, the clock and the chats outlive them. */
async function openPlace() {
  const clock = handClock();
  const store = await openStore('memory://');
  const seen = surface(clock);
  const to = platform();
  const task: Task = { feed: seen.feed(), subject: project('tide') };
  const start = async (over = store) => openJobsHarness({ store: over, clock, seen, to });
  const first = await start();
  for (const chat of CHATS) await first.watch(chat === CHAT ? TIDE : ALL, {}, chat);
  await poll(task, first.poll);
  return { clock, store, seen, to, task, start };
}
type Place = Awaited<ReturnType<typeof openPlace>>;

/** One life of the bot that checks once, recovering first, on a store that may die. Returns whether it lived to the end. */
async function live({ start, task }: Place, store: CrashStore): Promise<boolean> {
  try {
    const harness = await start(store);
    await recover(harness.poll);
    await poll(task, harness.poll);
  } catch (cause) {
    if (!(cause instanceof StoreCrash)) throw cause;
  }
  return !store.dead;
}

/** Everything alerted exactly once, in every chat, and nothing left to tell. */
async function expectOnce(harness: JobsHarness, numbers: readonly number[], waiting = numbers): Promise<void> {
  expect(await harness.kept()).toEqual(ids(numbers).toSorted());
  for (const chat of CHATS) expect(harness.waiting(chat)).toEqual(ids(waiting));
  expect(await harness.watermark(KEY)).toEqual({ source: SOURCE, watermark: { alerted: numbers }, pending: [] });
}

/** Counts the writes of one whole life, so that a death can be put at each of them. */
async function writesOf(numbers: readonly number[]): Promise<number> {
  const place = await openPlace();
  place.seen.shows('tide', ...numbers);
  const whole = crashStore(place.store);
  expect(await live(place, whole)).toBe(true);
  await expectOnce(await place.start(), numbers);
  return whole.writes();
}

test('a death at any write of a check loses and doubles nothing', async () => {
  const numbers = upTo(4);
  const writes = await writesOf(numbers);
  // The watermark with its events, each event, each queue, the check record that says they are routed.
  expect(writes).toBe(1 + numbers.length + CHATS.length + 1);
  for (const death of deaths(writes)) {
    const place = await openPlace();
    place.seen.shows('tide', ...numbers);
    expect(await live(place, crashStore(place.store, death))).toBe(false);
    const after = await place.start();
    await recover(after.poll);
    expect(await poll(place.task, after.poll)).toBe(true);
    await expectOnce(after, numbers);
    expect(after.checkRecords.read('supply', 'tide')).toMatchObject({ failures: 0, okAt: place.clock.now() });
  }
});

test('a death at any write of a check with more events than are handed on at once loses and doubles nothing', async () => {
  const numbers = upTo(54);
  for (const death of deaths(await writesOf(numbers))) {
    const place = await openPlace();
    place.seen.shows('tide', ...numbers);
    await live(place, crashStore(place.store, death));
    expect(await live(place, crashStore(place.store))).toBe(true);
    await expectOnce(await place.start(), numbers);
  }
});

test('a death at any write of the recovery from a death loses and doubles nothing', async () => {
  const numbers = upTo(2);
  const writes = Array.from({ length: await writesOf(numbers) }, (_, index) => index + 1);
  for (const [first, second] of spread(writes.flatMap((one) => writes.map((other) => [one, other] as const)))) {
    const place = await openPlace();
    place.seen.shows('tide', ...numbers);
    await live(place, crashStore(place.store, { until: first, written: first % 2 === 0 }));
    await live(place, crashStore(place.store, { until: second, written: second % 3 === 0 }));
    expect(await live(place, crashStore(place.store))).toBe(true);
    await expectOnce(await place.start(), numbers);
  }
});

test('recovery alone reports what was found, whether or not the service ever answers again', async () => {
  const numbers = upTo(3);
  const place = await openPlace();
  place.seen.shows('tide', ...numbers);
  await live(place, crashStore(place.store, { until: 1, written: true }));
  place.seen.takeAsked();
  const after = await place.start();
  for (const chat of CHATS) expect(after.waiting(chat)).toEqual([]);
  await recover(after.poll);
  expect(place.seen.takeAsked()).toEqual([]);
  await expectOnce(after, numbers);
});

test.each([{ written: false }, { written: true }])(
  'a store that fails at any one write and lives on loses and doubles nothing ($written)',
  async ({ written }) => {
    const numbers = upTo(4);
    const writes = await writesOf(numbers);
    for (let after = 0; after < writes; after += 1) {
      const place = await openPlace();
      place.seen.shows('tide', ...numbers);
      const store = failing(place.store);
      const harness = await place.start(store);
      store.fails(1, { after, written });
      expect(await poll(place.task, harness.poll)).toBe(false);
      expect(await poll(place.task, harness.poll)).toBe(true);
      await expectOnce(harness, numbers);
      // What stands in memory is what stands in the store.
      await expectOnce(await place.start(), numbers);
    }
  },
);

type Step =
  | { readonly kind: 'happens'; readonly count: number }
  | { readonly kind: 'checks'; readonly until: number; readonly written: boolean }
  | { readonly kind: 'delivers' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('happens' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('checks' as const), until: fc.integer({ min: 1, max: 24 }), written: fc.boolean() }),
  fc.record({ kind: fc.constant('delivers' as const) }),
);

async function deliverAll(harness: JobsHarness): Promise<void> {
  await harness.clock.advance(PAUSE);
  for (const chat of CHATS) await deliver(chat, harness.context, harness.signal);
}

test('any split of the events into checks, any deaths and any deliveries between them report each event once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const place = await openPlace();
      let happened = 0;
      for (const one of steps) {
        await place.clock.advance(MINUTE);
        if (one.kind === 'happens') place.seen.shows('tide', ...upTo(one.count, happened + 1));
        if (one.kind === 'happens') happened += one.count;
        if (one.kind === 'checks') await live(place, crashStore(place.store, one));
        if (one.kind === 'delivers') await deliverAll(await place.start());
      }
      expect(await live(place, crashStore(place.store))).toBe(true);
      const after = await place.start();
      await deliverAll(after);
      const all = upTo(happened);
      await expectOnce(after, all, []);
      // Each message stands there once; what it tells, in full or as a count, is in its receipt.
      const receipts = CHATS.flatMap((chat) => after.queues.read(chat).receipts.map(({ id }) => id));
      expect(place.to.shown.map(({ id }) => id).toSorted()).toEqual(receipts.toSorted());
      for (const chat of CHATS) {
        const alerted = after.queues
          .read(chat)
          .receipts.toReversed()
          .flatMap((receipt) => receipt.members.map((member) => member.event));
        expect(alerted).toEqual(ids(all));
      }
    }),
    { numRuns: runs(150) },
  );
});
