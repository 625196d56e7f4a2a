/** What a queue document becomes: in an absence, with prepared messages, after an attempt, and when its chat moves. */
import { describe, expect, test } from 'vitest';
import { deliveryId } from '../../../src/alerts/queue/queued-event.js';
import {
  adopt,
  begin,
  close,
  dropPrepared,
  emptyQueue,
  enqueue,
  lastAlert,
  MAX_WAITING,
  prepare,
  release,
  reopen,
  seal,
  sealPrepared,
  unseal,
  waitingIn,
  type Delivery,
  type Member,
  type Queue,
  type Receipt,
  type Sealing,
} from '../../../src/alerts/queue/queue.js';
import { preparedDue, type PreparedMessage } from '../../../src/alerts/queue/prepared-message.js';
import { HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT } from '../harness.js';

const says = reply({ finding: ['x'] });
const member = (event: string | number, queuedAt = NOON): Member => ({ event: String(event), entry: 'tide', queuedAt });
const many = (count: number, queuedAt: Instant, from = 0) => Array.from({ length: count }, (_, index) => member(from + index, queuedAt));
const digest = (id: string, extra: Partial<PreparedMessage> = {}): PreparedMessage => ({
  ...{ id, summary: 'Daily digest', reply: says, queuedAt: NOON, until: later(NOON, HOUR) },
  ...extra,
});
const sealed = (queue: Queue, ...members: readonly Member[]): Queue => seal(enqueue(queue, members), { members, reply: says, now: NOON });
const receipt = (queue: Queue, extra: Partial<Receipt> = {}): Receipt => {
  const { id = '', members = [] } = queue.open ?? {};
  return { ...{ id, members, end: 'sent', endedAt: later(NOON, MINUTE), attempts: 1 }, ...extra };
};
const withOpen = (queue: Queue, extra: Partial<Delivery>): Queue => (queue.open ? { ...queue, open: { ...queue.open, ...extra } } : queue);

describe('of more than can wait', () => {
  test('a tenth is dropped, so that the next alerts have room', () => {
    expect(enqueue(emptyQueue(CHAT), many(MAX_WAITING + 1, NOON)).waiting).toHaveLength(MAX_WAITING * 0.9);
  });

  test('in an absence 500 are kept of what came since it began, and the rest is counted', () => {
    const left = later(NOON, HOUR);
    const before = enqueue(emptyQueue(CHAT), many(300, NOON));
    expect(enqueue(before, many(500, left, 300), left).receipts).toEqual([]);
    const after = enqueue(before, many(501, left, 300), left);
    expect([after.waiting.length, after.waiting.at(0)]).toEqual([300 + 450, member(0)]);
    expect(after.droppedAway).toEqual([{ at: left, newest: left, count: 51 }]);
    const present = enqueue(before, many(501, left, 300));
    expect([present.receipts, present.droppedAway]).toEqual([[], undefined]);
  });

  test('the summary that is sent next has counted the rest, and another message has not', () => {
    const away = enqueue(emptyQueue(CHAT), many(501, NOON), NOON);
    const open = (extra: Partial<Sealing>): Queue => seal(away, { members: away.waiting.slice(0, 5), reply: says, now: NOON, ...extra });
    const counted = open({ summary: 'Catching up' });
    expect(close(counted, receipt(counted)).droppedAway).toBeUndefined();
    expect(close(counted, receipt(counted, { end: 'maybe sent' })).droppedAway).toBeUndefined();
    const kept = [{ at: NOON, newest: NOON, count: 51 }];
    expect(close(counted, receipt(counted, { end: 'refused' })).droppedAway).toEqual(kept);
    const single = open({});
    expect(close(single, receipt(single)).droppedAway).toEqual(kept);
    const digested = sealPrepared(prepare(away, digest('1')), '1', { now: NOON });
    expect(close(digested, receipt(digested)).droppedAway).toEqual(kept);
  });

  test('a group that becomes a supergroup takes along what was routed, which does not come again', () => {
    const taken = adopt(emptyQueue(address('telegram', '-1001')), { ...emptyQueue(CHAT), routed: ['7', '8'] });
    expect(taken.routed).toEqual(['7', '8']);
    expect(enqueue(taken, [member('7'), member('9')]).waiting.map(({ event }) => event)).toEqual(['9']);
  });

  test('a group that becomes a supergroup takes the count along, once', () => {
    const away = enqueue(emptyQueue(CHAT), many(501, NOON), NOON);
    const taken = adopt(emptyQueue(address('telegram', '-1001')), away);
    expect([taken.droppedAway, adopt(taken, away).droppedAway]).toEqual([away.droppedAway, away.droppedAway]);
  });
});

describe('a prepared message', () => {
  test('waits once, and beyond five the oldest is dropped with a receipt', () => {
    const five = ['1', '2', '3', '4', '5'].reduce((queue, id) => prepare(queue, digest(id)), emptyQueue(CHAT));
    expect([prepare(five, digest('3')), waitingIn(five)]).toEqual([five, 5]);
    const six = prepare(five, digest('6'));
    expect(six.prepared?.map(({ id }) => id)).toEqual(['2', '3', '4', '5', '6']);
    expect(six.receipts).toMatchObject([{ id: '1', end: 'dropped', summary: 'Daily digest', endedAt: NOON }]);
    const open = sealPrepared(five, '1', { now: NOON });
    expect([prepare(open, digest('1')), waitingIn(open)]).toEqual([open, 5]);
  });

  test('is sealed with the time that is left, one at a time, and waits again as it was', () => {
    const queue = prepare(prepare(emptyQueue(CHAT), digest('1', { silent: true })), digest('2'));
    const open = sealPrepared(queue, '1', { now: later(NOON, 10 * MINUTE) });
    expect(open.open).toMatchObject({ id: '1', members: [], maxAge: 50 * MINUTE, silent: true, prepared: { until: later(NOON, HOUR) } });
    expect(sealPrepared(queue, '1', { now: later(NOON, 2 * HOUR) }).open?.maxAge).toBe(0);
    expect([
      sealPrepared(open, '2', { now: NOON }),
      sealPrepared(queue, '3', { now: NOON }),
      dropPrepared(queue, '3', { now: NOON, because: '' }),
    ]).toEqual([open, queue, queue]);
    expect(unseal(open, '1')).toEqual({ ...queue, open: undefined });
  });

  test('waits for the end of a mute of the chat or until it is too late, and never for a clock that was set back', () => {
    const due = (mutedUntil: Instant | undefined, now: Instant) => preparedDue(digest('1'), { mutedUntil }, now);
    expect([due(undefined, later(NOON, MINUTE)), due(undefined, later(NOON, -MINUTE))]).toEqual([NOON, later(NOON, -MINUTE)]);
    expect([due(later(NOON, MINUTE), NOON), due(later(NOON, 2 * HOUR), NOON)]).toEqual([later(NOON, MINUTE), later(NOON, HOUR)]);
    expect(due(NOON, NOON)).toBe(NOON);
  });
});

describe('after an attempt', () => {
  const open = sealed(emptyQueue(CHAT), member(1));
  const { open: delivery } = open;
  if (delivery === undefined) throw new Error('nothing was sealed');

  test('alerts wait again only of a delivery that is sealed and cannot have arrived', () => {
    expect(unseal(open, delivery.id).waiting).toEqual([member(1)]);
    for (const queue of [begin(open, delivery.id, NOON), withOpen(open, { mayHaveArrived: true })])
      expect(unseal(queue, delivery.id)).toBe(queue);
    expect([unseal(open, 'another'), unseal(emptyQueue(CHAT), 'another')]).toEqual([open, emptyQueue(CHAT)]);
  });

  test('what a chat was shown is its last alert, and is counted if it was sent; a sample and what was dropped are not', () => {
    const after = (extra: Partial<Receipt>) => close(open, receipt(open, extra));
    expect([after({}).alertedAt, after({ end: 'maybe sent' }).alertedAt]).toEqual([later(NOON, MINUTE), later(NOON, MINUTE)]);
    expect([after({ end: 'expired' }).alertedAt, after({ members: [{ ...member(1), sample: true }] }).alertedAt]).toEqual([
      undefined,
      undefined,
    ]);
    expect([Object.values(after({}).sent ?? {}), after({ end: 'maybe sent' }).sent]).toEqual([[1], undefined]);
    expect(lastAlert({ receipts: [receipt(open, { end: 'dropped' }), receipt(open, { endedAt: NOON })] })).toBe(NOON);
  });

  test('another delivery than the open one changes nothing', () => {
    expect([close(open, receipt(open, { id: 'another' })), reopen(open, { ...delivery, id: 'another' })]).toEqual([open, open]);
    expect(reopen(emptyQueue(CHAT), delivery)).toEqual(emptyQueue(CHAT));
  });

  test('a delivery that was not permitted is due at once when people have fixed it, and no other one', () => {
    const put = (extra: Partial<Delivery>) => withOpen(open, { notPermitted: true, notBefore: later(NOON, HOUR), ...extra });
    expect(release(put({}), NOON).open?.notBefore).toBe(NOON);
    for (const queue of [put({ notPermitted: undefined }), put({ state: 'sending' }), put({ notBefore: later(NOON, -HOUR) })])
      expect(release(queue, NOON)).toBe(queue);
  });

  test('a message that is posted again has another id each time', () => {
    const ids = [undefined, NOON, later(NOON, 1)].map((again) => deliveryId(CHAT, [member(1)], again));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('a chat that moves', () => {
  const other = address('console', 'other');
  const setting = (dueAt: Instant) => ({ every: 'day' as const, day: '2026-07-31', zone: 'UTC', dueAt, coveredUntil: NOON });

  test('takes its receipts along in their order, and its newer digest', () => {
    const ended = (id: string, endedAt: Instant): Receipt => ({ id, members: [], end: 'sent', endedAt, attempts: 1 });
    const here = { ...emptyQueue(CHAT), receipts: [ended('b', later(NOON, 2)), ended('d', NOON)], digest: setting(NOON) };
    const from = { ...emptyQueue(other), receipts: [ended('a', later(NOON, 3)), ended('c', later(NOON, 1)), ended('d', NOON)] };
    const adopted = adopt(here, { ...from, digest: setting(later(NOON, HOUR)) });
    expect([adopted.receipts.map(({ id }) => id), adopted.digest]).toEqual([['a', 'b', 'c', 'd'], setting(later(NOON, HOUR))]);
    expect(adopt(here, { ...from, digest: setting(later(NOON, -HOUR)) }).digest).toEqual(setting(NOON));
    expect(adopt(here, { ...emptyQueue(other), digest: setting(later(NOON, HOUR)) }).digest).toEqual(setting(later(NOON, HOUR)));
  });

  test('marks what may have arrived at the old address, and nothing else', () => {
    const waiting = enqueue(sealed(emptyQueue(other), member(1)), [member(2)]);
    const [open] = [waiting.open!];
    const unclear = reopen(begin(waiting, open.id, NOON), { ...open, attempts: 1, mayHaveArrived: true });
    const marks = (queue: Queue) => adopt(emptyQueue(CHAT), queue).waiting.map(({ mayHaveArrived }) => mayHaveArrived);
    expect([marks(waiting), marks(unclear)]).toEqual([
      [undefined, undefined],
      [true, undefined],
    ]);
  });

  test('takes along what waits, and leaves what is being sent, which may follow later', () => {
    const waiting = enqueue(sealed(emptyQueue(other), member(1)), [member(2)]);
    const ids = (queue: Queue) => adopt(emptyQueue(CHAT), queue).waiting.map(({ event }) => event);
    const sending = begin(waiting, waiting.open?.id ?? '', NOON);
    expect([ids(waiting), ids(sending)]).toEqual([['1', '2'], ['2']]);
    expect(adopt(emptyQueue(CHAT), sending).routed).toEqual(['2']);
    const prepared = sealPrepared(prepare(emptyQueue(other), digest('1')), '1', { now: NOON });
    expect(adopt(emptyQueue(CHAT), prepared).prepared?.map(({ id }) => id)).toEqual(['1']);
  });
});
