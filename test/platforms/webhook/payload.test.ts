import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { instant } from '../../../src/base/clock.js';
import type { DeliveredEvent } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { MAX_BODY, bodyOf, payloadSchema, type PayloadParts } from '../../../src/platforms/webhook/payload.js';
import { sampleEvent, sampleReply } from '../../../src/platforms/webhook/api.js';
import { newSecret, secretSchema, signedHeaders } from '../../../src/platforms/webhook/endpoints.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const events = (count: number): readonly DeliveredEvent[] =>
  Array.from({ length: count }, (_, index) => ({ ...sampleEvent(NOW), id: `e-${index}` }));
const parts: PayloadParts = { type: 'alert', id: 'd-1', endpoint: 'k3x9', at: NOW, reply: sampleReply(NOW), events: events(1), count: 1 };
const parsed = (more: Partial<PayloadParts> = {}) => payloadSchema.parse(JSON.parse(bodyOf({ ...parts, ...more })));

test('has the event as data, with figures as exact text, beside the words that a chat gets', () => {
  expect(parsed()).toMatchObject({
    type: 'alert',
    timestamp: '2026-11-20T12:00:00.000Z',
    data: {
      version: 1,
      id: 'd-1',
      endpoint: 'k3x9',
      silent: false,
      omitted: 0,
      text: expect.stringContaining('minted 486,210 SMPL'),
      events: [
        {
          kind: 'supply',
          stage: 'mint',
          project: 'sample',
          figures: { usd: '402581.88', percent: '3.769', amount: '486210', symbol: 'SMPL' },
        },
      ],
    },
  });
});

test('ten thousand events fit: what is left out is counted', () => {
  const many = parsed({ events: events(5_000), count: 10_000 });
  expect(Buffer.byteLength(bodyOf({ ...parts, events: events(5_000), count: 10_000 }))).toBeLessThanOrEqual(MAX_BODY + 10);
  expect(many.data.events.length).toBeGreaterThan(50);
  expect(many.data.events.length + many.data.omitted).toBe(10_000);
});

test('an event that is too large for itself is left out, and a time outside the calendar is no reason to fail', () => {
  const huge = { ...sampleEvent(NOW), facts: { note: 'x'.repeat(MAX_BODY) }, occurredAt: instant(1e300) };
  expect(parsed({ events: [huge] }).data).toMatchObject({ events: [], omitted: 1 });
  expect(parsed({ events: [{ ...sampleEvent(NOW), occurredAt: instant(1e300) }] }).data.events).toHaveLength(1);
});

test('is signed so that the library verifies it, with either of two secrets and no third', () => {
  const [first, second, third] = [newSecret(), newSecret(), newSecret()];
  const body = bodyOf(parts);
  // The library compares with the machine's clock.
  const at = instant(new Date().getTime());
  const headers = { ...signedHeaders({ id: 'd-1', at, body }, [first, second]) };
  for (const secret of [first, second]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(third).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(first).verify(body.replace('486210', '486211'), headers)).toThrow('No matching signature');
});

test('control characters and markup in names stay text', () => {
  const odd = reply({ finding: ['a\u0000\u202e<b>name</b>\nnext'] });
  expect(parsed({ reply: odd }).data.text).toBe('a<b>name</b> next');
});

test.each([
  '',
  'secret',
  `whsec-${'a'.repeat(44)}`,
  `sk_${'a'.repeat(44)}`,
  'whsec_',
  'whsec_short',
  `whsec_${'é'.repeat(44)}`,
  `whsec_${'a'.repeat(500)}`,
])('"%s" is no signing secret', (text) => expect(secretSchema.safeParse(text).success).toBe(false));
