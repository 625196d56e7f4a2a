import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { deliveryId } from '../../../src/alerts/queue/queued-event.js';
import {
  adopt,
  begin,
  close,
  drop,
  emptyQueue,
  enqueue,
  leave,
  mentioning,
  MAX_WAITING,
  reopen,
  seal,
  unseal,
  type Member,
  type Queue,
} from '../../../src/alerts/queue/queue.js';
import { openQueues } from '../../../src/alerts/queue/queues.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT } from '../harness.js';
import { crashStore } from '../crash-store.js';

const member = (event: string | number): Member => ({ event: String(event), entry: 'tide', queuedAt: NOON });
const says = reply({ finding: ['x'] });
const sent = (queue: Queue): Queue => {
  const { id = '', members = [] } = queue.open ?? {};
  return close(queue, { id, members, end: 'sent', endedAt: NOON, attempts: 1 });
};

test('enqueueing again, in whatever parts, is enqueueing once, in the order first met', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(30))), (parts) => {
      const queue = parts.reduce((before, part) => enqueue(before, part.map(member)), emptyQueue(CHAT));
      expect(queue.waiting.map(({ event }) => event)).toEqual([...new Set(parts.flat().map(String))]);
    }),
  );
});

test('what waits, is under way or was reported is known when it is brought again', () => {
  const all = [1, 2, 3].map(member);
  let queue = enqueue(emptyQueue(CHAT), all);
  queue = seal(queue, { members: all.slice(0, 1), reply: says, now: NOON });
  queue = sent(queue);
  queue = seal(queue, { members: all.slice(1, 2), reply: says, now: NOON });
  expect(enqueue(queue, all)).toBe(queue);
  // The clock was set back in between.
  const earlier = all.map((one) => ({ ...one, queuedAt: later(NOON, -HOUR) }));
  expect(enqueue(queue, earlier)).toBe(queue);
});

test('a backlog longer than what is remembered of the past is still known while it waits or is sent', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => member(index));
  const queue = enqueue(emptyQueue(CHAT), many);
  expect(enqueue(queue, many)).toBe(queue);
  const sending = seal(queue, { members: many.slice(0, 10), reply: says, now: NOON });
  expect(enqueue(sending, many)).toBe(sending);
});

test('of more than can wait the oldest get a receipt, which says so', () => {
  const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => member(from + index));
  const full = enqueue(emptyQueue(CHAT), many(0, MAX_WAITING));
  expect(full.receipts).toEqual([]);
  const after = enqueue(full, many(MAX_WAITING, 1));
  expect(after.waiting.length).toBeLessThan(MAX_WAITING);
  expect(after.waiting.at(-1)).toEqual(member(MAX_WAITING));
  const [receipt] = after.receipts;
  expect(receipt).toMatchObject({ end: 'dropped', because: 'more than 5,000 alerts waited', endedAt: NOON });
  expect([...(receipt?.members ?? []), ...after.waiting]).toEqual(many(0, MAX_WAITING + 1));
});

test('a chat that left nothing behind changes nothing where it is found now', () => {
  const queue = enqueue(emptyQueue(CHAT), [member(1)]);
  const other = address('console', 'other');
  const sending = begin(seal(enqueue(emptyQueue(other), [member(2)]), { members: [member(2)], reply: says, now: NOON }), '', NOON);
  expect(adopt(queue, emptyQueue(other))).toBe(queue);
  const adopted = adopt(queue, sending);
  expect(adopt(adopted, leave(sending, sending))).toBe(adopted);
});

test('what another address has adopted leaves the old one, with what was reported; what came since and what is being sent stay', () => {
  const alerted = sent(seal(enqueue(emptyQueue(CHAT), [member(1)]), { members: [member(1)], reply: says, now: NOON }));
  const sending = begin(
    seal(enqueue(alerted, [member(2)]), { members: [member(2)], reply: says, now: NOON }),
    deliveryId(CHAT, [member(2)]),
    NOON,
  );
  const old = enqueue(sending, [member(3)]);
  const left = leave(enqueue(old, [member(4)]), old);
  expect(left).toEqual({ address: CHAT, waiting: [member(4)], open: sending.open, receipts: [], routed: ['4'] });
  expect(leave(left, { ...left, waiting: [], routed: [] })).toBe(left);
  expect(leave(sent(seal(alerted, { members: [member(5)], reply: says, now: NOON })), emptyQueue(CHAT)).receipts).toHaveLength(2);
});

test('a delivery is begun only while it is the open one, and goes on without whom it must not mention any more', () => {
  const to = [
    { kind: 'person' as const, id: '77' },
    { kind: 'role' as const, id: '77' },
  ];
  const queue = seal(enqueue(emptyQueue(CHAT), [member(1)]), { members: [member(1)], reply: { ...says, mentions: to }, now: NOON });
  const id = queue.open?.id ?? '';
  expect(begin(emptyQueue(CHAT), id, NOON)).toEqual(emptyQueue(CHAT));
  expect(begin(queue, 'another', NOON)).toBe(queue);
  const begun = begin(queue, id, NOON);
  expect(begun.open).toMatchObject({ id, state: 'sending', attempts: 1, firstTriedAt: NOON });
  const without = mentioning(begun, ({ kind }) => kind !== 'person');
  expect(without.open).toEqual({ ...begun.open, reply: { ...says, mentions: to.slice(1) } });
  expect(mentioning(without, ({ kind }) => kind !== 'person')).toBe(without);
  if (begun.open === undefined) throw new Error('nothing was begun');
  expect(reopen(without, begun.open).open?.reply.mentions).toEqual(to.slice(1));
});

describe('the id of a delivery', () => {
  test('follows from the chat and the events alone, in 22 characters', () => {
    const id = deliveryId(CHAT, [member(1), member(2)]);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(deliveryId(CHAT, [{ ...member(1), queuedAt: NOON, entry: 'all' }, member(2)])).toBe(id);
    expect(deliveryId(CHAT, [member(2), member(1)])).not.toBe(id);
    expect(deliveryId(address('console', 'other'), [member(1), member(2)])).not.toBe(id);
  });
});

test('dropping takes out what it names and leaves a receipt; dropping nothing changes nothing', () => {
  const queue = enqueue(emptyQueue(CHAT), [member(1), member(2)]);
  const after = drop(queue, { members: [member(1)], now: NOON, because: 'no longer watched' });
  expect(after.waiting).toEqual([member(2)]);
  expect(after.receipts).toEqual([expect.objectContaining({ end: 'dropped', because: 'no longer watched', members: [member(1)] })]);
  expect(drop(queue, { members: [], now: NOON, because: 'x' })).toBe(queue);
});

describe('the queue documents', () => {
  test('stand after a restart, and an edit that changes nothing writes nothing', async () => {
    const base = await openStore('memory://');
    const store = crashStore(base);
    const queues = await openQueues(store);
    await queues.change(CHAT, (queue) => enqueue(queue, [member(1)]));
    await queues.change(CHAT, (queue) => enqueue(queue, [member(1)]));
    expect(store.writes()).toBe(1);
    expect((await openQueues(base)).read(CHAT).waiting).toEqual([member(1)]);
  });
  test('change one after another', async () => {
    const queues = await openQueues(await openStore('memory://'));
    await Promise.all(Array.from({ length: 40 }, async (_, index) => queues.change(CHAT, (queue) => enqueue(queue, [member(index)]))));
    expect(queues.read(CHAT).waiting).toHaveLength(40);
  });
  test('that cannot be read stop the start, with a remedy', async () => {
    const store = await openStore('memory://');
    const { z } = await import('zod');
    await store.collection({ prefix: 'queue', schema: z.unknown(), version: 1 }).set('console/main', { waiting: 1 });
    await expect(openQueues(store)).rejects.toThrow(/console\/main cannot be read .*restore a backup/);
  });
});

test('a delivery whose attempt was interrupted may have arrived, so its alerts never wait again', () => {
  const sealed = seal(enqueue(emptyQueue(CHAT), [member(1)]), { members: [member(1)], reply: says, now: NOON });
  const id = sealed.open?.id ?? '';
  const cut = begin(begin(sealed, id, NOON), id, NOON);
  expect(cut.open).toMatchObject({ attempts: 2, mayHaveArrived: true });
  expect(begin(sealed, id, NOON).open).not.toHaveProperty('mayHaveArrived');
  const again: Queue = { ...cut, ...(cut.open && { open: { ...cut.open, state: 'sealed' } }) };
  expect(unseal(again, id)).toBe(again);
  expect(unseal(sealed, id).waiting).toEqual([member(1)]);
});
