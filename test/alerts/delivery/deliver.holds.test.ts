import { describe, expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { begin } from '../../../src/alerts/queue/queue.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { sealNext } from '../../../src/alerts/delivery/sealing.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { muted, unmuted, withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import { slug } from '../../../src/domain/scalars.js';
import { measurement, rules } from '../measurements.js';
import { ALL, amounts, burn, CHAT, TIDE } from '../harness.js';
import { count, now, receipted, toTheEnd, watching } from './delivering.js';

describe('what the watchlist says at the moment of sending holds', () => {
  test('nothing is due in a chat that the bot left, and at an old address only that the queue moves', async () => {
    const [busy, idle] = [await watching(1), await watching()];
    const leave = async (harness: typeof busy, movedTo?: Address) =>
      harness.watchlists.change(CHAT, (chat) => ({ ...chat, left: { at: harness.clock.now(), because: 'x', movedTo } }));
    for (const harness of [busy, idle]) {
      await leave(harness);
      expect(harness.due()).toBeUndefined();
      await harness.clock.advance(HOUR);
      await now(harness);
      expect(harness.to.tried).toEqual([]);
      await leave(harness, address('console', 'elsewhere'));
    }
    expect([busy.due(), idle.due()]).toEqual([busy.clock.now(), undefined]);
  });

  test('what is no longer watched is dropped with that reason, and the rest comes', async () => {
    const harness = await watching(3);
    const heron = slug('heron');
    await harness.watch({ kind: 'project', slug: heron });
    await harness.announce(burn(4, harness.clock.now(), { project: heron }));
    await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([4]);
    expect(harness.queues.read(CHAT).receipts.at(-1)).toMatchObject({ end: 'dropped', because: 'no longer watched', attempts: 0 });
  });

  test('what waited for a project that is not watched any more is reported through what still covers it, when that one is not muted', async () => {
    const harness = await watching(2);
    await harness.watch(ALL, { mutedUntil: later(harness.clock.now(), HOUR) });
    await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await harness.clock.advance(MINUTE);
    await now(harness);
    expect([harness.to.shown, harness.queues.read(CHAT).waiting.map((member) => member.entry)]).toEqual([[], ['all', 'all']]);
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([1, 2]);
    expect(harness.to.shown[0]?.text).toContain('Catching up: all projects were muted');
  });

  test('what waits while its kind is switched off is not reported, nor through an entry that still has it', async () => {
    const harness = await watching(1);
    await harness.watch(ALL);
    await harness.watch(TIDE, { modes: { supply: 'off' } });
    await toTheEnd(harness);
    expect(harness.to.shown).toEqual([]);
    expect(harness.queues.read(CHAT).receipts).toMatchObject([{ end: 'dropped', because: 'its kind was switched off' }]);
  });

  test('a measurement goes on through another entry with the same rule only', async () => {
    for (const [rule, shown] of [
      ['premium<-10', 1],
      ['premium<-20', 0],
    ] as const) {
      const harness = await watching();
      await harness.watch(TIDE, { rules: rules('premium<-10') });
      const hear = async (value: number, minutes: number) =>
        routeMeasurements(
          { measurements: [measurement(value, later(harness.clock.now(), minutes * MINUTE - HOUR))], before: [], first: false },
          { ...harness, key: 'premium/tide', now: harness.clock.now() },
        );
      await hear(-5, 1);
      await hear(-11, 2);
      expect(harness.queues.read(CHAT).waiting).toHaveLength(1);
      await harness.watch(ALL, { rules: rules(rule) });
      await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
      await toTheEnd(harness);
      expect(harness.to.shown).toHaveLength(shown);
    }
  });

  test('a mute of one entry suppresses its alerts and no others', async () => {
    const harness = await watching();
    await harness.watch(TIDE, { mutedUntil: later(harness.clock.now(), DAY) });
    await harness.watch(ALL);
    await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now(), { project: undefined }));
    await harness.clock.advance(HOUR);
    await now(harness);
    expect(amounts(harness.to.shown)).toEqual([2]);
    expect(harness.due()).toBe(harness.clock.now() - HOUR + DAY + GATHER);
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([2, 1]);
  });

  test('a mute of the chat holds everything, however long, and releases it in order as one summary', async () => {
    const harness = await watching(12);
    await harness.watchlists.change(CHAT, (chat) => muted(chat, { until: later(harness.clock.now(), 10 * DAY) }));
    await harness.clock.advance(10 * DAY - 1);
    await now(harness);
    expect(harness.to.tried).toEqual([]);
    harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 1_000 });
    await toTheEnd(harness);
    expect(harness.to.shown).toHaveLength(1);
    expect(harness.to.shown[0]?.text).toContain('Catching up: this chat was muted · 12 burns at Tidewater');
    expect(await receipted(harness)).toEqual(count(12));
  });

  test('what was sealed and did not get through waits for the end of a mute too, and what is not muted comes meanwhile', async () => {
    const harness = await watching(1);
    await harness.watch(ALL);
    await harness.announce(burn(2, harness.clock.now(), { project: undefined }));
    harness.to.answers({ kind: 'later', because: 'unreachable', afterMs: 4 * HOUR });
    await harness.clock.advance(GATHER);
    await now(harness);
    expect(harness.queues.read(CHAT).open?.members).toHaveLength(2);
    await harness.watchlists.change(CHAT, (chat) => muted(chat, { target: TIDE, until: later(harness.clock.now(), DAY) }));
    await harness.clock.advance(5 * HOUR);
    await now(harness);
    expect(amounts(harness.to.shown)).toEqual([2]);
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([2, 1]);
    expect(harness.to.shown[1]?.text).toContain('Catching up: Tidewater was muted');
  });

  test('what may stand there already is repeated as it is, but not into a mute of the chat', async () => {
    const harness = await watching(1);
    harness.to.answers({ kind: 'unclear', because: 'timeout' });
    await harness.clock.advance(GATHER);
    await now(harness);
    const { id } = harness.queues.read(CHAT).open ?? {};
    const end = later(harness.clock.now(), DAY);
    await harness.watchlists.change(CHAT, (chat) => muted(chat, { until: end }));
    await harness.clock.advance(HOUR);
    await now(harness);
    expect([harness.to.shown, harness.queues.read(CHAT).open?.id, harness.due()]).toEqual([[], id, end]);
    await toTheEnd(harness);
    expect(harness.to.shown.map((shown) => shown.id)).toEqual([id]);
  });

  test('what may stand there already is not repeated into a mute that began while it waited for its slot', async () => {
    const harness = await watching(1);
    harness.to.answers({ kind: 'unclear', because: 'timeout' });
    await harness.clock.advance(GATHER);
    await now(harness);
    await harness.clock.advance(HOUR);
    const slot = async () => {
      await harness.watchlists.change(CHAT, (chat) => muted(chat, { until: later(harness.clock.now(), DAY) }));
      return { answered: () => {}, refused: () => {}, unused: () => {} };
    };
    await deliver(CHAT, { ...harness.context, notifiers: [{ ...harness.to.notifier, slot }] }, harness.signal);
    expect(harness.to.tried).toHaveLength(1);
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([1]);
  });

  test.each([
    [MINUTE, true],
    [30 * MINUTE, false],
  ])('what was sealed and never attempted comes after %d ms without a word about the wait: %s', async (wait, isSame) => {
    const harness = await watching(1);
    const sealed = await sealNext(CHAT, later(harness.clock.now(), GATHER), harness.context);
    await harness.queues.change(CHAT, ({ open, ...queue }) => ({
      ...queue,
      ...(open && { open: { ...open, state: 'sealed', attempts: 0 } }),
    }));
    await harness.clock.advance(GATHER + wait);
    await toTheEnd(harness);
    expect(amounts(harness.to.shown)).toEqual([1]);
    expect(harness.to.shown.map(({ id }) => id)).toEqual([sealed?.id]);
    expect(harness.to.shown[0]?.text.includes('Catching up: alerts could not be sent for 30 min')).toBe(!isSame);
  });

  test('nothing comes in a chat that the bot was removed from while a message waited for its slot', async () => {
    const harness = await watching(1);
    await harness.clock.advance(GATHER);
    const slot = async () => {
      await harness.watchlists.change(CHAT, (chat) => ({ ...chat, left: { at: harness.clock.now(), because: 'removed' } }));
      return { answered: () => {}, refused: () => {}, unused: () => {} };
    };
    await deliver(CHAT, { ...harness.context, notifiers: [{ ...harness.to.notifier, slot }] }, harness.signal);
    expect([harness.to.tried, harness.queues.read(CHAT).waiting.length]).toEqual([[], 1]);
  });

  test('what was cut short and then put off counts as what may stand there', async () => {
    const harness = await watching(1);
    await harness.clock.advance(GATHER);
    const { id = '' } = (await sealNext(CHAT, harness.clock.now(), harness.context)) ?? {};
    await harness.queues.change(CHAT, (queue) => begin(queue, id, harness.clock.now()));
    harness.to.answers({ kind: 'later', because: 'unreachable' });
    await now(harness);
    await harness.watchlists.change(CHAT, (chat) => muted(chat, { until: later(harness.clock.now(), DAY) }));
    await toTheEnd(harness);
    expect(harness.to.tried.map((tried) => tried.id)).toEqual([id, id]);
  });

  test('what was cut short is not repeated into a mute that began before the bot ran again', async () => {
    const harness = await watching(1);
    await harness.clock.advance(GATHER);
    const { id = '' } = (await sealNext(CHAT, harness.clock.now(), harness.context)) ?? {};
    await harness.queues.change(CHAT, (queue) => begin(queue, id, harness.clock.now()));
    const end = later(harness.clock.now(), HOUR);
    await harness.watchlists.change(CHAT, (chat) => muted(chat, { until: end }));
    await now(harness);
    const { mayHaveArrived, problem } = harness.queues.read(CHAT).open ?? {};
    expect([harness.to.tried, mayHaveArrived, problem, harness.due()]).toEqual([[], true, 'unclear: line-cut', end]);
    await toTheEnd(harness);
    expect(harness.to.shown.map((shown) => shown.id)).toEqual([id]);
  });

  test('the alerts of a mute that is ended early come at once in one summary', async () => {
    const harness = await watching(2);
    await harness.watchlists.change(CHAT, (chat) => muted(chat, { target: TIDE, until: later(harness.clock.now(), DAY) }));
    await harness.clock.advance(HOUR);
    await now(harness);
    expect(harness.to.tried).toEqual([]);
    await harness.watchlists.change(CHAT, (chat) => unmuted(chat, { target: TIDE, now: harness.clock.now() }));
    await harness.clock.advance(GATHER);
    await now(harness);
    expect(harness.to.shown).toHaveLength(1);
    expect(harness.to.shown[0]?.text).toContain('Catching up: Tidewater was muted · 2 burns at Tidewater');
    expect(amounts(harness.to.shown)).toEqual([1, 2]);
  });
});
