import { describe, expect, test } from 'vitest';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { begin } from '../../../src/alerts/queue/queue.js';
import { sealNext } from '../../../src/alerts/delivery/sealing.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { muted, unmuted, withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { measurement, rules } from '../measurements.js';
import { ALL, amounts, burn, CHAT, TIDE } from '../harness.js';
import { count, now, receipted, toTheEnd, watching } from './delivering.js';

describe('what the watchlist says at the moment of sending holds', () => {
  test('what is no longer watched is dropped with that reason, and the rest comes', async () => {
    const desk = await watching(3);
    const heron = slug('heron');
    await desk.watch({ kind: 'project', slug: heron });
    await desk.announce(burn(4, desk.clock.now(), { project: heron }));
    await desk.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([4]);
    expect(desk.queues.read(CHAT).receipts.at(-1)).toMatchObject({ end: 'dropped', because: 'no longer watched', attempts: 0 });
  });

  test('what waited for a project that is not watched any more is reported through what still covers it, when that one is not muted', async () => {
    const desk = await watching(2);
    await desk.watch(ALL, { mutedUntil: later(desk.clock.now(), HOUR) });
    await desk.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await desk.clock.advance(MINUTE);
    await now(desk);
    expect([desk.to.shown, desk.queues.read(CHAT).waiting.map((member) => member.entry)]).toEqual([[], ['all', 'all']]);
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([1, 2]);
    expect(desk.to.shown[0]?.text).toContain('Catching up: all projects were muted');
  });

  test('what waits while its kind is switched off is not reported, nor through an entry that still has it', async () => {
    const desk = await watching(1);
    await desk.watch(ALL);
    await desk.watch(TIDE, { modes: { supply: 'off' } });
    await toTheEnd(desk);
    expect(desk.to.shown).toEqual([]);
    expect(desk.queues.read(CHAT).receipts).toMatchObject([{ end: 'dropped', because: 'its kind was switched off' }]);
  });

  test('a measurement goes on through another entry with the same rule only', async () => {
    for (const [rule, shown] of [
      ['premium<-10', 1],
      ['premium<-20', 0],
    ] as const) {
      const desk = await watching();
      await desk.watch(TIDE, { rules: rules('premium<-10') });
      const hear = async (value: number, minutes: number) =>
        routeMeasurements(
          { measurements: [measurement(value, later(desk.clock.now(), minutes * MINUTE - HOUR))], before: [], first: false },
          { ...desk, now: desk.clock.now() },
        );
      await hear(-5, 1);
      await hear(-11, 2);
      expect(desk.queues.read(CHAT).waiting).toHaveLength(1);
      await desk.watch(ALL, { rules: rules(rule) });
      await desk.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
      await toTheEnd(desk);
      expect(desk.to.shown).toHaveLength(shown);
    }
  });

  test('a mute of one entry suppresses its alerts and no others', async () => {
    const desk = await watching();
    await desk.watch(TIDE, { mutedUntil: later(desk.clock.now(), DAY) });
    await desk.watch(ALL);
    await desk.announce(burn(1, desk.clock.now()), burn(2, desk.clock.now(), { project: undefined }));
    await desk.clock.advance(HOUR);
    await now(desk);
    expect(amounts(desk.to.shown)).toEqual([2]);
    expect(desk.due()).toBe(desk.clock.now() - HOUR + DAY + GATHER);
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([2, 1]);
  });

  test('a mute of the chat holds everything, however long, and releases it in order as one summary', async () => {
    const desk = await watching(12);
    await desk.watchlists.change(CHAT, (chat) => muted(chat, { until: later(desk.clock.now(), 10 * DAY) }));
    await desk.clock.advance(10 * DAY - 1);
    await now(desk);
    expect(desk.to.tried).toEqual([]);
    desk.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 1_000 });
    await toTheEnd(desk);
    expect(desk.to.shown).toHaveLength(1);
    expect(desk.to.shown[0]?.text).toContain('Catching up: this chat was muted · 12 burns at Tidewater');
    expect(await receipted(desk)).toEqual(count(12));
  });

  test('what was sealed and did not get through waits for the end of a mute too, and what is not muted comes meanwhile', async () => {
    const desk = await watching(1);
    await desk.watch(ALL);
    await desk.announce(burn(2, desk.clock.now(), { project: undefined }));
    desk.to.answers({ kind: 'later', because: 'unreachable', afterMs: 4 * HOUR });
    await desk.clock.advance(GATHER);
    await now(desk);
    expect(desk.queues.read(CHAT).open?.members).toHaveLength(2);
    await desk.watchlists.change(CHAT, (chat) => muted(chat, { target: TIDE, until: later(desk.clock.now(), DAY) }));
    await desk.clock.advance(5 * HOUR);
    await now(desk);
    expect(amounts(desk.to.shown)).toEqual([2]);
    await toTheEnd(desk);
    expect(amounts(desk.to.shown)).toEqual([2, 1]);
    expect(desk.to.shown[1]?.text).toContain('Catching up: Tidewater was muted');
  });

  test('what may stand there already is repeated as it is, but not into a mute of the chat', async () => {
    const desk = await watching(1);
    desk.to.answers({ kind: 'unclear', because: 'timeout' });
    await desk.clock.advance(GATHER);
    await now(desk);
    const { id } = desk.queues.read(CHAT).open ?? {};
    const end = later(desk.clock.now(), DAY);
    await desk.watchlists.change(CHAT, (chat) => muted(chat, { until: end }));
    await desk.clock.advance(HOUR);
    await now(desk);
    expect([desk.to.shown, desk.queues.read(CHAT).open?.id, desk.due()]).toEqual([[], id, end]);
    await toTheEnd(desk);
    expect(desk.to.shown.map((shown) => shown.id)).toEqual([id]);
  });

  test('what was cut short and then put off counts as what may stand there', async () => {
    const desk = await watching(1);
    await desk.clock.advance(GATHER);
    const { id = '' } = (await sealNext(CHAT, desk.clock.now(), desk.context)) ?? {};
    await desk.queues.change(CHAT, (queue) => begin(queue, id, desk.clock.now()));
    desk.to.answers({ kind: 'later', because: 'unreachable' });
    await now(desk);
    await desk.watchlists.change(CHAT, (chat) => muted(chat, { until: later(desk.clock.now(), DAY) }));
    await toTheEnd(desk);
    expect(desk.to.tried.map((tried) => tried.id)).toEqual([id, id]);
  });

  test('the alerts of a mute that is ended early come at once in one summary', async () => {
    const desk = await watching(2);
    await desk.watchlists.change(CHAT, (chat) => muted(chat, { target: TIDE, until: later(desk.clock.now(), DAY) }));
    await desk.clock.advance(HOUR);
    await now(desk);
    expect(desk.to.tried).toEqual([]);
    await desk.watchlists.change(CHAT, (chat) => unmuted(chat, { target: TIDE, now: desk.clock.now() }));
    await desk.clock.advance(GATHER);
    await now(desk);
    expect(desk.to.shown).toHaveLength(1);
    expect(desk.to.shown[0]?.text).toContain('Catching up: Tidewater was muted · 2 burns at Tidewater');
    expect(amounts(desk.to.shown)).toEqual([1, 2]);
  });
});
