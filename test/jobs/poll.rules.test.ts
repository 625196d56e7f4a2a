/** States of rules on their way through a check: durable with their alerts before these are routed, whatever dies in between. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RuleStates, stateOf } from '../../src/alerts/evaluation/rule-states.js';
import { createWhy, type Trace } from '../../src/alerts/explanation/explain.js';
import { drop } from '../../src/alerts/queue/queue.js';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { slug } from '../../src/domain/scalars.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { openStore } from '../../src/store/open.js';
import { crashStore, StoreCrash, type CrashStore } from '../alerts/crash-store.js';
import { ALL, CHAT, TIDE } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';
import { rules } from '../alerts/measurements.js';
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

/** How many states each rule has that chats share. */
const shared = ({ rules }: JobsHarness) => Object.values(rules.of(KEY).shared[KEY] ?? {}).map((list) => list.length);

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

test('chats whose default rules have the same states have one for each rule', async () => {
  const { harness } = await openPlace();
  expect(shared(harness)).toEqual([1, 1, 1, 1]);
  expect(harness.rules.of(KEY).own.size).toBe(0);
  expect(harness.rules.of(KEY).crossed).toBeUndefined();
});

test('a rule that is armed again is one write, and an alert one for each chat beside the event, the end of the alert before and the shared states', async () => {
  const place = await openPlace();
  const store = failing(place.store);
  const harness = await place.start(store);
  await recover(harness.poll);
  await place.check(-3, harness);
  expect(store.wrote).toEqual([`rules/${KEY}`]);
  const written = store.wrote.length;
  await place.check(3, harness);
  const wrote = store.wrote.slice(written);
  expect(wrote.filter((key) => key.startsWith('queue/'))).toHaveLength(CHATS.length);
  expect(wrote.filter((key) => key === `rules/${KEY}`)).toHaveLength(2);
  expect(wrote.filter((key) => key.startsWith('event/'))).toHaveLength(2);
  expect(wrote).toHaveLength(CHATS.length + 4);
  expect(alerted(harness)).toEqual([[3], [3], [3]]);
  expect(shared(harness)).toEqual([1, 1, 1, 1]);
});

test('a chat with rules of its own has its states by itself, in a page', async () => {
  const clock = handClock();
  const seen = surface(clock);
  const store = failing(await openStore('memory://'));
  const harness = await openJobsHarness({ store, clock, seen });
  const task: Task = { feed: seen.feed({ id: 'premium' }), subject: project('tide') };
  await harness.watch(TIDE, { rules: rules('premium>2.5') });
  for (const value of [1, -1, 3]) {
    seen.reads('tide', { at: clock.now(), value });
    await poll(task, harness.poll);
    await clock.advance(HOUR);
  }
  expect(alerted(harness, [CHAT])).toEqual([[3]]);
  expect(shared(harness)).toEqual([]);
  expect(store.wrote).toContain(`rules-page/${KEY}/0`);
  const again = await RuleStates.open(store);
  expect([...again.of(KEY).own.keys()]).toEqual([CHAT]);
});

/** The first value is inside the threshold, the second beyond it, and the service shows that one from then on. */
async function lasting(every: number) {
  const clock = handClock();
  const store = await openStore('memory://');
  const seen = surface(clock);
  const task: Task = { feed: seen.feed({ id: 'premium', moving: true }), subject: project('tide'), every };
  const harness = await openJobsHarness({ store, clock, seen });
  await harness.watch(TIDE, { rules: rules('premium>2.5 for 1h') });
  const check = async (by: JobsHarness): Promise<void> => {
    expect(await poll(task, by.poll)).toBe(true);
    await clock.advance(every);
  };
  for (const value of [1, 3]) {
    seen.reads('tide', { at: clock.now(), value });
    await check(harness);
  }
  return { clock, store, seen, harness, check };
}

test('a value that lasts is alerted at the end of its time, although a process was killed meanwhile and the value never changed', async () => {
  const { clock, store, seen, harness, check } = await lasting(10 * MINUTE);
  await check(harness);
  // Records of checks are written every few minutes.
  await harness.checkRecords.flush();
  await check(harness);
  const again = await openJobsHarness({ store, clock, seen });
  for (let count = 0; count < 3; count += 1) await check(again);
  expect(alerted(again, [CHAT])).toEqual([[]]);
  await check(again);
  expect(alerted(again, [CHAT])).toEqual([[3]]);
  const [{ crossings: [crossing] = [] } = {}] = again.queues.read(CHAT).waiting;
  expect((crossing?.now.at ?? 0) - (crossing?.heldSince ?? 0)).toBe(HOUR);
});

test('a value whose time passed while nothing was checked is not said to have lasted', async () => {
  const { clock, store, seen, check } = await lasting(10 * MINUTE);
  await clock.advance(3 * HOUR);
  const again = await openJobsHarness({ store, clock, seen });
  for (let count = 0; count < 6; count += 1) await check(again);
  expect(alerted(again, [CHAT])).toEqual([[]]);
  await check(again);
  expect(alerted(again, [CHAT])).toEqual([[3]]);
});

test('says when the time of a value that must last is over, until it was alerted', async () => {
  const { harness, check, clock } = await lasting(30 * MINUTE);
  const until = harness.rules.heldUntil(KEY);
  expect(until).toBe(clock.now() + 30 * MINUTE);
  expect(harness.rules.heldUntil(KEY, until)).toBeUndefined();
  for (let count = 0; count < 2; count += 1) await check(harness);
  expect(alerted(harness, [CHAT])).toEqual([[3]]);
  expect(harness.rules.heldUntil(KEY)).toBeUndefined();
});

test('a chat that begins to watch has its own anchor until the first alert that all have', async () => {
  const { harness, check, clock } = await openPlace();
  await check(-3);
  await harness.watch(TIDE, { since: clock.now() }, LATE);
  await check(-4);
  expect(shared(harness)).toEqual([2, 2, 2, 2]);
  await check(3);
  expect(harness.queues.read(LATE).waiting.map(({ crossings }) => crossings?.[0]?.since.value)).toEqual(['-4']);
  expect(harness.queues.read(CHAT).waiting.at(-1)?.crossings?.[0]?.since.value).toBe('1');
  expect(Math.min(...shared(harness))).toBe(1);
  expect(harness.rules.of(KEY).own.size).toBe(0);
});

test('/why says of a rule with a shared state what it says of one with a state of its own', async () => {
  const { harness, clock, check } = await openPlace();
  await check(-3);
  // Else the alert on its way is the answer.
  await harness.queues.change(CHAT, (queue) => drop(queue, { members: queue.waiting, now: clock.now(), because: 'dropped' }));
  const steps = async (): Promise<Trace['steps']> => {
    const why = createWhy({ ...harness, now: () => clock.now() });
    return (await why.ofSilence(CHAT, { project: slug('tide') }, 'premium')).steps;
  };
  const before = await steps();
  const known = harness.rules.of(KEY);
  const stands = harness.watchlists.read(CHAT).entries[0]?.since ?? clock.now();
  const own = Object.keys(known.shared[KEY] ?? {}).map((name) => {
    const state = stateOf({ shared: known.shared, own: undefined }, { series: KEY, name, stands });
    return [name, { stands, ...(state && { state }) }] as const;
  });
  const states = new Map([[CHAT, { [KEY]: Object.fromEntries(own) }]]);
  await harness.rules.commit(KEY, { shared: {}, own: states, members: new Map(), crossed: undefined });
  expect(before).toEqual(await steps());
  expect(before.filter(({ name }) => name === 'changed')).toHaveLength(4);
});

test("a first check shares its states, so that another service's measurements replace all of them and alert nothing", async () => {
  const { harness, task, seen, clock } = await openPlace();
  const stored = () =>
    Object.values(harness.rules.of(KEY).shared[KEY] ?? {}).flatMap((list) => list.map(({ state }) => state.anchor.value));
  seen.reads('tide', { at: clock.now(), value: 9 });
  await poll(task, { ...harness.poll, source: 'another service' });
  expect(alerted(harness)).toEqual([[], [], []]);
  expect(stored()).toEqual(['9', '9', '9', '9']);
});

test('chats that watch from the first check on share its states', async () => {
  const clock = handClock();
  const seen = surface(clock);
  const harness = await openJobsHarness({ clock, seen });
  for (const chat of CHATS) await harness.watch(ALL, {}, chat);
  seen.reads('tide', { at: clock.now(), value: 1 });
  expect(await poll({ feed: seen.feed({ id: 'premium' }), subject: project('tide') }, harness.poll)).toBe(true);
  expect(shared(harness)).toEqual([1, 1, 1, 1]);
});

test('a first check that a crash ends after the states of its rules is repeated as a first check', async () => {
  const { harness, task, seen, clock } = await openPlace();
  await harness.watermarks.delete(KEY);
  seen.reads('tide', { at: clock.now(), value: 9 });
  expect(await poll(task, harness.poll)).toBe(true);
  expect(alerted(harness)).toEqual([[], [], []]);
  const anchors = Object.values(harness.rules.of(KEY).shared[KEY] ?? {}).flatMap((list) => list.map(({ state }) => state.anchor.value));
  expect(anchors).toEqual(['9', '9', '9', '9']);
});

/** Beside the three, one chat has a rule of its own, and is alerted by it and by a shared one at once. */
async function withMixed(): Promise<Place> {
  const place = await openPlace();
  for (const value of [-3, 0]) await place.check(value);
  await place.harness.watch(TIDE, { since: place.clock.now(), rules: rules('premium>0 premium>2.5') }, LATE);
  await place.check(0);
  expect([...place.harness.rules.of(KEY).own].map(([chat, of]) => [chat, Object.keys(of[KEY] ?? {})])).toEqual([
    [LATE, ['premium above 2.5 band 2']],
  ]);
  return place;
}

test.each([{ written: false }, { written: true }])(
  'a death at any write of an alert of shared rules and of a rule of its own loses and doubles nothing ($written)',
  async ({ written }) => {
    const counted = await withMixed();
    const whole = crashStore(counted.store);
    expect(await live(counted, whole, 3)).toBe(true);
    expect(whole.writes()).toBe(5 + CHATS.length + 1);
    const both = (await counted.start()).queues.read(LATE).waiting.at(-1);
    expect(both?.crossings?.map(({ rule }) => rule.when)).toEqual(['above', 'above']);
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
      expect(harness.rules.of(KEY).crossed).toBeUndefined();
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

test('an alert that the cooldown delays comes after a restart too, where its value has not changed since', async () => {
  const { harness, check, start, clock, task, seen } = await openPlace();
  await harness.watch(TIDE, { rules: rules('premium move 2') }, LATE);
  for (const value of [-1, 4, 8]) await check(value);
  expect(alerted(harness, [LATE])).toEqual([[4]]);
  await harness.checkRecords.flush();
  const again = await start();
  await clock.advance(HOUR);
  seen.reads('tide', 'same');
  await poll(task, again.poll);
  expect(alerted(again, [LATE])).toEqual([[4, 8]]);
});
