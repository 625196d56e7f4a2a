import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Delivery } from '../../../src/alerts/queue/queue.js';
import { MAX_DELIVERY_AGE, settle, type Settlement } from '../../../src/alerts/delivery/after-attempt.js';
import { HOUR, later, MINUTE, SECOND, type Instant } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { EarlierAttempt, Outcome } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { NOON } from '../../feeds/reading.js';

const delivery = (attempts: number, sealedAt: Instant = NOON): Delivery => ({
  ...{ id: 'id', members: [{ event: 'e', entry: 'tide', queuedAt: NOON }], reply: reply({ finding: ['x'] }) },
  ...{ sealedAt, state: 'sending', attempts, notBefore: NOON },
});
const after = (outcome: Outcome, attempts = 1, jitter = 1, now: Instant = NOON): Settlement =>
  settle(delivery(attempts), { outcome, now, jitter, repeats: 'recognised' });
const receiptOf = (settlement: Settlement) => ('done' in settlement ? settlement.done : undefined);
const waitOf = (settlement: Settlement): number | undefined => ('again' in settlement ? settlement.again.notBefore - NOON : undefined);
const UNREACHABLE: Outcome = { kind: 'later', because: 'unreachable' };

test("sent is done, with the message's id", () => {
  expect(after({ kind: 'sent', messageId: '7' })).toEqual({
    done: { id: 'id', members: delivery(1).members, end: 'sent', endedAt: NOON, attempts: 1, messageId: '7' },
  });
});

test('refused is done, with what the platform said', () => {
  expect(after({ kind: 'refused', detail: 'too long' })).toMatchObject({ done: { end: 'refused', because: 'too long' } });
});

test('a wait the platform asks for is kept to, long or short', () => {
  expect(waitOf(after({ kind: 'later', because: 'rate-limited', afterMs: 12 * HOUR }, 1, 0))).toBe(12 * HOUR);
  expect(waitOf(after({ kind: 'later', because: 'rate-limited', afterMs: 0.2 }, 9))).toBe(1);
});

test('waits that the platform asked for do not lengthen the pause after another trouble', () => {
  const limited: Outcome = { kind: 'later', because: 'rate-limited', afterMs: 3_000 };
  let before = delivery(1);
  for (let attempts = 2; attempts <= 9; attempts += 1) {
    const settlement = settle(before, { outcome: limited, now: NOON, jitter: 1, repeats: 'recognised' });
    before = { ...('again' in settlement ? settlement.again : before), attempts };
  }
  expect(before.putOff).toBe(8);
  expect(waitOf(settle(before, { outcome: UNREACHABLE, now: NOON, jitter: 1, repeats: 'recognised' }))).toBe(2 * SECOND);
});

describe('without one the pauses', () => {
  test('grow to a ceiling', () => {
    const waits = Array.from({ length: 20 }, (_, index) => waitOf(after(UNREACHABLE, index + 1)));
    expect(waits.slice(0, 4)).toEqual([2, 4, 8, 16].map((seconds) => seconds * SECOND));
    expect(waits.at(-1)).toBe(10 * MINUTE);
    expect(waitOf(after(UNREACHABLE, 5_000))).toBe(10 * MINUTE);
  });
  test('are spread by chance between half and the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, jitter) => {
        const [wait, most] = [waitOf(after(UNREACHABLE, attempts, jitter)) ?? 0, waitOf(after(UNREACHABLE, attempts, 1)) ?? 0];
        expect(wait).toBeGreaterThanOrEqual(most / 2);
        expect(wait).toBeLessThanOrEqual(most);
      }),
    );
  });
});

test('what is unclear is sent again as it is: the same id, the same members', () => {
  const { members, reply: says } = delivery(1);
  expect(after({ kind: 'unclear', because: 'timeout' })).toMatchObject({
    again: { id: 'id', members, reply: says, state: 'sealed', problem: 'unclear: timeout' },
  });
});

describe('where the platform recognises no repeat, what is unclear is', () => {
  const unclear = (repeats: 'repeat' | 'hold', before: Delivery): Settlement =>
    settle(before, { outcome: { kind: 'unclear', because: 'line-cut' }, now: NOON, jitter: 1, repeats });

  test('repeated, and every time noted, if the operator prefers a repeat', () => {
    const first = unclear('repeat', delivery(1));
    expect(first).toMatchObject({ again: { state: 'sealed', maybeSent: 1 } });
    const second = unclear('repeat', { ...delivery(2), maybeSent: 1 });
    expect(second).toMatchObject({ again: { maybeSent: 2 } });
    expect(
      settle({ ...delivery(3), maybeSent: 2 }, { outcome: { kind: 'sent', messageId: '9' }, now: NOON, jitter: 1, repeats: 'repeat' }),
    ).toMatchObject({
      done: { end: 'sent', attempts: 3, maybeSent: 2 },
    });
  });

  test('closed as maybe sent if the operator rather misses it', () => {
    expect(unclear('hold', delivery(1))).toMatchObject({ done: { end: 'maybe sent', because: 'line-cut', maybeSent: 1 } });
  });
});

test('a chat that is gone or moved keeps its delivery as it is, ready at once where it is found again', () => {
  const to = address('telegram', '-100500');
  expect(after({ kind: 'gone', because: 'the bot was removed' })).toMatchObject({
    again: { id: 'id', state: 'sealed', notBefore: NOON },
    left: { because: 'the bot was removed' },
  });
  expect(after({ kind: 'moved', to })).toMatchObject({ again: { id: 'id', notBefore: NOON }, left: { movedTo: to } });
});

test('what people must mend is tried every quarter of an hour', () => {
  expect(waitOf(after({ kind: 'not-permitted', because: 'I lack Embed Links' }, 1))).toBe(15 * MINUTE);
  expect(waitOf(after({ kind: 'not-permitted', because: 'I lack Embed Links' }, 50))).toBe(15 * MINUTE);
});

test.each<readonly [Outcome, string]>([
  [UNREACHABLE, 'expired'],
  [{ kind: 'unclear', because: 'line-cut' }, 'maybe sent'],
  [{ kind: 'not-permitted', because: 'topic closed' }, 'expired'],
])('past the maximum age %j is given up with the reason as %s, and before it is not', (outcome, end) => {
  const late = later(NOON, MAX_DELIVERY_AGE + 1);
  expect(settle(delivery(9), { outcome, now: late, jitter: 1, repeats: 'recognised' })).toMatchObject({
    done: { end, because: expect.any(String) },
  });
  expect(settle(delivery(9), { outcome, now: later(NOON, MAX_DELIVERY_AGE), jitter: 1, repeats: 'recognised' })).toHaveProperty('again');
});

test.each<Outcome>([UNREACHABLE, { kind: 'not-permitted', because: 'topic closed' }])(
  'past the maximum age what may have arrived is maybe sent, although the last attempt said %j',
  (outcome) => {
    const late = later(NOON, MAX_DELIVERY_AGE + 1);
    const before = { ...delivery(9), mayHaveArrived: true };
    expect(settle(before, { outcome, now: late, jitter: 1, repeats: 'recognised' })).toMatchObject({ done: { end: 'maybe sent' } });
  },
);

test('a message that was posted in part may have arrived, so it is neither grouped again nor forgotten', () => {
  expect(after({ kind: 'not-permitted', because: 'I lack Embed Links', incomplete: true })).toMatchObject({
    again: { notPermitted: true, mayHaveArrived: true },
  });
});

describe('of an attempt that may have arrived the receipt says', () => {
  const sent = (earlier?: EarlierAttempt, repeats: 'recognised' | 'repeat' = 'recognised'): Settlement =>
    settle(
      { ...delivery(2), mayHaveArrived: true, ...(repeats === 'repeat' ? { maybeSent: 1 } : {}) },
      { outcome: { kind: 'sent', messageId: '7', ...(earlier && { earlier }) }, now: NOON, jitter: 1, repeats },
    );
  test('that the platform recognised the repeat', () => {
    expect(sent()).toMatchObject({ done: { end: 'sent', earlier: { kind: 'recognised' } } });
    expect(receiptOf(sent(undefined, 'repeat'))).toMatchObject({ end: 'sent', maybeSent: 1 });
    expect(receiptOf(sent(undefined, 'repeat'))).not.toHaveProperty('earlier');
  });
  test('what reading the channel showed, and that it may be there twice where that showed nothing', () => {
    for (const kind of ['found', 'absent'] as const) {
      expect(sent({ kind })).toMatchObject({ done: { earlier: { kind } } });
      expect(receiptOf(sent({ kind }))).not.toHaveProperty('maybeSent');
    }
    expect(sent({ kind: 'unknown', because: 'x' })).toMatchObject({ done: { earlier: { kind: 'unknown' }, maybeSent: 1 } });
  });
  test('that it was not repeated because nobody knows', () => {
    const outcome = { kind: 'maybe-sent', because: 'x' } as const;
    expect(settle(delivery(2), { outcome, now: NOON, jitter: 1, repeats: 'recognised' })).toMatchObject({
      done: { end: 'maybe sent', because: 'x', maybeSent: 1 },
    });
  });
});

test('a delivery sealed before the clock was set back ages from now on', () => {
  const settlement = settle(delivery(1, later(NOON, 5 * HOUR)), { outcome: UNREACHABLE, now: NOON, jitter: 1, repeats: 'recognised' });
  expect(settlement).toMatchObject({ again: { sealedAt: NOON, notBefore: NOON + 2 * SECOND } });
});

test('a delivery is given up after the longest age that its entries allow', () => {
  const patient = { ...delivery(9), maxAge: 7 * 24 * HOUR };
  const at = (age: number): Settlement =>
    settle(patient, { outcome: UNREACHABLE, now: later(NOON, age), jitter: 1, repeats: 'recognised' });
  expect(at(7 * 24 * HOUR)).toHaveProperty('again');
  expect(at(7 * 24 * HOUR + 1)).toMatchObject({ done: { end: 'expired', because: 'unreachable' } });
});

test('what kept the events of a summary goes from the delivery to its receipt', () => {
  const summary = 'Catching up: this chat had quiet hours';
  const settled = settle(
    { ...delivery(1), summary },
    { outcome: { kind: 'sent', messageId: '7' }, now: NOON, jitter: 1, repeats: 'recognised' },
  );
  expect(settled).toMatchObject({ done: { end: 'sent', summary } });
});
