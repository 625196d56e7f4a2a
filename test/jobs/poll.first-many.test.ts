/** First checks with many chats: their rules begin with one write of each subject, and a crash before it repeats the first check. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { poll } from '../../src/jobs/poll.js';
import { recover } from '../../src/jobs/unrouted.js';
import { flushChecks } from '../../src/jobs/watermarks.js';
import { openStore } from '../../src/store/open.js';
import { crashStore, falseIfCrashed } from '../alerts/crash-store.js';
import { ALL } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';
import { runs } from '../support/properties.js';
import { project, surface } from './fake-service.js';
import { openJobsHarness, type JobsHarness } from './harness.js';

const CHATS = Array.from({ length: 110 }, (_, index) => address('console', `c${index}`));

/** Two projects whose premium nobody checked yet; all chats watch everything. */
async function openPlace() {
  const clock = handClock();
  const store = await openStore('memory://');
  const seen = surface(clock);
  const feed = seen.feed({ id: 'premium' });
  const tasks = ['tide', 'heron'].map((name): Task => ({ feed, subject: project(name) }));
  const start = async (over = store) => openJobsHarness({ store: over, clock, seen });
  const harness = await start();
  for (const chat of CHATS) await harness.watch(ALL, {}, chat);
  const check = async (value: number, by: JobsHarness): Promise<void> => {
    for (const [index, task] of tasks.entries()) {
      seen.reads(index === 0 ? 'tide' : 'heron', { at: clock.now(), value });
      await by.firstChecks.begin(`premium/${index === 0 ? 'tide' : 'heron'}`, clock.now());
      await poll(task, by.poll);
    }
  };
  return { clock, store, start, check };
}

const alerted = (harness: JobsHarness) => CHATS.map((chat) => harness.queues.read(chat).waiting.length);
const crossingsOf = (harness: JobsHarness, name: string) =>
  harness.queues
    .read(address('console', 'c0'))
    .waiting.filter(({ event }) => event.startsWith(`premium/${name}/`))
    .map(({ crossings }) => Number(crossings?.[0]?.now.value));
const states = (harness: JobsHarness) => new Set(CHATS.map((chat) => harness.rules.countOf(harness.watchlists.read(chat))));

test('a first check begins the rules of all chats with one write', async () => {
  const { store, start, check } = await openPlace();
  const counting = crashStore(store);
  const harness = await start(counting);
  const before = counting.writes();
  await check(1, harness);
  // For each subject: since when the check is wanted, that it is no longer, the states, the watermark and the record.
  expect(counting.writes() - before).toBe(2 * 5);
  expect(states(harness)).toEqual(new Set([8]));
  expect(states(await start())).toEqual(new Set([8]));
  await flushChecks(harness);
  expect(counting.writes() - before).toBe(2 * 5);
});

test('an alert of the next check finds the states of all chats durable', async () => {
  const { clock, store, start, check } = await openPlace();
  const harness = await start();
  await check(1, harness);
  await clock.advance(10 * MINUTE);
  await check(-3, harness);
  expect(new Set(alerted(harness))).toEqual(new Set([2]));
  const after = await openJobsHarness({ store, clock });
  expect(states(after)).toEqual(new Set([8]));
  expect(new Set(alerted(after))).toEqual(new Set([2]));
});

test('a crash at any write loses no state and no alert, and doubles none', async () => {
  const crashed: boolean[] = [];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 230 }), fc.boolean(), async (until, written) => {
      const { clock, store, start, check } = await openPlace();
      const dying = crashStore(store, { until, written });
      const live = async (): Promise<boolean> => {
        const harness = await start(dying);
        await check(1, harness);
        await flushChecks(harness);
        await clock.advance(10 * MINUTE);
        await check(-3, harness);
        return true;
      };
      crashed.push(!(await live().catch(falseIfCrashed)));
      const harness = await start();
      await recover(harness.poll);
      for (const value of [1, 1, -3, 3]) {
        await clock.advance(90 * MINUTE);
        await check(value, harness);
      }
      await flushChecks(harness);
      const [events = [], ...others] = CHATS.map((chat) => harness.queues.read(chat).waiting.map(({ event }) => event));
      for (const other of others) expect(other).toEqual(events);
      expect(new Set(events).size).toBe(events.length);
      // Below zero and above it again, which ends both; more where the first fall was alerted before the crash.
      for (const name of ['tide', 'heron']) {
        const values = crossingsOf(harness, name);
        expect(values.length).toBeGreaterThanOrEqual(2);
        expect(values).toContain(-3);
        expect(values.at(-1)).toBe(3);
      }
      expect(states(harness)).toEqual(new Set([8]));
      expect(states(await start())).toEqual(new Set([8]));
      expect(harness.firstChecks.keys()).toEqual([]);
    }),
    {
      numRuns: runs(6),
      // A run with few writes ends before a late crash, so some come early.
      examples: [
        [1, false],
        [4, true],
      ],
    },
  );
  expect(crashed).toContain(true);
});
