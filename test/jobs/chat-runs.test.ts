import { expect, test } from 'vitest';
import { HOUR, later, SECOND, type Instant } from '../../src/base/clock.js';
import type { Queue } from '../../src/alerts/queue/queue.js';
import type { Address } from '../../src/chat/address.js';
import { emptyQueue } from '../../src/alerts/queue/queue.js';
import { address } from '../../src/chat/address.js';
import { ChatRuns, type ChatRunsDeps } from '../../src/jobs/chat-runs.js';
import { silentLog } from '../../src/base/log.js';
import { handClock, settled } from '../support/clock.js';
import { notebook } from './harness.js';

test('the first tick visits a part of many chats, and other work gets its turn before the others', async () => {
  const all = Array.from({ length: 1_200 }, (_, index) => emptyQueue(address('console', `c${index}`)));
  const clock = handClock();
  const visited: string[] = [];
  const ran: string[] = [];
  const runs = new ChatRuns({
    ...{ name: 'drain', clock, log: silentLog },
    queues: { read: emptyQueue, busy: () => all.map(({ address: one }) => one) },
    dueAt(queue, now) {
      visited.push(queue.address);
      return queue.address.endsWith('7') && !ran.includes(queue.address) ? now : undefined;
    },
    run: async (one) => void ran.push(one),
    watch() {},
  });
  runs.tick();
  expect(visited.length).toBeLessThan(all.length / 2);
  await runs.idle();
  expect(new Set(visited)).toEqual(new Set(all.map((queue) => queue.address)));
  expect(ran).toHaveLength(120);
  await runs.stop();
});

const [ONE, OTHER] = [address('console', 'one'), address('console', 'other')];

/** Chats whose due times a test sets, and runs that it ends. */
function openRuns(parts: Partial<ChatRunsDeps> = {}) {
  const clock = handClock();
  const book = notebook();
  const due = new Map<Address, Instant>();
  const looked: Address[] = [];
  const began: Address[] = [];
  const ends = new Map<Address, () => void>();
  let changed: (one: Address) => void = () => {};
  const runs = new ChatRuns({
    ...{ name: 'drain', clock, log: book.log },
    queues: { read: emptyQueue, busy: () => [ONE, OTHER] },
    dueAt(queue: Queue) {
      looked.push(queue.address);
      return due.get(queue.address);
    },
    async run(one) {
      began.push(one);
      await new Promise<void>((resolve) => ends.set(one, resolve));
    },
    watch: (tell) => (changed = tell),
    ...parts,
  });
  const taken = (list: Address[]): readonly Address[] => list.splice(0);
  return {
    ...{ clock, runs, due, looked: () => taken(looked), began: () => taken(began), ...book },
    end: async (one: Address) => {
      ends.get(one)?.();
      await settled();
    },
    changes: (one: Address, at?: Instant) => {
      if (at === undefined) due.delete(one);
      else due.set(one, at);
      changed(one);
    },
  };
}

test('a chat is looked at when it changed and after its run, not with every tick; its run begins when it is due', async () => {
  const { runs, changes, clock, looked, began, end, due } = openRuns();
  changes(ONE, later(clock.now(), SECOND));
  runs.tick();
  expect([looked().toSorted(), began()]).toEqual([[ONE, OTHER], []]);
  await clock.advance(SECOND);
  runs.tick();
  expect([looked(), began()]).toEqual([[], [ONE]]);
  runs.tick();
  changes(ONE, clock.now());
  runs.tick();
  expect([looked(), began()]).toEqual([[], []]);
  due.delete(ONE);
  await end(ONE);
  runs.tick();
  expect([looked(), began()]).toEqual([[ONE], []]);
});

test('after the clock was set back every busy chat is looked at again', async () => {
  const ahead = handClock();
  await ahead.advance(HOUR);
  let now = ahead;
  const { runs, looked } = openRuns({ clock: { ...ahead, now: () => now.now() } });
  runs.tick();
  looked();
  now = handClock();
  runs.tick();
  expect(looked()).toEqual([ONE, OTHER]);
  runs.tick();
  expect(looked()).toEqual([]);
});

test('it lists which chats have a run under way, and since when', async () => {
  const { runs, changes, clock, due, end } = openRuns();
  const since = clock.now();
  changes(ONE, since);
  runs.tick();
  await clock.advance(SECOND);
  expect([...runs.running()]).toEqual([[ONE, since]]);
  due.delete(ONE);
  await end(ONE);
  expect([...runs.running()]).toEqual([]);
});

test('idle is when every run ended or waits for time, and not while one that waited works again', async () => {
  let [pauses, works] = [(): void => {}, (): void => {}];
  const { runs, changes, clock, due } = openRuns({
    async run(one, _signal, rest) {
      due.delete(one);
      await new Promise<void>((resolve) => (pauses = resolve));
      await rest(new Promise<void>((resolve) => (works = resolve)));
      await new Promise<void>((resolve) => (pauses = resolve));
    },
  });
  let isIdle = false;
  const idle = async (): Promise<void> => {
    isIdle = false;
    await runs.idle();
    isIdle = true;
  };
  const isIdleOnlyOncePaused = async (): Promise<void> => {
    void idle();
    await settled();
    expect(isIdle).toBe(false);
    pauses();
    await settled();
    expect(isIdle).toBe(true);
  };
  changes(ONE, clock.now());
  runs.tick();
  await isIdleOnlyOncePaused();
  works();
  await settled();
  await isIdleOnlyOncePaused();
});

test('a run that was stopped and fails is not logged, and stopping waits four seconds at most', async () => {
  let fails = (): void => {};
  const { runs, changes, clock, names, began } = openRuns({
    run: async (one, signal) =>
      new Promise((_, reject) => {
        if (one === OTHER) signal.addEventListener('abort', () => reject(new Error('the store is closed')));
        else fails = () => reject(new Error('too late'));
      }),
  });
  changes(ONE, clock.now());
  changes(OTHER, clock.now());
  runs.tick();
  let isStopped = false;
  const stop = runs.stop().then(() => (isStopped = true));
  await clock.advance(4 * SECOND - 1);
  expect(isStopped).toBe(false);
  await clock.advance(1);
  await stop;
  fails();
  await settled();
  expect(names()).toEqual([]);
  await clock.advance(HOUR);
  runs.tick();
  expect(began()).toEqual([]);
});

test('stopping leaves nobody asleep behind it', async () => {
  const { runs, changes, clock, end, due } = openRuns();
  changes(ONE, clock.now());
  runs.tick();
  const stop = runs.stop();
  await settled();
  due.delete(ONE);
  await end(ONE);
  await stop;
  expect(clock.sleepers()).toBe(0);
});

test('a chat among many that cannot be looked at is logged, and the next ticks run the others', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => address('console', `c${index}`));
  const ran: Address[] = [];
  let isBroken = true;
  const { runs, names } = openRuns({
    queues: { read: emptyQueue, busy: () => many },
    dueAt({ address: one }, now) {
      if (one === many[700] && isBroken) throw new Error('unreadable');
      return ran.includes(one) ? undefined : now;
    },
    run: async (one) => void ran.push(one),
  });
  runs.tick();
  await runs.idle();
  expect(names()).toEqual(['error drain.failed']);
  isBroken = false;
  for (let times = 0; times < 3; times += 1) {
    runs.tick();
    await runs.idle();
  }
  expect(many.filter((one) => one !== many[700] && !ran.includes(one))).toEqual([]);
});
