import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, later } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { OUTAGE, failingSince, lateCheck, lateEvent, type OutageOfBot } from '../../src/jobs/downtime.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { openStore } from '../../src/store/open.js';
import { CHAT, TIDE } from '../alerts/harness.js';
import { rules } from '../alerts/measurements.js';
import { StoreCrash, crashStore } from '../alerts/crash-store.js';
import { NOON } from '../feeds/reading.js';
import { openJobsHarness, type JobsHarnessOptions } from './harness.js';
import { project, trouble } from './fake-service.js';

const AWAY: OutageOfBot = { from: later(NOON, -6 * HOUR), to: NOON };
const BOT = { because: 'bot', since: AWAY.from };
const after = (minutes: number) => later(NOON, minutes * MINUTE);

describe('a check', () => {
  const lateBy = (last: Parameters<typeof lateCheck>[0], away: OutageOfBot | undefined = AWAY, every = MINUTE) =>
    lateCheck(last, { away, triedAt: after(5), every });

  test('is late because of the bot when it is the first good one since it was away', () => {
    expect(lateBy({ okAt: later(AWAY.from, -MINUTE) })).toEqual(BOT);
    expect(lateBy({ okAt: after(1) })).toBeUndefined();
    expect(lateBy(undefined)).toBeUndefined();
    const always = { away: undefined, triedAt: after(5), every: MINUTE };
    expect(lateCheck({ okAt: later(AWAY.from, -MINUTE) }, always)).toBeUndefined();
  });
  test('that was not due while the bot was away is not late because of it', () => {
    expect(lateBy({ okAt: later(AWAY.from, -HOUR) }, AWAY, DAY)).toBeUndefined();
    expect(lateBy({ okAt: later(AWAY.from, -HOUR) }, AWAY, 6 * HOUR)).toEqual(BOT);
    expect(lateBy({ okAt: later(AWAY.from, -HOUR) }, AWAY, 7 * HOUR)).toEqual(BOT);
    expect(lateBy({ okAt: later(AWAY.from, -HOUR) }, AWAY, 7 * HOUR + 1)).toBeUndefined();
  });
  test('is late because of the service when it is the first good one after failures of half an hour', () => {
    const failing = (since: number) =>
      lateBy({ okAt: after(-500), failingSince: later(after(5), -since) }, { from: after(-900), to: after(-600) });
    expect([failing(OUTAGE - 1), failing(OUTAGE)]).toEqual([undefined, { because: 'service', since: later(after(5), -OUTAGE) }]);
  });
  test('that failed before the clock was set back did not fail in the future', () => {
    expect(failingSince(undefined, NOON)).toBe(NOON);
    expect(failingSince({ failingSince: after(-5) }, NOON)).toBe(after(-5));
    expect(failingSince({ failingSince: after(5) }, NOON)).toBe(NOON);
  });
});

test('events that were found before the bot was away, and handed on after it, are late', () => {
  expect(lateEvent({ detectedAt: later(AWAY.from, -1) }, AWAY)).toEqual(BOT);
  expect(lateEvent({ detectedAt: NOON }, AWAY)).toBeUndefined();
  expect(lateEvent({ detectedAt: NOON }, undefined)).toBeUndefined();
});

async function openPost(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const task: Task = { feed: harness.seen.feed(), subject: project('tide') };
  await harness.watch(TIDE, { rules: rules('premium<-10') });
  harness.seen.shows('tide', 1);
  await poll(task, harness.poll);
  return { ...harness, task, lates: () => harness.queues.read(CHAT).waiting.map(({ late }) => late?.because) };
}

describe('what a poll hands on', () => {
  test('after an outage of the service is late; what comes next is not', async () => {
    const { seen, clock, task, poll: context, lates, checkRecords } = await openPost();
    seen.fails(trouble('unreachable'));
    seen.shows('tide', 2);
    for (let minutes = 0; minutes < 40; minutes += 10) {
      await poll(task, context);
      await clock.advance(10 * MINUTE);
    }
    expect(checkRecords.read('supply', 'tide')).toMatchObject({ failures: 4, failingSince: later(clock.now(), -40 * MINUTE) });
    seen.fails(undefined);
    await poll(task, context);
    seen.shows('tide', 3);
    await poll(task, context);
    expect(lates()).toEqual(['service', undefined]);
    expect(checkRecords.read('supply', 'tide')?.failingSince).toBeUndefined();
  });

  test('after an outage is late whole, however many events it found', async () => {
    const { seen, clock, task, poll: context, lates } = await openPost();
    seen.fails(trouble('unreachable'));
    await poll(task, context);
    await clock.advance(HOUR);
    seen.fails(undefined);
    seen.shows('tide', ...Array.from({ length: 120 }, (_, index) => index + 2));
    await poll(task, context);
    expect(lates()).toEqual(Array.from({ length: 120 }, () => 'service'));
  });

  test('after a short failure, or after the service had nothing of it, is not late', async () => {
    const { seen, clock, task, poll: context, lates } = await openPost();
    seen.fails(trouble('unreachable'));
    await poll(task, context);
    await clock.advance(20 * MINUTE);
    seen.fails(trouble('unknown'));
    await poll(task, context);
    await clock.advance(HOUR);
    seen.fails(undefined);
    seen.shows('tide', 2);
    await poll(task, context);
    expect(lates()).toEqual([undefined]);
  });

  test('after the bot was away is late, measurements too', async () => {
    const harness = await openPost();
    const { seen, clock, lates, queues } = harness;
    const premium: Task = { feed: seen.feed({ id: 'premium' }), subject: project('tide') };
    seen.reads('tide', { at: clock.now(), value: -5 });
    await poll(premium, harness.poll);
    const from = clock.now();
    await clock.advance(6 * HOUR);
    seen.shows('tide', 2);
    seen.reads('tide', { at: clock.now(), value: -15 });
    const away = { from, to: clock.now() };
    await clock.advance(MINUTE);
    const context = { ...harness.poll, away: () => away };
    for (const task of [harness.task, premium]) await poll(task, context);
    expect(lates()).toEqual(['bot', 'bot', 'bot']);
    expect(queues.read(CHAT).waiting[1]?.crossings).toHaveLength(1);
    seen.shows('tide', 3);
    await clock.advance(MINUTE);
    await poll(harness.task, context);
    expect(queues.read(CHAT).waiting.at(-1)?.late).toBeUndefined();
  });

  test('is late whatever died between the watermark and the queues', async () => {
    const other = address('console', 'other');
    for (let until = 1; until <= 7; until += 1) {
      const base = await openStore('memory://');
      const post = await openPost({ store: base });
      const { clock, seen } = post;
      await post.watch(TIDE, {}, other);
      seen.fails(trouble('unreachable'));
      await poll(post.task, post.poll);
      await clock.advance(HOUR);
      seen.fails(undefined);
      seen.shows('tide', 2);
      const dying = await openJobsHarness({ store: crashStore(base, { until, written: true }), clock, seen });
      await poll(post.task, dying.poll).catch((cause: unknown) => {
        if (!(cause instanceof StoreCrash)) throw cause;
      });
      const living = await openJobsHarness({ store: base, clock, seen });
      await recover(living.poll);
      await poll(post.task, living.poll);
      for (const chat of [CHAT, other])
        expect(living.queues.read(chat).waiting.map(({ event, late }) => [event, late?.because])).toEqual([['supply/tide/2', 'service']]);
    }
  });

  test('that a long absence kept between the watermark and the queues is late', async () => {
    const base = await openStore('memory://');
    const { clock, seen, task } = await openPost({ store: base });
    seen.shows('tide', 2);
    const from = clock.now();
    const dying = await openJobsHarness({ store: crashStore(base, { until: 1, written: true }), clock, seen });
    await poll(task, dying.poll).catch(() => {});
    await clock.advance(6 * HOUR);
    const living = await openJobsHarness({ store: base, clock, seen });
    await recover({ ...living.poll, away: () => ({ from, to: clock.now() }) });
    expect(living.queues.read(CHAT).waiting.map(({ late }) => late?.because)).toEqual(['bot']);
  });
});
