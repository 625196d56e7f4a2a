import { describe, expect, test } from 'vitest';
import { adopt, emptyQueue, leave, prepare, sealPrepared, waitingIn } from '../../../src/alerts/queue/queue.js';
import type { PreparedMessage } from '../../../src/alerts/queue/prepared-message.js';
import { DAY, HOUR, later, MINUTE, SECOND, type Instant } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Notifier } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { crashStore, falseIfCrashed } from '../crash-store.js';
import { now, toTheEnd, watching, type DeliveryHarness } from './delivering.js';

const message = (id: string, queuedAt: Instant, extra: Partial<PreparedMessage> = {}): PreparedMessage => ({
  ...{ id, summary: 'Daily digest', reply: reply({ finding: [id] }), queuedAt, until: later(queuedAt, 6 * HOUR), silent: true },
  ...extra,
});

const queued = async (harness: DeliveryHarness, id: string, extra: Partial<PreparedMessage> = {}) =>
  harness.queues.change(CHAT, (queue) => prepare(queue, message(id, harness.clock.now(), extra)));

const receipts = ({ queues }: DeliveryHarness) => queues.read(CHAT).receipts.map(({ id, end, because }) => ({ id, end, because }));

test('a prepared message is sent once, silently, with a receipt that names it', async () => {
  const harness = await watching();
  await queued(harness, 'one');
  await queued(harness, 'one');
  expect(waitingIn(harness.queues.read(CHAT))).toBe(1);
  await toTheEnd(harness);
  expect(harness.to.tried).toMatchObject([{ id: 'one', silent: true }]);
  expect(harness.queues.read(CHAT)).toMatchObject({ receipts: [{ id: 'one', end: 'sent', members: [], summary: 'Daily digest' }] });
  expect(waitingIn(harness.queues.read(CHAT))).toBe(0);
});

test('a prepared message is retried like an alert, and alerts go on behind it', async () => {
  const harness = await watching(2);
  await queued(harness, 'one');
  harness.to.answers({ kind: 'later', because: 'unreachable' }, 'shown, unclear');
  await toTheEnd(harness);
  expect(harness.to.shown).toHaveLength(2);
  expect(receipts(harness).filter(({ end }) => end !== 'sent')).toEqual([]);
});

test('while it waits in the rate limits behind those of other chats, an alert of its chat goes first', async () => {
  const to = platform();
  const kinds: string[] = [];
  let isFree = false;
  const slot: Notifier['slot'] = async (_, { kind }, signal) => {
    kinds.push(kind);
    if (kind === 'prepared' && !isFree) return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    isFree = true;
    return { answered() {}, refused() {}, unused() {} };
  };
  const harness = await watching(0, { to: { ...to, notifier: { ...to.notifier, slot } } });
  await queued(harness, 'one');
  const delivered = now(harness);
  await harness.announce(burn(7, harness.clock.now()));
  await harness.clock.advance(10 * SECOND);
  await delivered;
  await toTheEnd(harness);
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual(['prepared', 'ringing', 'prepared']);
  expect(to.shown.map(({ id }) => id === 'one')).toEqual([false, true]);
});

test('its chart is drawn, and goes with the text', async () => {
  const title = 'Premium';
  const chart = { kind: 'shares', title, unit: 'usd', parts: [] } as const;
  const pictures = { png: async () => new Uint8Array([1]), svg: async () => '' };
  const harness = await openAlertsHarness({ to: platform({ pictureTheme: 'dark' }), pictures });
  await harness.watch(TIDE);
  await queued(harness, 'one', { reply: reply({ finding: ['one'], chart }) });
  harness.to.answers({ kind: 'later', because: 'unreachable' });
  await toTheEnd(harness);
  expect(harness.to.tried.map(({ picture }) => picture?.title)).toEqual([title, title]);
});

test('a card that cannot be drawn leaves the digest complete', async () => {
  const chart = { kind: 'ranges', title: 'Card', unit: 'percent', rows: [{ name: 'TIDE', low: -30.5, high: 12, value: -17.2 }] } as const;
  const pictures = { png: async () => Promise.reject(new Error('no picture')), svg: async () => '' };
  const harness = await openAlertsHarness({ to: platform({ pictureTheme: 'dark' }), pictures });
  await harness.watch(TIDE);
  await queued(harness, 'one', { reply: reply({ finding: ['Daily digest'], chart }) });
  await toTheEnd(harness);
  expect(harness.to.tried.map(({ picture }) => picture)).toEqual([undefined]);
  expect(harness.to.shown.map(({ text }) => text.includes('Daily digest'))).toEqual([true]);
  expect(receipts(harness).map(({ end }) => end)).toEqual(['sent']);
});

test('who cannot see the card gets its values in words', async () => {
  const rows = [{ name: 'TIDE', low: -30.5, high: 12, value: -17.2 }];
  const chart = { kind: 'ranges', title: 'Card', alternative: 'TIDE −17.2%', unit: 'percent', rows } as const;
  const pictures = { png: async () => new Uint8Array([1]), svg: async () => '' };
  const harness = await openAlertsHarness({ to: platform({ pictureTheme: 'dark' }), pictures });
  await harness.watch(TIDE);
  await queued(harness, 'one', { reply: reply({ finding: ['Daily digest'], chart }) });
  await toTheEnd(harness);
  expect(harness.to.tried.map(({ picture }) => picture?.title)).toEqual(['TIDE −17.2%']);
});

describe('suppression', () => {
  test('quiet hours do not hold a prepared message back', async () => {
    const harness = await watching();
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, quiet: { from: '00:00', to: '23:59' } }));
    await queued(harness, 'one');
    await now(harness);
    expect(harness.to.shown.map(({ id }) => id)).toEqual(['one']);
  });

  test('a mute of the chat that ends in time delays it, also after it was sealed', async () => {
    const harness = await watching();
    await queued(harness, 'one');
    harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: MINUTE });
    await now(harness);
    const end = later(harness.clock.now(), HOUR);
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: end }));
    await harness.clock.advance(30 * MINUTE);
    await now(harness);
    expect([harness.to.shown, harness.due()]).toEqual([[], end]);
    await toTheEnd(harness);
    expect(harness.to.shown.map(({ id }) => id)).toEqual(['one']);
  });

  test('a mute that lasts longer drops it at its end, with that reason', async () => {
    const harness = await watching();
    await queued(harness, 'one');
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), DAY) }));
    await toTheEnd(harness);
    expect(receipts(harness)).toEqual([{ id: 'one', end: 'dropped', because: 'this chat was muted' }]);
    expect(harness.to.shown).toEqual([]);
  });
});

test('one that could not be sent in time expires, and one interrupted so late is not repeated', async () => {
  for (const state of ['sealed', 'sending'] as const) {
    const harness = await watching();
    await queued(harness, 'one');
    await harness.queues.change(CHAT, (queue) => {
      const { open, ...rest } = sealPrepared(queue, 'one', { now: harness.clock.now() });
      return { ...rest, ...(open && { open: { ...open, state, attempts: 1 } }) };
    });
    await harness.clock.advance(DAY);
    await toTheEnd(harness);
    expect(harness.to.shown).toEqual([]);
    expect(receipts(harness)).toMatchObject([{ id: 'one', end: state === 'sealed' ? 'dropped' : 'maybe sent' }]);
  }
});

test('a process that dies at any write shows it exactly once, where the platform knows its messages', async () => {
  let lived = false;
  for (let until = 1; !lived; until += 1) {
    for (const written of [false, true]) {
      const [base, to, clock] = [await openStore('memory://'), platform(), handClock()];
      await queued(await watching(1, { store: base, to, clock }), 'one');
      to.answers('shown, unclear');
      lived = await toTheEnd(await openAlertsHarness({ store: crashStore(base, { until, written }), to, clock })).then(
        () => true,
        falseIfCrashed,
      );
      await toTheEnd(await openAlertsHarness({ store: base, to, clock }));
      expect({ until, written, shown: to.shown.filter(({ id }) => id === 'one').length, all: to.shown.length }).toEqual({
        ...{ until, written },
        ...{ shown: 1, all: 2 },
      });
    }
  }
});

test('a chat that moves takes its prepared messages along, each once', async () => {
  const at = handClock().now();
  const old = sealPrepared([message('one', at), message('two', at)].reduce(prepare, emptyQueue(CHAT)), 'one', { now: at });
  const there = adopt(emptyQueue(address('console', 'new')), old);
  expect(there.prepared?.map(({ id }) => id)).toEqual(['one', 'two']);
  expect(adopt(there, old)).toEqual(there);
  expect(leave(old, old)).toEqual(emptyQueue(CHAT));
});

test('a message is sealed with the timezone of its chat, and every attempt shows the same times', async () => {
  const harness = await watching();
  const inZone = async (timezone: string) => harness.watchlists.change(CHAT, (chat) => ({ ...chat, timezone }));
  await inZone('Europe/Berlin');
  await queued(harness, 'one');
  harness.to.answers({ kind: 'later', because: 'unreachable' });
  await now(harness);
  const sealed = harness.queues.read(CHAT).open;
  expect([sealed?.id, sealed?.reply.zone]).toEqual(['one', 'Europe/Berlin']);
  await inZone('Asia/Kolkata');
  expect(harness.queues.read(CHAT).open?.reply).toEqual(sealed?.reply);
  await toTheEnd(harness);
  expect(receipts(harness)).toMatchObject([{ id: 'one', end: 'sent' }]);
});
