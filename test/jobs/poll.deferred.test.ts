/** Watermarks that moved without an event: they are written with the flush, before the record of their check, and a crash before it loses nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { drop } from '../../src/alerts/queue/queue.js';
import type { Member } from '../../src/alerts/queue/queued-event.js';
import { address, type Address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { openStore } from '../../src/store/open.js';
import { ALL, CHAT, TIDE } from '../alerts/harness.js';
import { rules } from '../alerts/measurements.js';
import { StoreCrash, crashStore, type CrashStore } from '../alerts/crash-store.js';
import { handClock } from '../support/clock.js';
import { runs } from '../support/properties.js';
import { failing } from './failing-store.js';
import { openJobsHarness, type JobsHarness } from './harness.js';
import { project, surface } from './fake-service.js';

const CHATS = [CHAT, address('console', 'second'), address('console', 'third')];
const KEY = 'premium/tide';
const WATERMARK = `watermark/${KEY}`;
const RECORD = `check/${KEY}`;

/** Two chats watch by a rule of their own and one by default rules. The first check was made, and the premium was −5%. */
async function openPlace() {
  const clock = handClock();
  const store = failing(await openStore('memory://'));
  const seen = surface(clock);
  const task: Task = { feed: seen.feed({ id: 'premium', moving: true }), subject: project('tide') };
  const start = async (over: CrashStore | typeof store = store) => openJobsHarness({ store: over, clock, seen });
  const harness = await start();
  for (const [index, chat] of CHATS.entries())
    await harness.watch(chat === CHAT ? TIDE : ALL, index === 2 ? {} : { rules: rules('premium<-10') }, chat);
  const reads = (value: number) => seen.reads('tide', { at: clock.now(), value });
  const check = async (value: number, by = harness): Promise<boolean> => {
    await clock.advance(MINUTE);
    reads(value);
    return poll(task, by.poll);
  };
  reads(-5);
  await poll(task, harness.poll);
  return { clock, store, seen, task, start, harness, reads, check };
}

const wroteBy = async ({ wrote }: { readonly wrote: readonly string[] }, work: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = wrote.length;
  await work();
  return wrote.slice(before);
};

async function flush({ checkRecords, watermarks }: JobsHarness): Promise<void> {
  await checkRecords.flush();
  await watermarks.flush();
}

/** Nothing waits any more: each event has a receipt. */
async function delivered({ queues, clock }: JobsHarness): Promise<void> {
  for (const chat of CHATS)
    await queues.change(chat, (queue) => drop(queue, { members: queue.waiting, now: clock.now(), because: 'delivered' }));
}

/** Every event that a chat got, delivered or waiting. */
const got = async ({ queues }: JobsHarness, chat: Address): Promise<readonly Member[]> => [
  ...(await queues.receipts(chat)).toReversed().flatMap(({ members }) => members),
  ...queues.read(chat).waiting,
];

const readIn = async (harness: JobsHarness): Promise<unknown> => (await harness.watermarks.get(KEY))?.watermark;

test('checks that find no event write their watermark once, with the flush and before their record', async () => {
  const { harness, store, check, clock } = await openPlace();
  expect(
    await wroteBy(store, async () => {
      for (const value of [-6, -7, -8]) await check(value);
    }),
  ).toEqual([]);
  expect(await readIn(harness)).toMatchObject({ read: clock.now() });
  expect(await wroteBy(store, async () => flush(harness))).toEqual([WATERMARK, RECORD]);
});

test('an event is written together with what the checks before it deferred', async () => {
  const { harness, store, check, seen, start, clock } = await openPlace();
  await check(-6);
  seen.shows('tide', 1);
  const wrote = await wroteBy(store, async () => check(-6));
  expect(wrote.slice(0, 2)).toEqual([WATERMARK, 'event/premium/tide/1']);
  expect(await readIn(await start())).toMatchObject({ alerted: [1], read: clock.now() });
  expect(await wroteBy(store, async () => flush(harness))).toEqual([]);
});

test("a chat's documents and the record of a failure are written after what they follow from", async () => {
  const { store, check, seen, harness, task } = await openPlace();
  await check(-6);
  const alert = await wroteBy(store, async () => check(-15));
  expect(alert.slice(0, 2)).toEqual([`rules-page/${KEY}/0`, `rules/${KEY}`]);
  expect(alert.findIndex((key) => key.startsWith('queue/'))).toBeGreaterThan(1);
  await flush(harness);
  await check(-16);
  seen.fails(new Error('away'));
  expect(await wroteBy(store, async () => poll(task, harness.poll))).toEqual([WATERMARK, RECORD]);
});

test('a record whose watermark could not be written waits for it', async () => {
  const { store, check, harness } = await openPlace();
  await check(-6);
  store.fails(1);
  expect(await wroteBy(store, async () => expect(flush(harness)).rejects.toThrow('locked'))).toEqual([WATERMARK]);
  expect(await wroteBy(store, async () => flush(harness))).toEqual([WATERMARK, RECORD]);
});

test('a check that ends after its subject was forgotten brings nothing back', async () => {
  const { store, check, harness } = await openPlace();
  await check(-6);
  await harness.watermarks.delete(KEY);
  await harness.checkRecords.forget('premium', 'tide');
  expect(await wroteBy(store, async () => flush(harness))).toEqual([]);
  expect(await harness.watermarks.get(KEY)).toBeUndefined();
});

type Step =
  | { readonly kind: 'reads'; readonly value: number }
  | { readonly kind: 'happens' }
  | { readonly kind: 'flushes' }
  | { readonly kind: 'delivers' }
  | { readonly kind: 'dies'; readonly until: number; readonly written: boolean; readonly steps: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reads' as const), value: fc.integer({ min: -9, max: 9 }) }) },
  fc.record({ kind: fc.constant('happens' as const) }),
  fc.record({ kind: fc.constant('flushes' as const) }),
  fc.record({ kind: fc.constant('delivers' as const) }),
  fc.record({
    kind: fc.constant('dies' as const),
    until: fc.integer({ min: 1, max: 12 }),
    written: fc.boolean(),
    steps: fc.integer({ min: 1, max: 4 }),
  }),
);

test('whatever dies before or during a flush, each event comes once, and each crossing that is there to be seen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const place = await openPlace();
      let happened = 0;
      let disk: CrashStore = crashStore(place.store);
      let life = await place.start(disk);
      await recover(life.poll);
      let left = 0;
      const live = async (work: (harness: JobsHarness) => Promise<unknown>): Promise<void> => {
        try {
          await work(life);
        } catch (cause) {
          if (!(cause instanceof StoreCrash)) throw cause;
        }
        // A killed process flushes nothing.
        if (!disk.dead && left !== 1) return void (left = Math.max(0, left - 1));
        left = 0;
        disk = crashStore(place.store);
        life = await place.start(disk);
        await recover(life.poll);
      };
      for (const one of steps) {
        if (one.kind === 'happens') place.seen.shows('tide', (happened += 1));
        if (one.kind === 'reads') await live(async (harness) => place.check(one.value, harness));
        if (one.kind === 'flushes') await live(flush);
        if (one.kind === 'delivers') await live(delivered);
        if (one.kind === 'dies') {
          disk = crashStore(place.store, one);
          life = await place.start(disk);
          left = one.steps;
          await live(async (harness) => recover(harness.poll));
        }
      }
      // Far beyond, and long after: the alert that each chat has to get, once.
      left = 0;
      life = await place.start();
      await recover(life.poll);
      for (const value of [5, -15, -15]) {
        await place.clock.advance(6 * HOUR);
        await place.check(value, life);
      }
      const ids = Array.from({ length: happened }, (_, index) => `premium/tide/${index + 1}`);
      for (const chat of CHATS) {
        const all = await got(life, chat);
        const events = all.map(({ event }) => event);
        expect(events).toHaveLength(new Set(events).size);
        expect(events.filter((event) => ids.includes(event)).toSorted()).toEqual(ids.toSorted());
        const values = all.map(({ crossings }) => Number(crossings?.[0]?.now.value)).filter((value) => value <= -10);
        expect(values).toEqual([-15]);
      }
    }),
    { numRuns: runs(150) },
  );
});
