import { describe, expect, test } from 'vitest';
import { DRAWN_WITHIN } from '../../../src/alerts/delivery/event-chart.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { enqueue } from '../../../src/alerts/queue/queue.js';
import { HOUR, later } from '../../../src/base/clock.js';
import type { Chart, Pictures } from '../../../src/chat/chart.js';
import { slug } from '../../../src/domain/scalars.js';
import { premium } from '../../../src/feeds/premium.js';
import { openStore } from '../../../src/store/open.js';
import { crashStore, falseIfCrashed } from '../crash-store.js';
import { handClock } from '../../support/clock.js';
import { burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { now, toTheEnd, type DeliveryHarness } from './delivering.js';

const BYTES = new Uint8Array([1, 2, 3]);

/** Draws every chart unless a test says otherwise. */
function artist(png: (chart: Chart) => Promise<Uint8Array> = async () => BYTES): { pictures: Pictures; charts: Chart[] } {
  const charts: Chart[] = [];
  return {
    charts,
    pictures: {
      svg: async () => '<svg/>',
      png: async (chart) => {
        charts.push(chart);
        return png(chart);
      },
    },
  };
}

/** A premium that crossed a threshold, queued as the evaluation does. */
async function alerted(harness: DeliveryHarness, id = 'premium/tide/1'): Promise<void> {
  const { crossings, ...event } = premium.sample(harness.clock.now());
  await harness.watch(TIDE);
  await harness.archive.keep({ ...event, id, project: slug('tide') });
  const member = { event: id, entry: 'tide', queuedAt: harness.clock.now(), ...(crossings && { crossings }) };
  await harness.queues.change(CHAT, (queue) => enqueue(queue, [member]));
}

const dark = () => platform({ pictureTheme: 'dark' });

describe('an alert with a chart', () => {
  test('comes with its picture, and the queue document refers to the event instead of holding the values', async () => {
    const { pictures, charts } = artist();
    const harness = await openAlertsHarness({ to: dark(), pictures });
    await alerted(harness);
    harness.to.answers({ kind: 'later', because: 'unreachable' });
    await harness.clock.advance(GATHER);
    await now(harness);
    expect(harness.to.tried).toMatchObject([{ picture: { bytes: BYTES }, reply: { chart: { kind: 'xy', levels: [{ value: -10 }] } } }]);
    const { open } = harness.queues.read(CHAT);
    expect(open).toMatchObject({ chartOf: 'premium/tide/1' });
    expect(open?.reply.chart).toBeUndefined();
    expect(JSON.stringify(harness.queues.read(CHAT)).length).toBeLessThan(4_000);
    await toTheEnd(harness);
    expect(harness.to.tried[1]).toMatchObject({ picture: { bytes: BYTES } });
    expect(new Set(charts.map((chart) => JSON.stringify(chart))).size).toBe(1);
  });

  test('comes as text alone after three attempts with its picture that failed', async () => {
    const { pictures } = artist();
    const harness = await openAlertsHarness({ to: dark(), pictures });
    await alerted(harness);
    for (let failure = 0; failure < 3; failure += 1) harness.to.answers({ kind: 'unclear', because: 'server-error' });
    await toTheEnd(harness);
    expect(harness.to.tried.map(({ picture }) => picture !== undefined)).toEqual([true, true, true, false]);
    expect(harness.queues.read(CHAT).receipts).toMatchObject([{ end: 'sent', attempts: 4 }]);
  });

  test('comes as text alone where the picture cannot be drawn', async () => {
    const { pictures } = artist(async () => Promise.reject(new Error('no thread')));
    const harness = await openAlertsHarness({ to: dark(), pictures });
    await alerted(harness);
    await toTheEnd(harness);
    expect(harness.to.tried).toHaveLength(1);
    expect(harness.to.tried[0]?.picture).toBeUndefined();
    expect(harness.queues.read(CHAT).receipts).toMatchObject([{ end: 'sent' }]);
  });

  test('waits no longer than its deadline for a picture that is never drawn', async () => {
    const { pictures } = artist(async () => new Promise<Uint8Array>(() => undefined));
    const harness = await openAlertsHarness({ to: dark(), pictures });
    await alerted(harness);
    await harness.clock.advance(GATHER);
    const from = harness.clock.now();
    const delivering = now(harness);
    await harness.clock.asleep();
    const { open, waiting } = harness.queues.read(CHAT);
    expect([open, waiting]).toMatchObject([undefined, [{ event: 'premium/tide/1' }]]);
    await harness.clock.advance(DRAWN_WITHIN);
    await delivering;
    expect(harness.to.shown).toHaveLength(1);
    expect(harness.clock.now() - from).toBe(DRAWN_WITHIN);
  });

  test('is not drawn where the platform takes no picture, and not sent where the chat is muted while it is drawn', async () => {
    const plain = artist();
    const console = await openAlertsHarness({ pictures: plain.pictures });
    await alerted(console);
    await toTheEnd(console);
    expect(console.to.tried).toMatchObject([{ reply: { chart: { kind: 'xy' } } }]);
    expect(plain.charts).toEqual([]);

    const slow = artist(async () => {
      await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
      return BYTES;
    });
    const harness = await openAlertsHarness({ to: dark(), pictures: slow.pictures });
    await alerted(harness);
    await harness.clock.advance(GATHER);
    await now(harness);
    expect(harness.to.tried).toEqual([]);
    const { open, waiting } = harness.queues.read(CHAT);
    expect([open, waiting]).toMatchObject([undefined, [{ event: 'premium/tide/1' }]]);
  });

  test('among other fresh alerts is drawn too; a summary has no picture', async () => {
    const { pictures, charts } = artist();
    const harness = await openAlertsHarness({ to: dark(), pictures });
    await alerted(harness);
    await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now()));
    await toTheEnd(harness);
    expect(harness.to.tried).toMatchObject([{ picture: { bytes: BYTES } }]);
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
    await alerted(harness, 'premium/tide/2');
    await harness.announce(burn(3, harness.clock.now()));
    await toTheEnd(harness);
    expect(harness.to.tried).toHaveLength(2);
    expect(harness.to.tried[1]?.picture).toBeUndefined();
    expect(charts).toHaveLength(1);
  });
});

test.each([true, false])(
  'a process that dies at any write around a drawing neither loses nor doubles the alert (knows its messages: %s)',
  async (knowsRepeats) => {
    let lived = false;
    for (let until = 1; !lived; until += 1) {
      for (const written of [false, true]) {
        const [base, clock, { pictures }] = [await openStore('memory://'), handClock(), artist()];
        const to = platform({ pictureTheme: 'dark', knowsRepeats });
        await alerted(await openAlertsHarness({ store: base, clock, to, pictures }));
        to.answers({ kind: 'later', because: 'rate-limited', afterMs: 1_000 });
        const dying = await openAlertsHarness({ store: crashStore(base, { until, written }), clock, to, pictures, ambiguous: 'hold' });
        lived = await toTheEnd(dying).then(() => true, falseIfCrashed);
        const after = await openAlertsHarness({ store: base, clock, to, pictures, ambiguous: 'hold' });
        await toTheEnd(after);
        const { receipts, waiting, open } = after.queues.read(CHAT);
        expect([waiting, open]).toEqual([[], undefined]);
        expect(receipts).toHaveLength(1);
        const isMaybe = !knowsRepeats && receipts[0]?.end === 'maybe sent';
        expect([isMaybe ? 1 : to.shown.length, to.shown.length <= 1]).toEqual([1, true]);
      }
    }
  },
);

test('a process that dies while it draws has recorded nothing as sent', async () => {
  const [base, clock, to] = [await openStore('memory://'), handClock(), platform({ pictureTheme: 'dark', knowsRepeats: false })];
  const stuck = artist(async () => new Promise<Uint8Array>(() => undefined));
  const dying = await openAlertsHarness({ store: base, clock, to, pictures: stuck.pictures, ambiguous: 'hold' });
  await alerted(dying);
  await clock.advance(GATHER);
  void deliver(CHAT, dying.context, dying.signal);
  await clock.asleep();
  const after = await openAlertsHarness({ store: base, clock: handClock(clock.now()), to, pictures: artist().pictures, ambiguous: 'hold' });
  await toTheEnd(after);
  expect(to.shown).toHaveLength(1);
  expect(after.queues.read(CHAT).receipts).toMatchObject([{ end: 'sent', attempts: 1 }]);
});
