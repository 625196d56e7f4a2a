import { describe, expect, test } from 'vitest';
import { GATHER, MAX_GATHER } from '../../../src/alerts/queue/batch.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { MAX_DELIVERY_AGE } from '../../../src/alerts/delivery/after-attempt.js';
import { DAY, HOUR, later, SECOND, type Instant } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Notifier } from '../../../src/chat/notifier.js';
import { slug } from '../../../src/domain/scalars.js';
import { feedOf } from '../../../src/feeds/index.js';
import { StoreError } from '../../../src/store/store.js';
import { handClock } from '../../support/clock.js';
import { ALL, amounts, burn, CHAT, listening, openAlertsHarness, platform, TIDE } from '../harness.js';
import { count, now, receipted, toTheEnd, watching, waves } from './delivering.js';

const TIDE_SLUG = slug('tide');

const sampleOf = (kind: string, at: Instant) => {
  const feed = feedOf(kind);
  if (feed === undefined) throw new Error(`there is no kind ${kind}`);
  const { crossings: _, ...event } = feed.sample(at);
  return { event };
};

describe('gathering', () => {
  test('what happens within a few seconds comes as one message, and what comes later as another', async () => {
    const harness = await watching(1);
    expect(harness.due()).toBe(harness.clock.now() + GATHER);
    await now(harness);
    expect(harness.to.shown).toEqual([]);
    await harness.clock.advance(GATHER - 1);
    await harness.announce(burn(2, harness.clock.now()));
    await harness.clock.advance(GATHER - 1);
    await now(harness);
    expect(harness.to.shown).toEqual([]);
    await harness.clock.advance(1);
    await now(harness);
    expect(harness.to.shown).toHaveLength(1);
    expect(amounts(harness.to.shown)).toEqual([1, 2]);
    await harness.announce(burn(3, harness.clock.now()));
    await toTheEnd(harness);
    expect(harness.to.shown).toHaveLength(2);
  });

  test('what goes on and on is reported twenty seconds after the first of it at the latest', async () => {
    const harness = await watching();
    const begun = harness.clock.now();
    for (let amount = 1; harness.to.shown.length === 0; amount += 1) {
      await harness.announce(burn(amount, harness.clock.now()));
      await harness.clock.advance(SECOND);
      await now(harness);
    }
    expect(harness.clock.now() - begun).toBe(MAX_GATHER);
    expect(await receipted(harness)).toEqual(count(MAX_GATHER / SECOND));
  });

  test('more than ten events of one kind are one message with their total, all of them behind a button, none lost', async () => {
    const harness = await watching(37);
    await toTheEnd(harness);
    expect(harness.to.shown).toHaveLength(1);
    const [{ id, text } = { id: '', text: '' }] = harness.to.shown;
    expect(text).toContain('37 burns at Tidewater: −703 TIDE');
    expect(text).toContain(`[Show all (37): /history ${id}]`);
    expect(await receipted(harness)).toEqual(count(37));
  });

  test('of several events the decided market stands first and the growth value last, and the larger before the smaller', async () => {
    const harness = await watching();
    await harness.watch(TIDE);
    const at = harness.clock.now();
    const usd = (amount: number, value: string) => burn(amount, at, { facts: { ...burn(amount, at).facts, usd: value } });
    const { event: growth } = sampleOf('growth', at);
    const { event: passed } = sampleOf('proposals', at);
    await harness.announce({ ...growth, project: TIDE_SLUG }, usd(1, '5'), usd(2, '50'), {
      ...passed,
      project: TIDE_SLUG,
      stage: 'passed',
      occurredAt: at,
    });
    await toTheEnd(harness);
    const stages = harness.queues.read(CHAT).receipts[0]?.members.map(({ event }) => event);
    expect(stages).toEqual([passed.id, 'supply/tide/2', 'supply/tide/1', growth.id]);
  });

  test('one event is reported by itself with its own buttons, and every message says why it came', async () => {
    const harness = await watching(1);
    await toTheEnd(harness);
    const [{ id, text } = { id: '', text: '' }] = harness.to.shown;
    expect(text).toContain('▼ Tidewater burned 1 TIDE');
    expect(text).toContain('[Mute…: /mute tide supply]');
    expect(text).toContain(`[Why?: /why ${id}]`);
    expect(harness.queues.read(CHAT).receipts).toEqual([expect.objectContaining({ id, end: 'sent', messageId: id, attempts: 1 })]);
  });
});

describe('an attempt', () => {
  test('that may have been shown is repeated under the same id with the same events, though more have come meanwhile', async () => {
    const harness = await watching(2);
    harness.to.answers('shown, unclear', { kind: 'unclear', because: 'timeout' });
    await harness.clock.advance(GATHER);
    const began = harness.clock.now();
    await now(harness);
    await harness.announce(burn(3, harness.clock.now()));
    await toTheEnd(harness);
    const [first, second, third, fourth] = harness.to.tried;
    expect([second, third].map((again) => [again?.id, again?.reply])).toEqual([first, first].map((one) => [one?.id, one?.reply]));
    expect([first, second, third].map((one) => one?.earlier?.since)).toEqual([undefined, began, began]);
    expect(fourth?.id).not.toBe(first?.id);
    expect(amounts(harness.to.shown)).toEqual([1, 2, 3]);
  });

  test('that the platform puts off waits as long as it says, and not less after a restart', async () => {
    const harness = await watching(1);
    harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 12 * HOUR });
    await harness.clock.advance(GATHER);
    await now(harness);
    const again = await openAlertsHarness({ store: harness.store, clock: harness.clock, to: harness.to });
    expect(again.due()).toBe(harness.clock.now() + 12 * HOUR);
    await harness.clock.advance(12 * HOUR - 1);
    await now(again);
    expect(harness.to.tried).toHaveLength(1);
    await harness.clock.advance(1);
    await now(again);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });

  test('that fails is repeated with growing pauses, and a change of reason is logged once', async () => {
    const { log, events } = listening();
    const harness = await watching(1, { log });
    harness.to.answers(...count(6).map(() => ({ kind: 'later', because: 'unreachable' }) as const));
    const pauses: number[] = [];
    await harness.clock.advance(GATHER);
    for (let turn = 0; turn < 6; turn += 1) {
      await now(harness);
      pauses.push((harness.due() ?? 0) - harness.clock.now());
      await harness.clock.advance(pauses.at(-1) ?? 0);
    }
    expect(pauses.map((pause) => pause / SECOND)).toEqual([1.5, 3, 6, 12, 24, 48]);
    expect(events.filter((event) => event === 'delivery.again')).toHaveLength(1);
  });

  test('that is held waits for people, and then comes', async () => {
    const harness = await watching(1);
    harness.to.answers({ kind: 'not-permitted', because: 'I lack Embed Links' });
    await harness.clock.advance(GATHER);
    await now(harness);
    expect(harness.queues.read(CHAT).open).toMatchObject({ problem: 'I lack Embed Links', attempts: 1 });
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });

  test('that the platform refuses for good leaves a receipt and blocks nothing', async () => {
    const harness = await waves(10);
    harness.to.answers({ kind: 'refused', detail: 'too long' });
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([10]);
    expect(harness.queues.read(CHAT).receipts.map(({ end, because }) => [end, because])).toEqual([
      ['sent', undefined],
      ['refused', 'too long'],
    ]);
  });

  test('of a notifier that throws counts as unclear, since it may stand there', async () => {
    const { log, events } = listening();
    const harness = await watching(1, { log });
    const broken = { ...harness.to.notifier, deliver: async () => Promise.reject(new Error('a mistake of ours')) };
    await harness.clock.advance(GATHER);
    await deliver(CHAT, { ...harness.context, notifiers: [broken] }, harness.signal);
    expect(events).toContain('delivery.threw');
    expect(harness.queues.read(CHAT).open?.problem).toBe('unclear: server-error');
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });

  test('on a platform that is not connected is held', async () => {
    const harness = await watching(1);
    await harness.clock.advance(GATHER);
    await deliver(CHAT, { ...harness.context, notifiers: [] }, harness.signal);
    expect(harness.queues.read(CHAT).open?.problem).toBe('console is not connected');
  });

  test('goes through the notifier of its own platform', async () => {
    const harness = await watching(1);
    const pigeons = platform();
    await harness.clock.advance(GATHER);
    await deliver(
      CHAT,
      { ...harness.context, notifiers: [{ ...pigeons.notifier, platform: 'carrier' }, harness.to.notifier] },
      harness.signal,
    );
    expect([amounts(pigeons.shown), amounts(harness.to.shown)]).toEqual([[], [1]]);
  });

  test('that has begun is finished when the stop comes, and the next one is not begun', async () => {
    const harness = await watching(1);
    const stop = new AbortController();
    const notifier: Notifier = {
      ...harness.to.notifier,
      deliver: async (...delivery) => {
        stop.abort();
        await harness.announce(burn(2, harness.clock.now()));
        await harness.clock.advance(GATHER);
        return harness.to.notifier.deliver(...delivery);
      },
    };
    await harness.clock.advance(GATHER);
    await deliver(CHAT, { ...harness.context, notifiers: [notifier] }, stop.signal);
    const { open, waiting, receipts } = harness.queues.read(CHAT);
    expect([open, waiting.length, receipts.map(({ end }) => end)]).toEqual([undefined, 1, ['sent']]);
  });

  test('that fails for another reason than before is logged again', async () => {
    const { log, events } = listening();
    const harness = await watching(1, { log });
    const [away, slow] = [{ kind: 'later', because: 'unreachable' } as const, { kind: 'later', because: 'rate-limited' } as const];
    harness.to.answers(away, away, slow, slow, away);
    await toTheEnd(harness);
    expect(events.filter((event) => event === 'delivery.again')).toHaveLength(3);
  });

  test('that finds the chat gone or moved is recorded of the chat', async () => {
    const [gone, moved] = [await watching(1), await watching(1)];
    for (const { clock } of [gone, moved]) await clock.advance(GATHER);
    gone.to.answers({ kind: 'gone', because: 'removed' });
    await now(gone);
    expect(gone.watchlists.read(CHAT).left).toMatchObject({ because: 'removed' });
    moved.to.answers({ kind: 'moved', to: address('console', 'elsewhere') });
    await now(moved);
    expect(moved.watchlists.read(address('console', 'elsewhere')).entries).toHaveLength(1);
    expect(moved.queues.read(CHAT).open).toBeUndefined();
  });

  test('is not begun after the stop', async () => {
    const harness = await watching(1);
    await harness.clock.advance(GATHER);
    await deliver(CHAT, harness.context, AbortSignal.abort());
    expect(harness.to.tried).toEqual([]);
  });
});

describe('a chat nobody can post in', () => {
  const blocked = { kind: 'not-permitted', because: 'I lack Embed Links' } as const;

  test('gives its oldest events up after the maximum age, with a receipt that says why', async () => {
    const harness = await watching(1);
    harness.to.always(blocked);
    const queuedAt = harness.clock.now();
    await toTheEnd(harness);
    expect(harness.to.shown).toEqual([]);
    expect(harness.clock.now() - queuedAt).toBeGreaterThan(MAX_DELIVERY_AGE);
    expect(harness.clock.now() - queuedAt).toBeLessThan(MAX_DELIVERY_AGE + HOUR);
    expect(harness.queues.read(CHAT).receipts).toEqual([expect.objectContaining({ end: 'expired', because: 'I lack Embed Links' })]);
  });

  test('gives up at once what has waited for so long before the first attempt', async () => {
    const harness = await watching(1);
    harness.to.always(blocked);
    await harness.clock.advance(MAX_DELIVERY_AGE);
    await toTheEnd(harness);
    expect(harness.to.tried).toHaveLength(1);
    expect(harness.queues.read(CHAT).receipts).toEqual([expect.objectContaining({ end: 'expired', because: 'I lack Embed Links' })]);
  });

  test('gets nothing that has become too old since the last attempt, though it would be taken now', async () => {
    const harness = await watching(1);
    harness.to.answers(blocked);
    await harness.clock.advance(GATHER);
    await deliver(CHAT, harness.context, harness.signal);
    await harness.clock.advance(MAX_DELIVERY_AGE);
    await deliver(CHAT, harness.context, harness.signal);
    expect(harness.to.shown).toEqual([]);
    expect(harness.queues.read(CHAT).receipts).toEqual([expect.objectContaining({ end: 'expired', because: 'I lack Embed Links' })]);
  });

  test('gives up with it what is as old behind it, but neither what is young nor what is muted', async () => {
    const harness = await watching(10);
    await harness.watch(ALL, { mutedUntil: later(harness.clock.now(), 30 * DAY) });
    harness.to.always(blocked);
    await harness.clock.advance(GATHER);
    await now(harness);
    await harness.announce(burn(11, harness.clock.now()), burn(12, harness.clock.now()));
    await harness.announce(burn(13, harness.clock.now(), { project: undefined }));
    await harness.clock.advance(MAX_DELIVERY_AGE + 1);
    await harness.announce(burn(14, harness.clock.now()));
    await now(harness);
    await now(harness);
    await harness.clock.advance(GATHER);
    await now(harness);
    const { waiting, open, receipts } = harness.queues.read(CHAT);
    const alerted = (members: readonly { event: string }[] = []) => members.map(({ event }) => Number(event.split('/').at(-1)));
    expect(receipts.map(({ end, because, members }) => [end, because, alerted(members)])).toEqual([
      ['expired', expect.stringContaining('older than 72 h'), [11, 12]],
      ['expired', 'I lack Embed Links', count(10)],
    ]);
    expect([alerted(open?.members), alerted(waiting)]).toEqual([[14], [13]]);
  });

  test('does not gather events for ever', async () => {
    const harness = await watching();
    harness.to.always(blocked);
    const APART = 3 * HOUR;
    const most = MAX_DELIVERY_AGE / APART;
    let [waiting, open] = [0, 0];
    for (let amount = 1; amount <= 2 * most; amount += 1) {
      await harness.announce(burn(amount, harness.clock.now()));
      for (let half = 0; half < 2; half += 1) {
        await now(harness);
        await harness.clock.advance(APART / 2);
      }
      waiting = Math.max(waiting, harness.queues.read(CHAT).waiting.length);
      open = Math.max(open, harness.queues.read(CHAT).open?.members.length ?? 0);
    }
    expect(harness.to.shown).toEqual([]);
    expect(Math.max(waiting, open)).toBeLessThan(most + 4);
    expect(waiting).toBeGreaterThan(most - 4);
  });
});

describe('an event', () => {
  test('that is gone from the archive is receipted, and blocks nothing', async () => {
    const { log, events } = listening();
    const { store, clock, to } = await watching(2, { log });
    await store.collection({ prefix: 'event', schema: (await import('zod')).z.unknown(), version: 1 }).delete('supply/tide/1');
    // After a restart: the process that saw an event remembers it.
    const harness = await openAlertsHarness({ store, clock, to, log });
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([2]);
    expect(events).toContain('delivery.event-missing');
    expect(harness.queues.read(CHAT).receipts.at(-1)).toMatchObject({ end: 'dropped', because: 'the event can no longer be read' });
  });

  test('whose facts no longer fit its feed is receipted, and blocks nothing', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now(), { facts: { amount: 'many' } }), burn(2, harness.clock.now()));
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([2]);
  });

  test('that a locked store cannot give now is reported when it can', async () => {
    const harness = await watching(1);
    const locked = { ...harness.archive, get: async () => Promise.reject(new StoreError('locked', 'store: locked')) };
    await harness.clock.advance(GATHER);
    await expect(deliver(CHAT, { ...harness.context, archive: locked }, harness.signal)).rejects.toThrow('locked');
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });

  test.each(['repeat', 'hold'] as const)(
    'that was sent before the store failed is recorded as sent once it works, and is not sent again (%s)',
    async (ambiguous) => {
      const harness = await watching(1, { to: platform({ knowsRepeats: false }), ambiguous });
      const change: typeof harness.queues.change = async (...given) =>
        harness.to.shown.length === 0
          ? harness.queues.change(...given)
          : Promise.reject(new StoreError('failed', 'store: the disk is full'));
      const failing = { ...harness.context, queues: { ...harness.queues, change } };
      await harness.clock.advance(GATHER);
      for (const _ of [1, 2, 3]) await expect(deliver(CHAT, failing, harness.signal)).rejects.toThrow('the disk is full');
      await toTheEnd(harness);
      expect(harness.to.tried).toHaveLength(1);
      expect(await harness.queues.receipts(CHAT)).toMatchObject([{ end: 'sent', attempts: 1 }]);
      expect(harness.context.outcomes.size).toBe(0);
    },
  );
});

describe('a clock that was set back', () => {
  test('does not keep back what waits', async () => {
    const harness = await watching(1, { clock: handClock(Date.UTC(2027, 0, 1)) });
    const earlier = await openAlertsHarness({ store: harness.store, to: harness.to, clock: handClock(Date.UTC(2026, 0, 1)) });
    await now(earlier);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });

  test('does not keep back what failed once, and does not make it try without a pause', async () => {
    const harness = await watching(1, { clock: handClock(Date.UTC(2027, 0, 1)) });
    harness.to.answers({ kind: 'later', because: 'unreachable' }, { kind: 'later', because: 'unreachable' });
    await harness.clock.advance(GATHER);
    await now(harness);
    const earlier = await openAlertsHarness({ store: harness.store, to: harness.to, clock: handClock(Date.UTC(2026, 0, 1)) });
    await now(earlier);
    expect(harness.to.tried).toHaveLength(2);
    expect(earlier.due()).toBe(earlier.clock.now() + 3 * SECOND);
    await toTheEnd(earlier);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });
});

test('nothing waits, nothing is due', async () => {
  const harness = await watching();
  expect(harness.due()).toBeUndefined();
  await deliver(address('console', 'nobody'), harness.context, harness.signal);
  expect(harness.to.tried).toEqual([]);
});
