/** Shared states of default rules on their way through a check: durable with their alert before it is routed, whatever dies in between. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statesIn } from '../../src/alerts/evaluation/shared-state-references.js';
import { detached } from '../../src/alerts/evaluation/stored-states.js';
import { createWhy, type Trace } from '../../src/alerts/explanation/explain.js';
import { drop } from '../../src/alerts/queue/queue.js';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { slug } from '../../src/domain/scalars.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { readShared } from '../../src/jobs/watermarks.js';
import { openStore } from '../../src/store/open.js';
import { crashStore, StoreCrash, type CrashStore } from '../alerts/crash-store.js';
import { ALL, CHAT, TIDE } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';
import { runs } from '../support/properties.js';
import { failing } from './failing-store.js';
import { project, surface } from './fake-service.js';
import { openJobsHarness, type JobsHarness } from './harness.js';

const CHATS = [CHAT, address('console', 'second'), address('console', 'third')];
const LATE = address('console', 'late');
const KEY = 'premium/tide';

/** Three chats watch the premium of one project by default rules. It fell below zero, so that they share the states of all rules. */
async function openPlace() {
  const clock = handClock();
  const store = await openStore('memory://');
  const seen = surface(clock);
  const task: Task = { feed: seen.feed({ id: 'premium' }), subject: project('tide') };
  const start = async (over = store) => openJobsHarness({ store: over, clock, seen });
  const harness = await start();
  for (const chat of CHATS) await harness.watch(chat === CHAT ? TIDE : ALL, {}, chat);
  const check = async (value: number, by = harness): Promise<boolean> => {
    seen.reads('tide', { at: clock.now(), value });
    const answered = await poll(task, by.poll);
    await clock.advance(10 * MINUTE);
    return answered;
  };
  for (const value of [1, -1]) await check(value);
  return { clock, store, seen, task, start, harness, check };
}
type Place = Awaited<ReturnType<typeof openPlace>>;

/** In each chat, what its alerts say the premium was, after the alerts of `openPlace`. */
const alerted = (harness: JobsHarness, chats = CHATS) =>
  chats.map((chat) =>
    harness.queues
      .read(chat)
      .waiting.map(({ crossings }) => Number(crossings?.[0]?.now.value))
      .filter((value) => value !== -1),
  );

const references = (harness: JobsHarness, chats = CHATS) =>
  chats.map((chat) => statesIn(harness.queues.read(chat)).filter(([, state]) => 'shared' in state).length);

/** A process that starts on this store and checks once. Returns whether it lived to the end. */
async function live(place: Place, store: CrashStore, value: number): Promise<boolean> {
  place.seen.reads('tide', { at: place.clock.now(), value });
  try {
    const harness = await place.start(store);
    await recover(harness.poll);
    await poll(place.task, harness.poll);
  } catch (cause) {
    if (!(cause instanceof StoreCrash)) throw cause;
  }
  await place.clock.advance(10 * MINUTE);
  return !store.dead;
}

async function expectKept(harness: JobsHarness, chats = CHATS): Promise<void> {
  for (const chat of chats)
    for (const { event } of harness.queues.read(chat).waiting) expect(await harness.archive.get(event), event).toBeDefined();
}

test('chats whose default rules have the same states refer to one state for each rule', async () => {
  const { harness } = await openPlace();
  expect(references(harness)).toEqual([4, 4, 4]);
  const document = await harness.watermarks.get(KEY);
  expect(Object.keys(document?.shared ?? {})).toHaveLength(4);
  expect(document?.sharedAlerts).toBeUndefined();
});

test('a rule that is armed again is one write, and an alert one for each chat beside the event and the shared states', async () => {
  const place = await openPlace();
  const store = failing(place.store);
  const harness = await place.start(store);
  await recover(harness.poll);
  await place.check(-3, harness);
  expect(store.wrote).toEqual([`watermark/${KEY}`]);
  const written = store.wrote.length;
  await place.check(3, harness);
  const wrote = store.wrote.slice(written);
  expect(wrote.filter((key) => key.startsWith('queue/'))).toHaveLength(CHATS.length);
  expect(wrote.filter((key) => key === `watermark/${KEY}`)).toHaveLength(2);
  expect(wrote).toHaveLength(CHATS.length + 3);
  expect(alerted(harness)).toEqual([[3], [3], [3]]);
  expect(references(harness)).toEqual([4, 4, 4]);
});

test('a single chat keeps its states by itself', async () => {
  const clock = handClock();
  const seen = surface(clock);
  const harness = await openJobsHarness({ clock, seen });
  const task: Task = { feed: seen.feed({ id: 'premium' }), subject: project('tide') };
  await harness.watch(TIDE);
  for (const value of [1, -1, 3]) {
    seen.reads('tide', { at: clock.now(), value });
    await poll(task, harness.poll);
    await clock.advance(HOUR);
  }
  expect(references(harness, [CHAT])).toEqual([0]);
  expect((await harness.watermarks.get(KEY))?.shared).toBeUndefined();
});

test('a chat that begins to watch keeps its own anchor until the first alert that all have', async () => {
  const { harness, check, clock } = await openPlace();
  await check(-3);
  await harness.watch(TIDE, { since: clock.now() }, LATE);
  await check(-4);
  const own = () => statesIn(harness.queues.read(LATE)).find(([key]) => key.includes('above'))?.[1];
  expect(own()).toMatchObject({ shared: true, own: { anchor: { value: '-4' } } });
  await check(3);
  expect(harness.queues.read(LATE).waiting.map(({ crossings }) => crossings?.[0]?.since.value)).toEqual(['-4']);
  expect(harness.queues.read(CHAT).waiting.at(-1)?.crossings?.[0]?.since.value).toBe('1');
  expect(own()).toEqual({ shared: true });
});

test('/why says of a rule with a shared state what it says of one with a state of its own', async () => {
  const { harness, clock, check } = await openPlace();
  await check(-3);
  // Else the alert on its way is the answer.
  await harness.queues.change(CHAT, (queue) => drop(queue, { members: queue.waiting, now: clock.now(), because: 'dropped' }));
  const steps = async (): Promise<Trace['steps']> => {
    const sharedStates = async (feed: string, subject: string) => readShared(harness.watermarks, `${feed}/${subject}`);
    const why = createWhy({ ...harness, now: () => clock.now(), sharedStates });
    return (await why.ofSilence(CHAT, { project: slug('tide') }, 'premium')).steps;
  };
  const shared = await steps();
  const states = (await harness.watermarks.get(KEY))?.shared ?? {};
  await harness.queues.change(CHAT, (queue) => detached(queue, new Set([KEY]), states));
  expect(references(harness)).toEqual([0, 4, 4]);
  expect(shared).toEqual(await steps());
  expect(shared.filter(({ name }) => name === 'changed')).toHaveLength(4);
});

test("a first check shares its states, so that another service's measurements replace all of them and alert nothing", async () => {
  const { harness, task, seen, clock } = await openPlace();
  const stored = async () => Object.values((await harness.watermarks.get(KEY))?.shared ?? {});
  seen.reads('tide', { at: clock.now(), value: 9 });
  await poll(task, { ...harness.poll, source: 'another service' });
  expect(alerted(harness)).toEqual([[], [], []]);
  expect(new Set((await stored()).map(({ anchor }) => anchor.value))).toEqual(new Set(['9']));
  expect(references(harness)).toEqual([4, 4, 4]);
});

test('chats that watch from the first check on share its states', async () => {
  const clock = handClock();
  const seen = surface(clock);
  const harness = await openJobsHarness({ clock, seen });
  for (const chat of CHATS) await harness.watch(ALL, {}, chat);
  seen.reads('tide', { at: clock.now(), value: 1 });
  expect(await poll({ feed: seen.feed({ id: 'premium' }), subject: project('tide') }, harness.poll)).toBe(true);
  expect(references(harness)).toEqual([4, 4, 4]);
  expect(Object.keys((await harness.watermarks.get(KEY))?.shared ?? {})).toHaveLength(4);
});

test('a first check that a crash ends after it shared its states is repeated as a first check', async () => {
  const { harness, task, seen, clock } = await openPlace();
  const document = await harness.watermarks.get(KEY);
  if (document === undefined) throw new Error('the place has been checked');
  await harness.watermarks.set(KEY, { ...document, source: '', watermark: null });
  seen.reads('tide', { at: clock.now(), value: 9 });
  expect(await poll(task, harness.poll)).toBe(true);
  expect(alerted(harness)).toEqual([[], [], []]);
  const after = await harness.watermarks.get(KEY);
  expect(after?.source).toBe(document.source);
  expect(new Set(Object.values(after?.shared ?? {}).map(({ anchor }) => anchor.value))).toEqual(new Set(['9']));
});

test('a chat with states of its own from before states were shared goes on from them', async () => {
  const place = await openPlace();
  const shared = (await place.harness.watermarks.get(KEY))?.shared ?? {};
  const document = await place.harness.watermarks.get(KEY);
  if (document !== undefined) await place.harness.watermarks.set(KEY, { ...document, shared: undefined });
  for (const chat of CHATS)
    await place.harness.queues.change(chat, (queue) => ({
      ...queue,
      references: undefined,
      ruleStates: Object.fromEntries(
        statesIn(queue).flatMap(([key]) => {
          const state = shared[`${KEY}${key.slice(key.lastIndexOf('/'))}`];
          return state === undefined ? [] : [[key, state]];
        }),
      ),
    }));
  const harness = await place.start();
  expect(references(harness)).toEqual([0, 0, 0]);
  for (const value of [-0.5, -3]) await place.check(value, harness);
  expect(alerted(harness)).toEqual([[], [], []]);
  await place.check(3, harness);
  expect(alerted(harness)).toEqual([[3], [3], [3]]);
  expect(references(harness)).toEqual([4, 4, 4]);
});

/** Beside the three, one chat has a state of its own for one rule, and is alerted by it and by a shared one at once. */
async function withMixed(): Promise<Place> {
  const place = await openPlace();
  for (const value of [-3, 0]) await place.check(value);
  await place.harness.watch(TIDE, { since: place.clock.now() }, LATE);
  await place.check(0);
  expect(references(place.harness, [LATE])).toEqual([3]);
  return place;
}

test.each([{ written: false }, { written: true }])(
  'a death at any write of an alert of shared rules loses and doubles nothing ($written)',
  async ({ written }) => {
    const counted = await withMixed();
    const whole = crashStore(counted.store);
    expect(await live(counted, whole, 3)).toBe(true);
    expect(whole.writes()).toBe(3 + CHATS.length + 1);
    const expected = alerted(await counted.start(), [...CHATS, LATE]);
    expect(expected).toEqual([[3], [3], [3], [3]]);
    for (let until = 1; until <= whole.writes(); until += 1) {
      const place = await withMixed();
      expect(await live(place, crashStore(place.store, { until, written }), 3)).toBe(false);
      // Until the alert is durable with the states, the next check finds what still holds.
      const again = await live(place, crashStore(place.store), 3.5);
      expect(again).toBe(true);
      const harness = await place.start();
      for (const values of alerted(harness, [...CHATS, LATE])) expect(values).toHaveLength(1);
      await expectKept(harness, [...CHATS, LATE]);
      expect((await harness.watermarks.get(KEY))?.sharedAlerts).toBeUndefined();
    }
  },
);

test('an alert whose routing a death cut short reaches the chats that are left, although the premium came back meanwhile', async () => {
  const place = await openPlace();
  await place.check(-3);
  // The shared states with the alert, the event, and the first chat.
  expect(await live(place, crashStore(place.store, { until: 3, written: true }), 3)).toBe(false);
  expect(await live(place, crashStore(place.store), -3)).toBe(true);
  const harness = await place.start();
  expect(alerted(harness).map((values) => values[0])).toEqual([3, 3, 3]);
  await expectKept(harness);
});

test.each([{ written: false }, { written: true }])(
  'a store that fails at any one write of it and lives on loses and doubles nothing ($written)',
  async ({ written }) => {
    for (let after = 0; after < 3 + CHATS.length; after += 1) {
      const place = await openPlace();
      await place.check(-3);
      const store = failing(place.store);
      const harness = await place.start(store);
      await recover(harness.poll);
      store.fails(1, { after, written });
      expect(await place.check(3, harness)).toBe(false);
      expect(await place.check(3.5, harness)).toBe(true);
      for (const values of alerted(harness)) expect(values).toHaveLength(1);
      expect(alerted(await place.start())).toEqual(alerted(harness));
      await expectKept(harness);
    }
  },
);

test('whatever dies between checks, each chat gets the alerts that it gets where nothing dies', async () => {
  const step = fc.record({
    value: fc.integer({ min: -5, max: 5 }),
    until: fc.integer({ min: 1, max: 9 }),
    written: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const [dying, living] = [await openPlace(), await openPlace()];
      for (const { value, ...death } of steps) {
        await live(dying, crashStore(dying.store, death), value);
        await living.check(value);
        expect(await live(dying, crashStore(dying.store), value)).toBe(true);
        await living.check(value);
        for (const { clock } of [dying, living]) await clock.advance(2 * HOUR);
      }
      const harness = await dying.start();
      expect(alerted(harness)).toEqual(alerted(living.harness));
      await expectKept(harness);
    }),
    { numRuns: runs(100) },
  );
});
