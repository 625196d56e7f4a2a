/** Figures of a check on their way to the chats: judged before the mark is written, by what each chat remembers, whatever dies in between. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { openStore } from '../../src/store/open.js';
import { ALL, CHAT, TIDE } from '../alerts/harness.js';
import { rules } from '../alerts/measurements.js';
import { StoreCrash, crashStore, type CrashStore } from '../alerts/crash-store.js';
import { handClock } from '../support/clock.js';
import { failing } from './failing-store.js';
import { openJobsHarness, type JobsHarness } from './harness.js';
import { project, surface } from './fake-service.js';
import { runs } from '../support/properties.js';

const CHATS = [CHAT, address('console', 'second'), address('console', 'third')];

/** A place where processes come and go. Each chat watches the premium of one project, whose first check stood at −5%. */
async function openPlace() {
  const clock = handClock();
  const store = await openStore('memory://');
  const seen = surface(clock);
  const task: Task = { feed: seen.feed({ id: 'premium' }), subject: project('tide') };
  const start = async (over = store) => openJobsHarness({ store: over, clock, seen });
  const harness = await start();
  for (const chat of CHATS) await harness.watch(chat === CHAT ? TIDE : ALL, { rules: rules('premium<-10') }, chat);
  const reads = (value: number) => seen.reads('tide', { at: clock.now(), value });
  reads(-5);
  await poll(task, harness.poll);
  await clock.advance(MINUTE);
  return { clock, store, seen, task, start, harness, reads };
}
type Place = Awaited<ReturnType<typeof openPlace>>;

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

/** In each chat, what its alerts say the premium was. */
const alerted = (harness: JobsHarness) =>
  CHATS.map((chat) => harness.queues.read(chat).waiting.map(({ crossings }) => Number(crossings?.[0]?.now.value)));

/** Every alert can be sent, because its event is kept. */
async function expectKept(harness: JobsHarness): Promise<void> {
  for (const chat of CHATS)
    for (const { event } of harness.queues.read(chat).waiting) expect(await harness.archive.get(event), event).toBeDefined();
}

test('the first check returns no events, and a crossed threshold alerts once in each chat, with when it was checked', async () => {
  const { harness, task, reads, clock } = await openPlace();
  expect(alerted(harness)).toEqual([[], [], []]);
  reads(-15);
  const at = clock.now();
  await clock.advance(5);
  for (let times = 0; times < 3; times += 1) await poll(task, harness.poll);
  expect(alerted(harness)).toEqual([[-15], [-15], [-15]]);
  await expectKept(harness);
  const [kept] = await harness.archive.latest({ limit: 5 });
  expect(kept).toMatchObject({ id: `premium/tide/${at}`, stage: 'level', occurredAt: at, checkedAt: clock.now() });
});

test('a measurement that is older than the last one changes nothing, in whatever chat', async () => {
  const { harness, task, seen, clock } = await openPlace();
  const last = () => harness.checkRecords.read('premium', 'tide')?.measurements?.map(({ values }) => values.premium);
  for (const { value, age } of [
    { value: -6, age: 0 },
    { value: undefined, age: 0 },
    { value: -15, age: 30 * MINUTE },
  ]) {
    seen.reads('tide', value === undefined ? undefined : { at: later(clock.now(), -age), value });
    expect(await poll(task, harness.poll)).toBe(true);
    expect(last()).toEqual(['-6']);
    await clock.advance(MINUTE);
  }
  expect(alerted(harness)).toEqual([[], [], []]);
});

test('what was read stands in the record of the check, and outlives one that fails', async () => {
  const { harness, task, seen, reads } = await openPlace();
  reads(-6);
  await poll(task, harness.poll);
  seen.fails(new Error('away'));
  await poll(task, harness.poll);
  expect(harness.checkRecords.read('premium', 'tide')?.measurements).toMatchObject([{ series: 'premium/tide', values: { premium: '-6' } }]);
  expect(harness.checkRecords.measurements('premium', 'tide')).toHaveLength(1);
});

test('a check that reads nothing new of measurements writes nothing until the flush, and then only that it was made', async () => {
  const store = failing(await openStore('memory://'));
  const clock = handClock();
  const seen = surface(clock);
  const harness = await openJobsHarness({ store, clock, seen });
  const task: Task = { feed: seen.feed({ id: 'premium' }), subject: project('tide') };
  await harness.watch(TIDE);
  seen.reads('tide', { at: clock.now(), value: -5 });
  await poll(task, harness.poll);
  const written = store.wrote.length;
  for (let checkRecords = 0; checkRecords < 5; checkRecords += 1) {
    await clock.advance(MINUTE);
    seen.reads('tide', { at: clock.now(), value: -5 - checkRecords / 10 });
    await poll(task, harness.poll);
  }
  expect(store.wrote.slice(written)).toEqual([]);
  await harness.checkRecords.flush();
  expect(store.wrote.slice(written)).toEqual(['check/premium/tide']);
});

test('an alert that had to wait after the last one comes, although the service says nothing new meanwhile', async () => {
  const { harness, task, reads, seen, clock } = await openPlace();
  for (const value of [-11, -5, -12]) {
    reads(value);
    await poll(task, harness.poll);
    await clock.advance(MINUTE);
  }
  seen.reads('tide', 'same');
  expect(alerted(harness)).toEqual([[-11], [-11], [-11]]);
  for (let checkRecords = 0; checkRecords < 10; checkRecords += 1) {
    await clock.advance(10 * MINUTE);
    await poll(task, harness.poll);
  }
  expect(alerted(harness)).toEqual([
    [-11, -12],
    [-11, -12],
    [-11, -12],
  ]);
  await expectKept(harness);
  expect(harness.checkRecords.read('premium', 'tide')?.measurements).toMatchObject([{ values: { premium: '-12' } }]);
});

test('a measurement that can no longer be read is never presented as current, however long an alert waits', async () => {
  const { harness, task, reads, seen, clock } = await openPlace();
  for (const value of [-11, -5, -12]) {
    reads(value);
    await poll(task, harness.poll);
    await clock.advance(MINUTE);
  }
  seen.reads('tide', undefined);
  for (let checkRecords = 0; checkRecords < 10; checkRecords += 1) {
    await clock.advance(10 * MINUTE);
    expect(await poll(task, harness.poll)).toBe(true);
  }
  expect(alerted(harness)).toEqual([[-11], [-11], [-11]]);
  // Once it is seen again, what had to wait is alerted as of then.
  seen.reads('tide', 'same');
  await poll(task, harness.poll);
  expect(alerted(harness)[0]).toEqual([-11, -12]);
  const [latest] = await harness.archive.latest({ limit: 1 });
  expect(latest).toMatchObject({ detectedAt: clock.now(), facts: { symbol: 'TIDE' } });
});

test("another service's measurements are a first check", async () => {
  const { harness, task, reads } = await openPlace();
  reads(-15);
  await poll(task, { ...harness.poll, source: 'another service' });
  expect(alerted(harness)).toEqual([[], [], []]);
});

test('a chat that begins to watch gets no alerts that others got before', async () => {
  const { harness, task, reads, clock } = await openPlace();
  const late = address('console', 'late');
  reads(-15);
  await poll(task, harness.poll);
  await harness.watch(TIDE, { since: clock.now(), rules: rules('premium<-10') }, late);
  await clock.advance(MINUTE);
  reads(-16);
  await poll(task, harness.poll);
  expect(harness.queues.read(late).waiting).toEqual([]);
});

test('a chat that begins to watch gets nothing of what changed since an old check, but everything after it', async () => {
  const { harness, task, reads, clock } = await openPlace();
  const late = address('console', 'late');
  await clock.advance(20 * HOUR);
  await harness.watch(TIDE, { since: clock.now(), rules: rules('premium<-10') }, late);
  for (const value of [-15, -5, -12]) {
    reads(value);
    await poll(task, { ...harness.poll, refetch: true });
    await clock.advance(HOUR);
  }
  expect(harness.queues.read(late).waiting.map(({ crossings }) => crossings?.[0]?.now.value)).toEqual(['-12']);
});

test.each([{ written: false }, { written: true }])(
  'a death at any write of a check that crosses a threshold loses and doubles nothing ($written)',
  async (how) => {
    const counted = await openPlace();
    counted.reads(-15);
    const whole = crashStore(counted.store);
    expect(await live(counted, whole)).toBe(true);
    // The states, the event, each queue, and that all have it; the mark is as it was, and the record of the check waits for the flush.
    expect(whole.writes()).toBe(2 + 1 + CHATS.length + 1);
    for (let until = 1; until <= whole.writes(); until += 1) {
      const place = await openPlace();
      place.reads(-15);
      expect(await live(place, crashStore(place.store, { until, ...how }))).toBe(false);
      await place.clock.advance(MINUTE);
      place.reads(-15.5);
      const after = await place.start();
      await recover(after.poll);
      expect(await poll(place.task, after.poll)).toBe(true);
      for (const values of alerted(after)) expect(values).toHaveLength(1);
      await expectKept(after);
    }
  },
);

test.each([{ written: false }, { written: true }])(
  'a store that fails at any one write and lives on loses and doubles nothing ($written)',
  async ({ written }) => {
    for (let after = 0; after < 4 + CHATS.length; after += 1) {
      const place = await openPlace();
      place.reads(-15);
      const store = failing(place.store);
      const harness = await place.start(store);
      store.fails(1, { after, written });
      expect(await poll(place.task, harness.poll)).toBe(false);
      await place.clock.advance(MINUTE);
      expect(await poll(place.task, harness.poll)).toBe(true);
      expect(alerted(harness)).toEqual([[-15], [-15], [-15]]);
      expect(alerted(await place.start())).toEqual(alerted(harness));
      await expectKept(harness);
    }
  },
);

test('whatever dies between checks, a measurement that stays beyond its threshold alerts once, and one that never came near is not', async () => {
  const step = fc.record({
    value: fc.integer({ min: -95, max: 0 }),
    until: fc.integer({ min: 1, max: 9 }),
    written: fc.boolean(),
    minutes: fc.integer({ min: 1, max: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.boolean(), async (steps, crosses) => {
      const place = await openPlace();
      for (const { value, minutes, ...end } of steps) {
        place.reads(value / 10);
        await live(place, crashStore(place.store, end));
        await place.clock.advance(minutes * MINUTE);
      }
      for (const { until, written } of crosses ? steps : []) {
        place.reads(-15);
        await live(place, crashStore(place.store, { until, written }));
        await place.clock.advance(HOUR);
      }
      place.reads(crosses ? -15 : -9.5);
      expect(await live(place, crashStore(place.store))).toBe(true);
      const after = await place.start();
      expect(alerted(after)).toEqual(CHATS.map(() => (crosses ? [-15] : [])));
      await expectKept(after);
    }),
    { numRuns: runs(100) },
  );
});
