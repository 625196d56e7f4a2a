import { expect, test } from 'vitest';
import { instant, later, SECOND } from '../../src/base/clock.js';
import type { Outcome } from '../../src/chat/courier.js';
import { reply } from '../../src/chat/reply.js';
import type { Delivery } from '../../src/alerts/queue.js';
import { MAXIMUM_AGE, settle } from '../../src/alerts/settle.js';

const now = instant(Date.UTC(2026, 10, 20, 12));
const delivery = (parts: Partial<Delivery> = {}): Delivery => ({
  id: 'd',
  members: [{ event: 'supply/tide/1', entry: 'tide', queuedAt: now }],
  reply: reply({ finding: ['news'] }),
  sealedAt: now,
  state: 'sending',
  attempts: 1,
  notBefore: now,
  ...parts,
});
const after = (outcome: Outcome, parts: Partial<Delivery> = {}, jitter = 1) => settle(delivery(parts), { outcome, now, jitter });
const waitOf = (settlement: ReturnType<typeof after>): number => ('again' in settlement ? settlement.again.notBefore - now : -1);

test('what was sent is closed with the platform’s id for it', () => {
  expect(after({ kind: 'sent', messageId: '7' })).toMatchObject({ done: { end: 'sent', messageId: '7', attempts: 1 } });
});

test('what the platform will never take is closed with its reason', () => {
  expect(after({ kind: 'refused', detail: 'too odd' })).toMatchObject({ done: { end: 'refused', because: 'too odd' } });
});

test('a wait that the platform names is kept to', () => {
  expect(waitOf(after({ kind: 'later', because: 'rate-limited', afterMs: 43_837_000 }))).toBe(43_837_000);
});

test('without a named wait, attempts come at growing distances, up to ten minutes', () => {
  const waits = [1, 2, 3, 20].map((attempts) => waitOf(after({ kind: 'later', because: 'unreachable' }, { attempts })));
  expect(waits).toEqual([2, 4, 8, 600].map((seconds) => seconds * SECOND));
  expect(waitOf(after({ kind: 'later', because: 'unreachable' }, {}, 0))).toBe(SECOND);
});

test('an unclear attempt is repeated with the same id and the same members', () => {
  const settlement = after({ kind: 'unclear', because: 'line-cut' });
  expect(settlement).toMatchObject({ again: { id: 'd', members: delivery().members, state: 'sealed', problem: 'unclear: line-cut' } });
});

test('what people must mend is tried again, and given up with its reason when it is too old to matter', () => {
  const held = { kind: 'held', because: 'missing permission' } as const;
  expect(after(held)).toHaveProperty('again');
  const old = { sealedAt: later(now, -MAXIMUM_AGE - 1) };
  expect(after(held, old)).toMatchObject({ done: { end: 'expired', because: 'missing permission' } });
});
