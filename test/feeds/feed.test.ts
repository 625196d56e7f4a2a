import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, later, type Instant } from '../../src/base/clock.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { decimal } from '../../src/domain/scalars.js';
import { correctionLine } from '../../src/domain/event.js';
import { lineText } from '../../src/chat/plain-text.js';
import { defineFeed, type FeedSpec, type Snapshot } from '../../src/feeds/feed.js';
import { CORRECTED_STAGE } from '../../src/feeds/event-content.js';
import { movements } from '../../src/feeds/movements.js';
import { NOBODY, NOON, snapshotOf, TIDE } from './reading.js';

interface Row {
  readonly id: string;
  readonly at?: Instant;
}
const watermark = z.object({ seen: z.array(z.string()) });
const facts = z.object({ id: z.string() });
type Spec = FeedSpec<z.infer<typeof watermark>, readonly Row[], z.infer<typeof facts>>;

/** Each row that the watermark lacks is an event and a measurement. */
const spec: Spec = {
  ...{ id: 'tiny', summary: 'rows', order: 1, scope: 'project', every: 1, data: 'ledger', watermark, facts },
  alerts: { ...movements.spec.alerts, size: ({ id }) => ({ noun: id }) },
  read: async () => snapshotOf([]),
  history: { unavailable: 'no history' },
  diff(_subject, before, { data }) {
    const fresh = before === undefined ? [] : data.filter(({ id }) => !before.seen.includes(id));
    return {
      watermark: { seen: data.map(({ id }) => id) },
      events: fresh.map(({ id, at }) => ({ id, topic: id, stage: 'row', facts: { id }, ...(at === undefined ? {} : { occurredAt: at }) })),
      measurements: fresh.map(({ id }) => ({ id, at: NOON, values: { nav: decimal('1') }, facts: { id } })),
    };
  },
  content: ({ facts: { id } }) => ({ tone: 'up', about: 'Tidewater', headline: [id], details: [['a detail']], actions: [] }),
  sample: () => ({ id: '1', topic: '1', stage: 'row', facts: { id: '1' } }),
};
const CONTEXT = { analytics: NOBODY, options: {} };
const tiny = (data: readonly Row[], extra: Partial<Spec> = {}) => defineFeed({ ...spec, read: async () => snapshotOf(data), ...extra });

describe('a check', () => {
  const rows = [
    { id: 'old', at: later(NOON, -2 * HOUR) },
    { id: 'at', at: later(NOON, -HOUR) },
    { id: 'undated' },
    { id: 'new', at: NOON },
  ];
  const dated = { empty: { seen: [] } };
  const idsOf = async (feed: ReturnType<typeof tiny>, stored: unknown, since?: Instant) =>
    (await feed.check(TIDE, stored, { ...CONTEXT, since })).events.map(({ id }) => id);

  test('finds every new row, whatever its date, once there is a watermark', async () => {
    expect(await idsOf(tiny(rows), { seen: ['at'] })).toEqual(['old', 'undated', 'new']);
    expect(await idsOf(tiny(rows, dated), { seen: ['at'] }, NOON)).toEqual(['old', 'undated', 'new']);
  });

  test('that is the first finds what is dated since the watch began, in a feed whose rows are dated', async () => {
    const since = later(NOON, -HOUR);
    expect(await idsOf(tiny(rows, dated), undefined, since)).toEqual(['at', 'new']);
    expect(await idsOf(tiny(rows, dated), undefined)).toEqual([]);
    expect(await idsOf(tiny(rows), undefined, since)).toEqual([]);
    expect([tiny(rows, dated).dated, tiny(rows).dated]).toEqual([true, false]);
  });

  test('makes ids that a store key can hold, the same in an event, a measurement and a correction', async () => {
    const odd = { id: 'row/50%\u0000\uD800\u{10FFFF}ü' };
    const kept = 'row/50%25%0%d800%10ffffü';
    const feed = tiny([odd], {
      diff: (...of) => ({ ...spec.diff(...of), corrections: [{ event: odd.id, version: '1' }], same: [odd.id] }),
    });
    const { events, measurements, corrections, same } = await feed.check(TIDE, { seen: [] }, CONTEXT);
    expect(events).toMatchObject([{ id: kept, topic: kept, feed: 'tiny', detectedAt: NOON }]);
    expect(measurements).toMatchObject([{ event: { id: kept, topic: kept, stage: 'level', occurredAt: NOON } }]);
    expect(corrections).toEqual([{ event: kept, version: '1' }]);
    expect(same).toEqual([kept]);
  });

  test('says the status of topics that a live message follows, and of those with events that are owed', async () => {
    const live: NonNullable<Spec['live']> = {
      statuses: ({ snapshot }, isWanted) =>
        snapshot.data.flatMap(({ id }) => (isWanted(id) ? [{ topic: id, stage: 'row', step: 'one', ended: false, facts: { id } }] : [])),
      content: ({ facts: { id } }) => ({ tone: 'up', about: 'Tidewater', headline: [id], details: [], actions: [] }),
    };
    const isFollowed = (topic: string) => topic === 'followed';
    const data = [{ id: 'known' }, { id: 'followed' }, { id: 'new' }, { id: 'newer' }];
    const of = async (context = {}) => tiny(data, { live }).check(TIDE, { seen: ['known', 'followed'] }, { ...CONTEXT, ...context });
    const { statuses } = await of({ isFollowed });
    expect(statuses.map(({ topic, feed, at }) => [topic, feed, at])).toEqual([
      ['followed', 'tiny', NOON],
      ['new', 'tiny', NOON],
      ['newer', 'tiny', NOON],
    ]);
    expect(new Set(statuses.map(({ version }) => version)).size).toBe(3);
    expect((await of()).statuses.map(({ topic }) => topic)).toEqual(['new', 'newer']);
    expect((await tiny(data).check(TIDE, { seen: [] }, { ...CONTEXT, isFollowed })).statuses).toEqual([]);
    const status = { topic: 'new', stage: 'row', step: 'one', ended: false, facts: { id: 'new' }, feed: 'tiny', at: NOON };
    expect(tiny([], { live }).liveContent(status)).toMatchObject({ headline: ['new'] });
    expect(tiny([]).liveContent(status)).toBeUndefined();
  });
});

describe('past snapshots', () => {
  const past = (lists: readonly (readonly Row[])[]): Partial<Spec> => ({
    history: {
      ...{ resolution: 'event', measures: [], lacks: {}, cost: 1 },
      read: async () => ({
        ...{ at: NOON, dataAt: undefined, stale: undefined, since: undefined, hidden: 0, broken: 0 },
        snapshots: lists.map((data, index): Snapshot<readonly Row[]> => snapshotOf(data, { at: later(NOON, index * HOUR) })),
      }),
    },
  });
  const read = async (extra: Partial<Spec>, signal?: AbortSignal) => {
    const { history } = tiny([], extra);
    if ('unavailable' in history) throw new Error(history.unavailable);
    const options = signal === undefined ? {} : { signal };
    return history.read(TIDE, { analytics: NOBODY, options, now: NOON, from: NOON });
  };
  const lists = [[{ id: 'a' }], [{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'c' }]];

  test('are compared one with the next, as checks would have', async () => {
    const { checks, at } = await read(past(lists));
    expect(checks.map((one) => [one.at, one.events.map(({ id }) => id), one.measurements.length])).toEqual([
      [NOON, [], 0],
      [later(NOON, HOUR), ['b'], 1],
      [later(NOON, 2 * HOUR), ['c'], 1],
    ]);
    expect(at).toBe(NOON);
  });

  test('begin with an empty list in a feed whose rows are dated', async () => {
    const { checks } = await read({ ...past(lists), empty: { seen: [] } });
    expect(checks.map(({ events }) => events.map(({ id }) => id))).toEqual([['a'], ['b'], ['c']]);
  });

  test('are left when nobody waits any more', async () => {
    await expect(read(past(lists), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});

describe('an event', () => {
  const stored = { id: 'a', topic: 'a', feed: 'tiny', stage: 'row', detectedAt: NOON, facts: { id: 'a' } };
  const corrects = { event: 'a', was: '120', now: '118' };

  test('that corrects another one says so first, unless its feed has words of its own for it', () => {
    const words = (event: Parameters<typeof feed.content>[0]) => {
      const { tone, headline, details } = feed.content(event);
      return { tone, headline, details };
    };
    const feed = tiny([]);
    const own = { tone: 'up', headline: ['a'], details: [['a detail']] };
    expect(words({ ...stored, stage: CORRECTED_STAGE, corrects })).toEqual({
      tone: 'warning',
      headline: ['Correction · ', 'a'],
      details: [correctionLine(corrects), ['a detail']],
    });
    expect([words({ ...stored, corrects }), words({ ...stored, stage: CORRECTED_STAGE }), words(stored)]).toEqual([own, own, own]);
  });

  test('that was removed, or lacks a value, is not said to have changed from one to another', () => {
    const removed = correctionLine({ event: 'a' });
    expect(correctionLine({ event: 'a', was: '120' })).toEqual(removed);
    expect(correctionLine({ event: 'a', now: '118' })).toEqual(removed);
    expect(lineText(correctionLine(corrects), stored.detectedAt)).toMatch(/\b120\b.*\b118\b/u);
  });

  test('has the size that its feed says, and none where its facts cannot be read, so that it passes every filter', () => {
    const { alerts } = tiny([]);
    expect(alerts.size({ id: 'a' }, 'row')).toEqual({ noun: 'a' });
    expect(alerts.size({ id: 1 }, 'row')).toEqual({ noun: 'change' });
    expect(alerts.words).toEqual(movements.spec.alerts.words);
  });

  test('has a chart only where its feed draws one, it has past values, and they are enough', () => {
    const crossings: readonly Crossing[] = [];
    const past = { nav: [[NOON, decimal('1')]] } satisfies { nav: [Instant, ReturnType<typeof decimal>][] };
    const asked: (readonly Crossing[])[] = [];
    const drawing = tiny([], { chart: (_, all) => void asked.push(all) });
    expect(drawing.chart({ ...stored, past }, crossings)).toBeUndefined();
    expect(drawing.chart({ ...stored, past })).toBeUndefined();
    expect(asked).toEqual([[], []]);
    expect(tiny([]).chart({ ...stored, past }, crossings)).toBeUndefined();
    expect(drawing.chart(stored, crossings)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test('of a sample is marked as one, with the crossings that it has', () => {
    expect(tiny([]).sample(NOON)).toEqual({ ...stored, id: 'sample/1', topic: '1', facts: { id: '1' }, checkedAt: NOON });
    const crossing: Crossing = {
      rule: { when: 'below', measure: 'nav', threshold: decimal('1'), hysteresis: decimal('0') },
      side: 'low',
      now: { at: NOON, value: decimal('0.9') },
      was: { at: NOON, value: decimal('1.1') },
      since: { at: NOON, value: decimal('1.1') },
    };
    expect(tiny([], { sample: () => ({ ...spec.sample(NOON), crossings: [crossing] }) }).sample(NOON).crossings).toEqual([crossing]);
  });
});
