import { expect, onTestFinished, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { Lease, type LossReason } from '../../../src/operations/lease/lease.js';
import { handClock } from '../../support/clock.js';
import { sharedEngineDouble } from '../../support/shared-engine.js';

/** Two processes, of which the first holds the lease. */
async function openPair() {
  const clock = handClock();
  const events: string[] = [];
  const write = (event: string): void => void events.push(event);
  const log = { error: write, warn: write, info: write, debug: write };
  const engine = sharedEngineDouble(clock);
  const start = async (holder: string) => {
    const process = engine.process();
    const lease = new Lease({ shared: process.store.shared, holder, clock: { ...clock, monotonic: () => clock.now() }, log });
    const losses: LossReason[] = [];
    void lease.lost.then((reason) => losses.push(reason));
    onTestFinished(() => lease.stop());
    await clock.advance(0);
    return { process, lease, losses };
  };
  const [first, second] = [await start('host (pid 1)'), await start('host (pid 2)')];
  const isHeld = (): readonly boolean[] => [first.lease.isHeld(), second.lease.isHeld()];
  return { clock, events, first, second, isHeld };
}

test('one process takes the lease and keeps it for as long as it renews it', async () => {
  const { clock, isHeld, first, events } = await openPair();
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await clock.advance(60 * SECOND);
    expect(isHeld()).toEqual([true, false]);
  }
  await first.lease.taken;
  expect(events).toEqual(['lease.taken']);
});

test('a process that ends as asked frees it for the next one within about a second', async () => {
  const { clock, isHeld, first } = await openPair();
  await first.lease.stop();
  expect(isHeld()).toEqual([false, false]);
  await clock.advance(1_100);
  expect(isHeld()).toEqual([false, true]);
  expect(first.losses).toEqual([]);
});

test('a process that reaches the engine no longer stops before another takes over, and says why once', async () => {
  const { clock, isHeld, first, events } = await openPair();
  await clock.advance(9 * SECOND);
  first.process.cut();
  await clock.advance(8 * SECOND);
  expect([isHeld(), first.losses]).toEqual([[false, false], ['expired']]);
  await clock.advance(6 * SECOND);
  expect(isHeld()).toEqual([false, true]);
  expect(events).toEqual(['lease.taken', 'lease.not-asked', 'lease.lost', 'lease.taken']);
});

test('a short outage of the engine costs nothing', async () => {
  const { clock, isHeld, first, second, events } = await openPair();
  for (const { process } of [first, second]) process.cut();
  await clock.advance(6 * SECOND);
  for (const { process } of [first, second]) process.restore();
  await clock.advance(20 * SECOND);
  expect([isHeld(), first.losses]).toEqual([[true, false], []]);
  expect(events.filter((event) => event === 'lease.well-again')).toHaveLength(2);
});

test('a call that is never answered is made again beside it, a few times at most', async () => {
  const clock = handClock();
  let calls = 0;
  const shared = {
    acquire: async () => {
      calls += 1;
      return new Promise<undefined>(() => {});
    },
    release: async () => {},
  };
  const write = (): void => {};
  const log = { error: write, warn: write, info: write, debug: write };
  const lease = new Lease({ shared, holder: 'host', clock: { ...clock, monotonic: () => clock.now() }, log });
  await clock.advance(59 * SECOND);
  // Three, and three more once those are given up.
  expect([lease.isHeld(), calls]).toEqual([false, 6]);
  await lease.stop();
});

test('a write that was refused for its epoch ends it at once', async () => {
  const { clock, isHeld, first } = await openPair();
  first.lease.superseded();
  first.lease.superseded();
  expect(isHeld()).toEqual([false, false]);
  await clock.advance(0);
  expect(first.losses).toEqual(['superseded']);
});

test('a process that was paused for too long is not active from its first moment on', async () => {
  const { clock, isHeld, first, second } = await openPair();
  first.process.hold();
  await clock.advance(17 * SECOND);
  first.process.restore();
  await clock.advance(0);
  expect([isHeld(), first.losses, second.losses]).toEqual([[false, true], ['expired'], []]);
});
