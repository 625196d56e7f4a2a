import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { openDocument } from '../../../src/platforms/telegram/document.js';
import { UpdateQueue, type Received } from '../../../src/platforms/telegram/update-queue.js';
import { openStore } from '../../../src/store/open.js';

const MAX_UNDER_WAY = 1_000;

/** A question of a person of its own. */
const question = (update: number): Received => ({
  update,
  incoming: {
    kind: 'ask',
    place: { chat: update },
    scene: 'private',
    from: { as: 'person', id: update, name: 'Anna' },
    message: 1,
    line: '/help',
  },
});

async function open() {
  const store = await openStore('memory://');
  const document = await openDocument({ store, log: silentLog });
  const stopping = new AbortController();
  const under: { readonly chat: number; readonly end: () => void; readonly endTurn: () => void }[] = [];
  const beyond: number[] = [];
  const queue = new UpdateQueue({
    ...{ document, clock: systemClock, log: silentLog, stopping: stopping.signal, signal: new AbortController().signal },
    handle: async (incoming, { endTurn = () => {} }) =>
      new Promise((resolve) => under.push({ chat: 'place' in incoming ? incoming.place.chat : 0, end: () => resolve(true), endTurn })),
    giveUp: async () => {},
    taken: () => {},
    leftOut: (incoming) => void beyond.push('place' in incoming ? incoming.place.chat : 0),
  });
  return { document, queue, under, beyond, stopping };
}

/** Whether it is settled once everything that can run has run. */
async function isSettled(one: Promise<unknown>): Promise<boolean> {
  const settled = one.then(
    () => true,
    () => true,
  );
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  return Promise.race([settled, Promise.resolve(false)]);
}

test('while a thousand are under way more stay with Telegram, and are taken as others end', async () => {
  const { document, queue, under } = await open();
  await queue.take(Array.from({ length: MAX_UNDER_WAY }, (_, index) => question(index + 1)));
  const [first, second] = [queue.take([question(2_001)]), queue.take([question(2_002)])];
  expect([await isSettled(first), await isSettled(second), document.read().pendingUpdates.length]).toEqual([false, false, MAX_UNDER_WAY]);
  under[0]?.end();
  await first;
  expect([await isSettled(second), under.at(-1)?.chat]).toEqual([false, 2_001]);
  under[1]?.end();
  await second;
  expect(under.at(-1)?.chat).toBe(2_002);
});

test('a question in the new group of one that moved waits until its list is there, and other chats do not', async () => {
  const { queue, under } = await open();
  const moved: Received = { update: 1, incoming: { kind: 'moved', from: -500, to: 7 } };
  await queue.take([moved, question(7), question(8)]);
  expect(await isSettled(queue.handled(7))).toBe(false);
  expect(under.map(({ chat }) => chat)).toEqual([0, 8]);
  under[0]?.end();
  await queue.handled(1);
  expect(await isSettled(queue.handled(7))).toBe(false);
  expect(under.map(({ chat }) => chat)).toEqual([0, 8, 7]);
  await queue.take([{ ...question(7), update: 9 }]);
  under[2]?.end();
  expect(await isSettled(queue.handled(9))).toBe(false);
  expect(under.map(({ chat }) => chat)).toEqual([0, 8, 7, 7]);
});

test('a stop ends the wait for room, and what waited is not taken', async () => {
  const { document, queue, stopping } = await open();
  await queue.take(Array.from({ length: MAX_UNDER_WAY }, (_, index) => question(index + 1)));
  const waiting = queue.take([question(2_001)]);
  stopping.abort(new Error('the bot is stopping'));
  await expect(waiting).rejects.toThrow('stopping');
  expect(document.read().recent).not.toContain(2_001);
});

test('one person has at most thirty questions under way over all groups, so that others find room, and hears of the rest', async () => {
  const { document, queue, under, beyond } = await open();
  const inGroup = (update: number): Received => {
    const { incoming } = question(update);
    return { update, incoming: incoming.kind === 'ask' ? { ...incoming, scene: 'group', from: { ...incoming.from, id: 5 } } : incoming };
  };
  await queue.take(Array.from({ length: 110 }, (_, index) => inGroup(index + 1)));
  await queue.take([question(500)]);
  expect(under.map(({ chat }) => chat)).toEqual([...Array.from({ length: 30 }, (_, index) => index + 1), 500]);
  expect([beyond.length, document.read().pendingUpdates.length]).toEqual([80, 31]);
  under[0]?.end();
  await queue.handled(1);
  await queue.take([inGroup(200)]);
  expect(under.at(-1)?.chat).toBe(200);
});

test('a later question of a person begins once the earlier one ends its turn, and both are awaited', async () => {
  const { document, queue, under } = await open();
  const behind: Received = { ...question(1), update: 2 };
  await queue.take([question(1), behind]);
  let isPassed = false;
  const first = queue.handled(1, () => (isPassed = true));
  expect([await isSettled(first), isPassed, under.length]).toEqual([false, false, 1]);
  under[0]?.endTurn();
  expect([await isSettled(first), isPassed, under.length]).toEqual([false, true, 2]);
  under[1]?.end();
  await queue.handled(2);
  expect(document.read().pendingUpdates.map(({ update }) => update)).toEqual([1]);
  const idle = queue.idle();
  expect(await isSettled(idle)).toBe(false);
  under[0]?.end();
  await Promise.all([first, idle]);
  expect(document.read().pendingUpdates).toEqual([]);
});
