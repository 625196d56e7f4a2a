import { describe, expect, test } from 'vitest';
import { GATHER, MAX_GATHER } from '../../../src/alerts/queue/batch.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { MAX_DELIVERY_AGE } from '../../../src/alerts/delivery/settle.js';
import { DAY, HOUR, later, MINUTE, SECOND, type Instant } from '../../../src/base/clock.js';
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
    const desk = await watching(1);
    expect(desk.due()).toBe(desk.clock.now() + GATHER);
    await now(desk);
    expect(desk.to.shown).toEqual([]);
    await desk.clock.advance(GATHER - 1);
    await desk.announce(burn(2, desk.clock.now()));
    await desk.clock.advance(GATHER - 1);
    await now(desk);
    expect(desk.to.shown).toEqual([]);
    await desk.clock.advance(1);
    await now(desk);
    expect(desk.to.shown).toHaveLength(1);
    expect(amounts(desk.to.shown)).toEqual([1, 2]);
    await desk.announce(burn(3, desk.clock.now()));
    await toTheEnd(desk);
    expect(desk.to.shown).toHaveLength(2);
  });

  test('what goes on and on is reported twenty seconds after the first of it at the latest', async () => {
    const desk = await watching();
    const begun = desk.clock.now();
    for (let amount = 1; desk.to.shown.length === 0; amount += 1) {
      await desk.announce(burn(amount, desk.clock.now()));
      await desk.clock.advance(SECOND);
      await now(desk);
    }
    expect(desk.clock.now() - begun).toBe(MAX_GATHER);
    expect(await receipted(desk)).toEqual(count(MAX_GATHER / SECOND));
  });

  test('more than ten events of one kind are one message with their total, all of them behind a button, none lost', async () => {
    const desk = await watching(37);
    await toTheEnd(desk);
    expect(desk.to.shown).toHaveLength(1);
    const [{ id, text } = { id: '', text: '' }] = desk.to.shown;
    expect(text).toContain('37 burns at Tidewater: −703 TIDE');
    expect(text).toContain(`[Show all (37): /history ${id}]`);
    expect(await receipted(desk)).toEqual(count(37));
  });

  test('of several events the decided market stands first and the growth value last, and the larger before the smaller', async () => {
    const desk = await watching();
    await desk.watch(TIDE);
    const at = desk.clock.now();
    const usd = (amount: number, value: string) => burn(amount, at, { facts: { ...burn(amount, at).facts, usd: value } });
    const { event: growth } = sampleOf('growth', at);
    const { event: passed } = sampleOf('proposals', at);
    await desk.announce({ ...growth, project: TIDE_SLUG }, usd(1, '5'), usd(2, '50'), {
      ...passed,
      project: TIDE_SLUG,
      stage: 'passed',
      occurredAt: at,
    });
    await toTheEnd(desk);
    const stages = desk.queues.read(CHAT).receipts[0]?.members.map(({ event }) => event);
    expect(stages).toEqual([passed.id, 'supply/tide/2', 'supply/tide/1', growth.id]);
  });

  test('one event is reported by itself with its own buttons, and every message says why it came', async () => {
    const desk = await watching(1);
    await toTheEnd(desk);
    const [{ id, text } = { id: '', text: '' }] = desk.to.shown;
    expect(text).toContain('▼ Tidewater burned 1 TIDE');
    expect(text).toContain('[Mute…: /mute tide supply]');
    expect(text).toContain(`[Why?: /why ${id}]`);
    expect(desk.queues.read(CHAT).receipts).toEqual([expect.objectContaining({ id, end: 'sent', messageId: id, attempts: 1 })]);
  });
});

describe('an attempt', () => {
  test('that may have been shown is repeated under the same id with the same events, though more have come meanwhile', async () => {
    const desk = await watching(2);
    desk.to.answers('shown, unclear', { kind: 'unclear', because: 'timeout' });
    await desk.clock.advance(GATHER);
    const began = desk.clock.now();
    await now(desk);
    await desk.announce(burn(3, desk.clock.now()));
    await toTheEnd(desk);
    const [first, second, third, fourth] = desk.to.tried;
    expect([second, third].map((again) => [again?.id, again?.reply])).toEqual([first, first].map((one) => [one?.id, one?.reply]));
    expect([first?.firstTriedAt, second?.firstTriedAt, third?.firstTriedAt]).toEqual([undefined, began, began]);
    expect(fourth?.id).not.toBe(first?.id);
    expect(amounts(desk.to.shown)).toEqual([1, 2, 3]);
  });

  test('that the platform puts off waits as long as it says, and not less after a restart', async () => {
    const desk = await watching(1);
    desk.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 12 * HOUR });
    await desk.clock.advance(GATHER);
    await now(desk);
    const again = await openAlertsHarness({ store: desk.store, clock: desk.clock, to: desk.to });
    expect(again.due()).toBe(desk.clock.now() + 12 * HOUR);
    await desk.clock.advance(12 * HOUR - 1);
    await now(again);
    expect(desk.to.tried).toHaveLength(1);
    await desk.clock.advance(1);
    await now(again);
    expect(amounts(desk.to.shown)).toEqual([1]);
  });

  test('that fails is repeated with growing pauses, and a change of reason is logged once', async () => {
    const { log, events } = listening();
    const desk = await watching(1, { log });
    desk.to.answers(...count(6).map(() => ({ kind: 'later', because: 'unreachable' }) as const));
    const pauses: number[] = [];
    await desk.clock.advance(GATHER);
    for (let turn = 0; turn < 6; turn += 1) {
      await now(desk);
      pauses.push((desk.due() ?? 0) - desk.clock.now());
      await desk.clock.advance(pauses.at(-1) ?? 0);
    }
    expect(pauses.map((pause) => pause / SECOND)).toEqual([1.5, 3, 6, 12, 24, 48]);
    expect(events.filter((event) => event === 'delivery.again')).toHaveLength(1);
  });

  test('that is held waits for people, and then comes', async () => {
    const desk = await watching(1);
    desk.to.answers({ kind: 'not-permitted', because: 'I lack Embed Links' });
    await desk.clock.advance(GATHER);
    await now(desk);
    expect(desk.queues.read(CHAT).open).toMatchObject({ problem: 'I lack Embed Links', attempts: 1 });
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([1]);
  });

  test('that the platform refuses for good leaves a receipt and blocks nothing', async () => {
    const desk = await waves(10);
    desk.to.answers({ kind: 'refused', detail: 'too long' });
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([10]);
    expect(desk.queues.read(CHAT).receipts.map(({ end, because }) => [end, because])).toEqual([
      ['sent', undefined],
      ['refused', 'too long'],
    ]);
  });

  test('of a notifier that throws counts as unclear, since it may stand there', async () => {
    const { log, events } = listening();
    const desk = await watching(1, { log });
    const broken = { ...desk.to.notifier, deliver: async () => Promise.reject(new Error('a mistake of ours')) };
    await desk.clock.advance(GATHER);
    await deliver(CHAT, { ...desk.context, notifiers: [broken] }, desk.signal);
    expect(events).toContain('delivery.threw');
    expect(desk.queues.read(CHAT).open?.problem).toBe('unclear: server-error');
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([1]);
  });

  test('on a platform that is not connected is held', async () => {
    const desk = await watching(1);
    await desk.clock.advance(GATHER);
    await deliver(CHAT, { ...desk.context, notifiers: [] }, desk.signal);
    expect(desk.queues.read(CHAT).open?.problem).toBe('console is not connected');
  });

  test('goes through the notifier of its own platform', async () => {
    const desk = await watching(1);
    const pigeons = platform();
    await desk.clock.advance(GATHER);
    await deliver(CHAT, { ...desk.context, notifiers: [{ ...pigeons.notifier, platform: 'carrier' }, desk.to.notifier] }, desk.signal);
    expect([amounts(pigeons.shown), amounts(desk.to.shown)]).toEqual([[], [1]]);
  });

  test('that has begun is finished when the stop comes, and the next one is not begun', async () => {
    const desk = await watching(1);
    const stop = new AbortController();
    const notifier: Notifier = {
      ...desk.to.notifier,
      deliver: async (...delivery) => {
        stop.abort();
        await desk.announce(burn(2, desk.clock.now()));
        await desk.clock.advance(GATHER);
        return desk.to.notifier.deliver(...delivery);
      },
    };
    await desk.clock.advance(GATHER);
    await deliver(CHAT, { ...desk.context, notifiers: [notifier] }, stop.signal);
    const { open, waiting, receipts } = desk.queues.read(CHAT);
    expect([open, waiting.length, receipts.map(({ end }) => end)]).toEqual([undefined, 1, ['sent']]);
  });

  test('that fails for another reason than before is logged again', async () => {
    const { log, events } = listening();
    const desk = await watching(1, { log });
    const [away, slow] = [{ kind: 'later', because: 'unreachable' } as const, { kind: 'later', because: 'rate-limited' } as const];
    desk.to.answers(away, away, slow, slow, away);
    await toTheEnd(desk);
    expect(events.filter((event) => event === 'delivery.again')).toHaveLength(3);
  });

  test('is not begun after the stop', async () => {
    const desk = await watching(1);
    await desk.clock.advance(GATHER);
    await deliver(CHAT, desk.context, AbortSignal.abort());
    expect(desk.to.tried).toEqual([]);
  });
});

describe('a chat nobody can post in', () => {
  const blocked = { kind: 'not-permitted', because: 'I lack Embed Links' } as const;

  test('gives its oldest events up after the maximum age, with a receipt that says why', async () => {
    const desk = await watching(1);
    desk.to.always(blocked);
    await desk.clock.advance(MAX_DELIVERY_AGE);
    const begun = desk.clock.now();
    await toTheEnd(desk);
    expect(desk.to.shown).toEqual([]);
    expect(desk.clock.now() - begun).toBeGreaterThan(MAX_DELIVERY_AGE);
    expect(desk.queues.read(CHAT).receipts).toEqual([expect.objectContaining({ end: 'expired', because: 'I lack Embed Links' })]);
  });

  test('gives up with it what is as old behind it, but neither what is young nor what is muted', async () => {
    const desk = await watching(10);
    await desk.watch(ALL, { mutedUntil: later(desk.clock.now(), 30 * DAY) });
    desk.to.always(blocked);
    await desk.clock.advance(GATHER);
    await now(desk);
    await desk.announce(burn(11, desk.clock.now()), burn(12, desk.clock.now()));
    await desk.announce(burn(13, desk.clock.now(), { project: undefined }));
    await desk.clock.advance(MAX_DELIVERY_AGE + 1);
    await desk.announce(burn(14, desk.clock.now()));
    await now(desk);
    await now(desk);
    await desk.clock.advance(GATHER);
    await now(desk);
    const { waiting, open, receipts } = desk.queues.read(CHAT);
    const told = (members: readonly { event: string }[] = []) => members.map(({ event }) => Number(event.split('/').at(-1)));
    expect(receipts.map(({ end, because, members }) => [end, because, told(members)])).toEqual([
      ['expired', expect.stringContaining('older than 72 h'), [11, 12]],
      ['expired', 'I lack Embed Links', count(10)],
    ]);
    expect([told(open?.members), told(waiting)]).toEqual([[14], [13]]);
  });

  test('does not gather events for ever', async () => {
    const desk = await watching();
    desk.to.always(blocked);
    let [waiting, open] = [0, 0];
    for (let amount = 1; amount <= 14 * 24; amount += 1) {
      await desk.announce(burn(amount, desk.clock.now()));
      for (let quarter = 0; quarter < 4; quarter += 1) {
        await now(desk);
        await desk.clock.advance(15 * MINUTE);
      }
      waiting = Math.max(waiting, desk.queues.read(CHAT).waiting.length);
      open = Math.max(open, desk.queues.read(CHAT).open?.members.length ?? 0);
    }
    expect(desk.to.shown).toEqual([]);
    expect(Math.max(waiting, open)).toBeLessThan(MAX_DELIVERY_AGE / HOUR + 12);
    expect(waiting).toBeGreaterThan(MAX_DELIVERY_AGE / HOUR - 12);
  });
});

describe('an event', () => {
  test('that is gone from the archive is receipted, and blocks nothing', async () => {
    const { log, events } = listening();
    const { store, clock, to } = await watching(2, { log });
    await store.collection({ prefix: 'event', schema: (await import('zod')).z.unknown(), version: 1 }).delete('supply/tide/1');
    // After a restart: the process that saw an event remembers it.
    const desk = await openAlertsHarness({ store, clock, to, log });
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([2]);
    expect(events).toContain('delivery.event-missing');
    expect(desk.queues.read(CHAT).receipts.at(-1)).toMatchObject({ end: 'dropped', because: 'the event can no longer be read' });
  });

  test('whose facts no longer fit its feed is receipted, and blocks nothing', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now(), { facts: { amount: 'many' } }), burn(2, desk.clock.now()));
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([2]);
  });

  test('that a locked store cannot give now is reported when it can', async () => {
    const desk = await watching(1);
    const locked = { ...desk.archive, get: async () => Promise.reject(new StoreError('locked', 'store: locked')) };
    await desk.clock.advance(GATHER);
    await expect(deliver(CHAT, { ...desk.context, archive: locked }, desk.signal)).rejects.toThrow('locked');
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([1]);
  });
});

describe('a clock that was set back', () => {
  test('does not keep back what waits', async () => {
    const desk = await watching(1, { clock: handClock(Date.UTC(2027, 0, 1)) });
    const earlier = await openAlertsHarness({ store: desk.store, to: desk.to, clock: handClock(Date.UTC(2026, 0, 1)) });
    await now(earlier);
    expect(amounts(desk.to.shown)).toEqual([1]);
  });

  test('does not keep back what failed once, and does not make it try without a pause', async () => {
    const desk = await watching(1, { clock: handClock(Date.UTC(2027, 0, 1)) });
    desk.to.answers({ kind: 'later', because: 'unreachable' }, { kind: 'later', because: 'unreachable' });
    await desk.clock.advance(GATHER);
    await now(desk);
    const earlier = await openAlertsHarness({ store: desk.store, to: desk.to, clock: handClock(Date.UTC(2026, 0, 1)) });
    await now(earlier);
    expect(desk.to.tried).toHaveLength(2);
    expect(earlier.due()).toBe(earlier.clock.now() + 3 * SECOND);
    await toTheEnd(earlier);
    expect(amounts(desk.to.shown)).toEqual([1]);
  });
});

test('nothing waits, nothing is due', async () => {
  const desk = await watching();
  expect(desk.due()).toBeUndefined();
  await deliver(address('console', 'nobody'), desk.context, desk.signal);
  expect(desk.to.tried).toEqual([]);
});
