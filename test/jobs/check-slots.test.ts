/** Slots by themselves: checks that a test ends, and requests for them. */
import { expect, test } from 'vitest';
import type { Audience } from '../../src/alerts/watchlist/subscribers.js';
import { later, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { CheckSlots, type CheckRequest } from '../../src/jobs/check-slots.js';
import { MAX_FIRST_RUNNING, MAX_RUNNING } from '../../src/jobs/plan/check-order.js';
import { taskKey, type Task } from '../../src/jobs/wanted-checks.js';
import { handClock, settled } from '../support/clock.js';
import { project, surface } from './fake-service.js';

const clock = handClock();
const since = clock.now();
const feed = surface(clock).feed();
const task = (name: string, chats?: readonly Audience[]): Task => ({
  feed,
  subject: project(name),
  ...(chats === undefined ? {} : { chats }),
});
const keyOf = (name: string): string => `supply/${name}`;
const numbered = (word: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${word}${index}`);

function openSlots(affordable: (key: string) => boolean = () => true) {
  const began: string[] = [];
  const ends = new Map<string, (answered: boolean) => void>();
  const slots = new CheckSlots({
    run: async (one, again) => {
      began.push(`${taskKey(one)}${again ? ' again' : ''}`);
      return new Promise((resolve) => ends.set(taskKey(one), resolve));
    },
    affordable: () => affordable,
  });
  const first = (...names: readonly string[]) => names.map((name) => ({ task: task(name), since, neverRan: true }));
  const late = (...names: readonly string[]) =>
    names.map((name) => ({ task: task(name), at: since, every: MINUTE, neverRan: false, isFirst: false }));
  return {
    slots,
    began,
    first,
    late,
    end: async (name: string, answered = true) => {
      ends.get(keyOf(name))?.(answered);
      await settled();
    },
    request: async (name: string, how: Partial<CheckRequest> = {}) =>
      slots.request({ task: task(name), since, neverRan: true, owner: 'someone', again: false, ...how }),
    offer: (offer: Partial<Parameters<typeof slots.offer>[0]>) => slots.offer({ first: [], late: [], isWanted: () => true, ...offer }),
    waiting: () => {
      const all = slots.waiting();
      return { first: all.first.map((one) => taskKey(one.task)), late: all.late.map((one) => taskKey(one.task)) };
    },
  };
}

/** Requests that take every slot for first checks. */
async function crowded(affordable?: (key: string) => boolean) {
  const harness = openSlots(affordable);
  const busy = [...numbered('busy', MAX_FIRST_RUNNING)];
  for (const name of busy) void harness.request(name);
  await settled();
  harness.began.length = 0;
  return { ...harness, free: async () => harness.end(busy.pop() ?? '') };
}

test('two requests that wait for the same check are answered by one run, with what the service said', async () => {
  const { slots, request, began, free, end } = await crowded();
  const answers = Promise.all([request('tide'), request('tide', { owner: 'other' })]);
  expect(slots.waiting().first).toMatchObject([{ since, neverRan: true }]);
  await free();
  expect(began).toEqual(['supply/tide']);
  await end('tide', false);
  expect(await answers).toEqual([false, false]);
});

test('a request that wants no saved copy turns one that waits into its own, and both are answered', async () => {
  const { request, began, free, end } = await crowded();
  const answers = Promise.all([request('tide'), request('tide', { again: true }), request('tide')]);
  await free();
  expect(began).toEqual(['supply/tide again']);
  await end('tide');
  expect(await answers).toEqual([true, true, true]);
});

test('while a check runs, a request joins it, and one that wants no saved copy runs after it', async () => {
  const { slots, request, began, end } = openSlots();
  const [one, joined, again] = [request('tide'), request('tide'), request('tide', { again: true })];
  await settled();
  expect(began).toEqual(['supply/tide']);
  expect([...slots.running()]).toEqual(['supply/tide']);
  await end('tide', false);
  expect([await one, await joined, began]).toEqual([false, false, ['supply/tide', 'supply/tide again']]);
  await end('tide');
  expect(await again).toBe(true);
  expect([...slots.running()]).toEqual([]);
});

test('a request that is wanted stays, though its check is not due; one that is not wanted any more is answered with no', async () => {
  const { request, offer, waiting } = await crowded();
  const [kept, dropped] = [request('tide'), request('heron')];
  offer({ isWanted: (key) => key !== 'supply/heron' });
  expect(await dropped).toBe(false);
  expect(waiting()).toEqual({ first: ['supply/tide'], late: [] });
  const still = Symbol('waits');
  expect(await Promise.race([kept, Promise.resolve(still)])).toBe(still);
});

test('a first check that is due no more is dropped, and one that is requested and due keeps its request', async () => {
  const { request, offer, first, waiting, free, began, end } = await crowded();
  offer({ first: first('tide', 'heron') });
  const answer = request('tide', { again: true });
  offer({ first: first('tide') });
  expect(waiting().first).toEqual(['supply/tide']);
  await free();
  expect(began).toEqual(['supply/tide again']);
  await end('tide');
  expect(await answer).toBe(true);
});

test('a check waits since it was first due, not since it was requested', async () => {
  const { slots, request, offer, first } = await crowded();
  offer({ first: first('tide') });
  void request('tide', { since: later(since, MINUTE), neverRan: false });
  expect(slots.waiting().first).toMatchObject([{ since, neverRan: true }]);
});

test('a check that is under way is not begun beside itself, however it is offered', async () => {
  const { request, offer, first, late, began, waiting } = openSlots();
  void request('tide');
  offer({ first: first('tide'), late: late('tide') });
  expect(began).toEqual(['supply/tide']);
  expect(waiting()).toEqual({ first: [], late: [] });
});

test('late checks take the slots that first checks leave, in their order, and those offered before are forgotten', async () => {
  const { offer, late, began, waiting, end } = await crowded();
  offer({ late: late(...numbered('late', MAX_RUNNING)) });
  expect(began).toEqual(numbered('late', MAX_RUNNING - MAX_FIRST_RUNNING).map(keyOf));
  expect(waiting().late).toHaveLength(MAX_FIRST_RUNNING);
  offer({ late: late('tide') });
  expect(waiting().late).toEqual(['supply/tide']);
  await end('late0');
  expect(began.at(-1)).toBe('supply/tide');
});

test('what the budget does not suffice for waits, and what it suffices for goes first', async () => {
  const { request, offer, late, began, waiting } = openSlots((key) => !key.endsWith('dear'));
  void request('dear');
  void request('cheap');
  offer({ late: late('late-dear', 'late-cheap') });
  expect(began).toEqual(['supply/cheap', 'supply/late-cheap']);
  expect(waiting()).toEqual({ first: ['supply/dear'], late: ['supply/late-dear'] });
});

test('closing answers what waits with no, begins nothing more, and idle waits for what runs', async () => {
  const { slots, request, offer, first, late, began, waiting, free } = await crowded();
  offer({ late: late(...numbered('late', MAX_RUNNING)) });
  const waits = request('tide');
  slots.close();
  expect(await waits).toBe(false);
  expect(waiting()).toEqual({ first: [], late: [] });
  began.length = 0;
  offer({ first: first('heron'), late: late('alder') });
  expect(await request('heron')).toBe(false);
  await free();
  expect(began).toEqual([]);
  expect(waiting()).toEqual({ first: [], late: [] });
});

test('idle is when nothing runs, what began meanwhile included', async () => {
  const { slots, request, end } = openSlots();
  void request('tide');
  void request('tide', { again: true });
  let isIdle = false;
  const idle = slots.idle().then(() => (isIdle = true));
  await end('tide');
  expect(isIdle).toBe(false);
  await end('tide');
  await idle;
});

test('a chat that watches much takes turns with others; the many chats of a crowd have one turn together', async () => {
  const crowd = new Set(numbered('chat', 17).map((name) => address('console', name)));
  const few = new Set([address('console', 'few')]);
  const { offer, began, free } = await crowded();
  offer({
    first: [
      ...numbered('crowd', 3).map((name) => ({ task: task(name, [crowd]), since, neverRan: true })),
      ...numbered('few', 3).map((name) => ({ task: task(name, [few]), since, neverRan: true })),
    ],
  });
  for (let times = 0; times < 6; times += 1) await free();
  expect(began).toEqual(['crowd0', 'few0', 'crowd1', 'few1', 'crowd2', 'few2'].map(keyOf));
});

test('each of a few chats that watch the same has a turn of its own', async () => {
  const pair = new Set([address('console', 'one'), address('console', 'two')]);
  const few = new Set([address('console', 'few')]);
  const { offer, began, free } = await crowded();
  offer({
    first: [
      ...numbered('pair', 3).map((name) => ({ task: task(name, [pair]), since, neverRan: true })),
      ...numbered('few', 1).map((name) => ({ task: task(name, [few]), since, neverRan: true })),
    ],
  });
  for (let times = 0; times < 4; times += 1) await free();
  expect(began).toEqual(['pair0', 'pair1', 'few0', 'pair2'].map(keyOf));
});

test('a check that chats of two entries wait for runs in the turn of any of them', async () => {
  const [one, other] = ['one', 'other'].map((name) => new Set([address('console', name)]));
  const { offer, began, free } = await crowded();
  offer({
    first: [{ task: task('tide', [one ?? new Set(), other ?? new Set()]), since, neverRan: true }],
  });
  await free();
  expect(began).toEqual(['supply/tide']);
});
