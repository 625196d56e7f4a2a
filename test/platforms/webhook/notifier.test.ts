import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { DeliveryRequest } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { MAX_PER_HOST } from '../../../src/platforms/webhook/notifier.js';
import { notifierContract } from '../../contracts/notifier.js';
import { startReceiver } from '../../stand-ins/webhook/receiver.js';
import { openWebhooks } from './harness.js';

const delivery = (id: string, says = 'one burn of TIDE'): DeliveryRequest => ({ id, reply: reply({ finding: [says] }) });

/** Node reports it neither as an answer nor as an error. */
const UPGRADE = { status: 101, headers: { connection: 'upgrade', upgrade: 'websocket' } } as const;

notifierContract({
  platform: 'webhook',
  exactlyOnce: true,
  knowsMessages: false,
  async open() {
    const webhooks = await openWebhooks();
    const receiver = await startReceiver({ now: () => webhooks.clock.now() });
    const endpoint = await webhooks.connect(receiver);
    return {
      notifier: webhooks.platform().notifier,
      postableChat: endpoint.address,
      unpostableChat: address('webhook', 'nowhere'),
      posted: async () => receiver.standing(),
      restart: async () => (await webhooks.restart()).notifier,
      close: async () => receiver.close(),
    };
  },
});

describe('what an endpoint answers', () => {
  test.each([
    [{ status: 200 }, { kind: 'sent', messageId: 'd-1' }],
    [{ status: 202 }, { kind: 'sent', messageId: 'd-1' }],
    [{ status: 410 }, { kind: 'gone' }],
    [
      { status: 429, headers: { 'retry-after': '120' } },
      { kind: 'later', because: 'rate-limited', afterMs: 120 * SECOND },
    ],
    [{ status: 429 }, { kind: 'later', because: 'rate-limited' }],
    [
      { status: 503, headers: { 'retry-after': '99999999' } },
      { kind: 'later', because: 'server-error', afterMs: HOUR },
    ],
    [
      { status: 503, headers: { 'retry-after': 'soon' } },
      { kind: 'later', because: 'server-error' },
    ],
    [{ status: 500 }, { kind: 'unclear', because: 'server-error' }],
    [{ status: 502 }, { kind: 'unclear', because: 'server-error' }],
    [UPGRADE, { kind: 'unclear', because: 'server-error' }],
    [{ status: 400 }, { kind: 'not-permitted' }],
    [{ status: 404 }, { kind: 'not-permitted' }],
    ['cut', { kind: 'unclear', because: 'line-cut' }],
    ['taken and cut', { kind: 'unclear', because: 'line-cut' }],
  ] as const)('%j leads to %j', async (behaviour, outcome) => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to, id } = await webhooks.connect(receiver);
    receiver.next(behaviour);
    expect(await webhooks.platform().notifier.deliver(to, delivery('d-1'))).toEqual(expect.objectContaining(outcome));
    const shown = await webhooks.endpoint(id);
    expect(shown?.failing === undefined).toBe(outcome.kind === 'sent');
    expect(shown?.disabled === undefined).toBe(outcome.kind !== 'gone');
  });

  test('a repeat after a cut has the same id and body, so that the receiver has the message once', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to } = await webhooks.connect(receiver);
    const at = webhooks.clock.now();
    const request = { ...delivery('d-1'), about: { kind: 'alert', at, count: 0, events: async () => [] } } as const;
    receiver.next('taken and cut');
    await webhooks.platform().notifier.deliver(to, request);
    await webhooks.clock.advance(10 * MINUTE);
    expect(await webhooks.platform().notifier.deliver(to, { ...request, earlier: { since: at, ifUnknown: 'repeat' } })).toMatchObject({
      kind: 'sent',
    });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.repeats).toEqual(['d-1']);
    expect(receiver.refused).toEqual([]);
  });

  test('410 disables it: nothing more is sent until it is enabled again', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to, id } = await webhooks.connect(receiver);
    receiver.next({ status: 410 });
    await webhooks.platform().notifier.deliver(to, delivery('d-1'));
    expect(await webhooks.platform().notifier.deliver(to, delivery('d-1'))).toMatchObject({ kind: 'gone' });
    expect(receiver.requests()).toBe(1);
    expect((await webhooks.platform().notifier.probe(to)).blocked).toContain('disabled');
    await webhooks.ask(`endpoints/${id}/enable`, {});
    expect(webhooks.reported).toEqual([{ kind: 'back', chat: to }]);
    expect(await webhooks.platform().notifier.deliver(to, delivery('d-1'))).toMatchObject({ kind: 'sent' });
  });

  test('three days of failures disable it, also over a restart; one success begins the count again', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to, id } = await webhooks.connect(receiver);
    receiver.always({ status: 404 });
    const tryFor = async (days: number): Promise<string | undefined> => {
      for (let hours = 0; hours < days * 24; hours += 1) {
        await webhooks.platform().notifier.deliver(to, delivery('d-1'));
        await webhooks.clock.advance(HOUR);
      }
      return (await webhooks.endpoint(id))?.disabled;
    };
    expect(await tryFor(2)).toBeUndefined();
    receiver.always(undefined);
    await webhooks.platform().notifier.deliver(to, delivery('d-1'));
    receiver.always({ status: 404 });
    expect(await tryFor(2)).toBeUndefined();
    await webhooks.restart();
    expect(await tryFor(2)).toContain('404');
    expect(await webhooks.platform().notifier.deliver(to, delivery('d-2'))).toMatchObject({ kind: 'gone' });
    expect(await webhooks.platform().notifier.diagnose()).toEqual({ ok: true, says: '1 endpoint, 1 disabled' });
  });

  test('those that fail are a problem of the platform with their count, without those that are disabled', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { notifier } = webhooks.platform();
    const [first, second, third] = [await webhooks.connect(receiver), await webhooks.connect(receiver), await webhooks.connect(receiver)];
    const fail = async (one: { readonly address: Address }, status: number): Promise<void> => {
      receiver.next({ status });
      await notifier.deliver(one.address, delivery('d-1'));
    };
    expect(await notifier.diagnose()).toEqual({ ok: true, says: '3 endpoints' });
    await fail(first, 500);
    expect(await notifier.diagnose()).toEqual({
      ok: false,
      says: '3 endpoints, 1 failing',
      problem: 'Webhooks: 1 of 3 endpoints is failing.',
    });
    await fail(second, 404);
    expect(await notifier.diagnose()).toMatchObject({ problem: 'Webhooks: 2 of 3 endpoints are failing.' });
    await fail(third, 410);
    await fail(second, 410);
    expect(await notifier.diagnose()).toMatchObject({ problem: 'Webhooks: the only endpoint is failing.' });
    await notifier.deliver(first.address, delivery('d-1'));
    expect(await notifier.diagnose()).toEqual({ ok: true, says: '3 endpoints, 2 disabled' });
  });

  test('a bot that was off for days has not tried for days', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to, id } = await webhooks.connect(receiver);
    receiver.always({ status: 500 });
    await webhooks.platform().notifier.deliver(to, delivery('d-1'));
    await webhooks.clock.advance(30 * DAY);
    await webhooks.platform().notifier.deliver(to, delivery('d-1'));
    expect((await webhooks.endpoint(id))?.disabled).toBeUndefined();
  });

  test('a receiver whose clock differs refuses, and the page says by how much', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive({ now: () => webhooks.clock.now() + HOUR });
    const { id } = await webhooks.connect(receiver);
    // The server of the test dates its answers by the machine's clock, years from the hand clock.
    expect((await webhooks.ask(`endpoints/${id}/test`, {})).problem).toMatch(/401; its clock and that of this machine differ by/u);
    expect(receiver.refused).toEqual(['the timestamp is too far away']);
  });
});

describe('a broken receiver', () => {
  test.each(['hang', 'slow'] as const)('that is %s is given up after 15 seconds', async (behaviour) => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to } = await webhooks.connect(receiver);
    receiver.next(behaviour);
    const sending = webhooks.platform().notifier.deliver(to, delivery('d-1'));
    await webhooks.clock.asleep();
    await expect.poll(() => receiver.requests()).toBe(1);
    await webhooks.clock.advance(15 * SECOND);
    expect(await sending).toEqual({ kind: 'unclear', because: 'timeout' });
    expect(webhooks.clock.sleepers()).toBe(0);
  });

  test('with an endless answer has accepted, and is cut off', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to } = await webhooks.connect(receiver);
    receiver.next('endless');
    expect(await webhooks.platform().notifier.deliver(to, delivery('d-1'))).toMatchObject({ kind: 'sent' });
    await expect.poll(() => webhooks.clock.sleepers()).toBe(0);
  });

  test('holds back no other host, and few requests to its own', async () => {
    const webhooks = await openWebhooks();
    const [dead, well] = [await webhooks.receive(), await webhooks.receive()];
    const [first, other] = [await webhooks.connect(dead), await webhooks.connect(well)];
    const { notifier } = webhooks.platform();
    const signal = new AbortController();
    const how = { kind: 'ringing', since: webhooks.clock.now() } as const;
    const taken = await Promise.all(Array.from({ length: MAX_PER_HOST }, async () => notifier.slot?.(first.address, how, signal.signal)));
    let isGranted = false;
    const next = notifier.slot?.(first.address, how, signal.signal).then((slot) => {
      isGranted = true;
      return slot;
    });
    expect(await notifier.slot?.(other.address, how, signal.signal)).toBeDefined();
    expect(isGranted).toBe(false);
    taken[0]?.unused();
    taken[0]?.unused();
    expect(await next).toBeDefined();
    const last = notifier.slot?.(first.address, how, signal.signal);
    signal.abort();
    expect(await last).toBeUndefined();
  });

  test('that answers with an upgrade keeps no slot of its host: a fifth endpoint there has its alerts, and the platform stops', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { notifier } = webhooks.platform();
    const endpoints = await Promise.all(Array.from({ length: MAX_PER_HOST + 1 }, async () => webhooks.connect(receiver)));
    const { signal } = new AbortController();
    const deliver = async (to: (typeof endpoints)[number]['address'], id: string): Promise<string> => {
      const slot = await notifier.slot?.(to, { kind: 'ringing', since: webhooks.clock.now() }, signal);
      const { kind } = await notifier.deliver(to, delivery(id));
      slot?.answered();
      return kind;
    };
    receiver.next(...Array.from({ length: MAX_PER_HOST }, () => UPGRADE));
    const [well, ...upgrading] = endpoints.toReversed();
    const answers = upgrading.map(async ({ address: to }, index) => deliver(to, `d-${index}`));
    expect(await Promise.all(answers)).toEqual(upgrading.map(() => 'unclear'));
    expect(well && (await deliver(well.address, 'd-well'))).toBe('sent');
    await webhooks.platform().stop();
  });

  test('is one among a hundred on its host: the others have their alerts before it is given up', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { notifier } = webhooks.platform();
    const endpoints = await Promise.all(Array.from({ length: 100 }, async () => webhooks.connect(receiver)));
    const { signal } = new AbortController();
    const deliver = async (to: (typeof endpoints)[number]['address'], id: string): Promise<string> => {
      const slot = await notifier.slot?.(to, { kind: 'ringing', since: webhooks.clock.now() }, signal);
      const { kind } = await notifier.deliver(to, delivery(id));
      slot?.answered();
      return kind;
    };
    receiver.next('hang');
    const dead = deliver(endpoints[0]?.address ?? address('webhook', 'none'), 'd-0');
    await expect.poll(() => receiver.requests()).toBe(1);
    const others = await Promise.all(endpoints.slice(1).map(async ({ address: to }, index) => deliver(to, `d-${index + 1}`)));
    expect(others.filter((kind) => kind === 'sent')).toHaveLength(99);
    await webhooks.clock.advance(15 * SECOND);
    expect(await dead).toBe('unclear');
  });

  test('has half of the slots of its host at most while it fails: another endpoint there has its alerts at once', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { notifier } = webhooks.platform();
    const [well, ...failing] = await Promise.all(Array.from({ length: MAX_PER_HOST + 1 }, async () => webhooks.connect(receiver)));
    const { signal } = new AbortController();
    const deliver = async (to: Address, id: string): Promise<string> => {
      const slot = await notifier.slot?.(to, { kind: 'ringing', since: webhooks.clock.now() }, signal);
      const { kind } = await notifier.deliver(to, delivery(id));
      slot?.answered();
      return kind;
    };
    receiver.always({ status: 500 });
    await Promise.all(failing.map(async ({ address: to }) => deliver(to, 'd-1')));
    receiver.always(undefined);
    const before = receiver.requests();
    receiver.next(...Array.from({ length: MAX_PER_HOST / 2 }, () => 'hang' as const));
    const repeated = failing.map(async ({ address: to }, index) => deliver(to, `d-3-${index}`));
    await expect.poll(() => receiver.requests() - before).toBe(MAX_PER_HOST / 2);
    expect(well && (await deliver(well.address, 'd-2'))).toBe('sent');
    await webhooks.clock.advance(15 * SECOND);
    expect((await Promise.all(repeated)).toSorted()).toEqual(['sent', 'sent', 'unclear', 'unclear']);
  });

  test('one that was stopped meanwhile says nothing about the endpoint', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { address: to, id } = await webhooks.connect(receiver);
    receiver.next('hang');
    const sending = webhooks.platform().notifier.deliver(to, delivery('d-1'));
    await expect.poll(() => receiver.requests()).toBe(1);
    await webhooks.platform().stop();
    expect(await sending).toMatchObject({ kind: 'unclear' });
    expect((await webhooks.endpoint(id))?.failing).toBeUndefined();
  });
});

describe('secrets', () => {
  test('both are valid for a day after a rotation, then the new one alone', async () => {
    const webhooks = await openWebhooks();
    const [old, fresh] = [await webhooks.receive(), await webhooks.receive()];
    const { address: to, id, secret } = await webhooks.connect(old);
    const rotated = await webhooks.ask(`endpoints/${id}/rotate`, {});
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.endpoint?.oldSecretUntil).toBe(new Date(webhooks.clock.now() + DAY).toISOString());
    await webhooks.platform().notifier.deliver(to, delivery('d-1'));
    expect(old.received).toHaveLength(1);
    await webhooks.clock.advance(DAY);
    await webhooks.platform().notifier.deliver(to, delivery('d-2'));
    expect(old.refused).toEqual(['no signature matches']);
    old.trust(rotated.secret ?? '');
    await webhooks.platform().notifier.deliver(to, delivery('d-2'));
    expect(old.received).toHaveLength(2);
    expect(fresh.requests()).toBe(0);
    await webhooks.platform().sweep?.();
    expect((await webhooks.endpoint(id))?.oldSecretUntil).toBeUndefined();
  });

  test('are in no log, no answer but the first, no outcome and no diagnosis; URLs neither', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', redact: (value) => value, to: { write: (line: string) => void lines.push(line) } });
    const webhooks = await openWebhooks({ log });
    const receiver = await webhooks.receive();
    const { address: to, id, secret } = await webhooks.connect(receiver, `${receiver.url}?token=planted-token`);
    const outcomes: unknown[] = [];
    for (const behaviour of [{ status: 500 }, { status: 404 }, 'cut', { status: 410 }, { status: 200 }] as const) {
      receiver.next(behaviour);
      outcomes.push(await webhooks.platform().notifier.deliver(to, delivery('d-1')));
    }
    const { notifier, dataOwner } = webhooks.platform();
    const answers = [
      await webhooks.ask('endpoints'),
      await webhooks.ask(`endpoints/${id}/test`, {}),
      await webhooks.ask(`endpoints/${id}/enable`, {}),
    ];
    const shown = JSON.stringify([outcomes, await notifier.diagnose(), await notifier.probe(to), await dataOwner?.kept(to)]);
    expect(lines.length).toBeGreaterThan(0);
    for (const text of [...lines, shown]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('planted-token');
    }
    for (const { text } of answers) expect(text).not.toContain('whsec_');
  });
});

test('a webhook-timestamp is the moment of the attempt', async () => {
  const webhooks = await openWebhooks();
  const receiver = await webhooks.receive();
  const { address: to } = await webhooks.connect(receiver);
  const about = { kind: 'alert', at: webhooks.clock.now(), count: 0, events: async () => [] } as const;
  await webhooks.clock.advance(2 * DAY);
  expect(await webhooks.platform().notifier.deliver(to, { ...delivery('d-1'), about })).toMatchObject({ kind: 'sent' });
  expect(receiver.received[0]?.timestamp).toBe(new Date(later(webhooks.clock.now(), -2 * DAY)).toISOString());
});

test('the digest of a day, which has one id in all chats, is two messages for the receiver of two endpoints', async () => {
  const webhooks = await openWebhooks();
  const receiver = await webhooks.receive();
  const about = { kind: 'digest', at: webhooks.clock.now(), count: 0, events: async () => [] } as const;
  for (const { address: to } of [await webhooks.connect(receiver), await webhooks.connect(receiver)])
    for (let time = 0; time < 2; time += 1) await webhooks.platform().notifier.deliver(to, { ...delivery('digest-of-today'), about });
  expect(receiver.received.map(({ type }) => type)).toEqual(['digest', 'digest']);
  expect(receiver.repeats).toHaveLength(2);
});
