import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, instant, later } from '../../src/base/clock.js';
import { chartSchema, type ChartDraft } from '../../src/chat/chart.js';
import type { Crossing, Point } from '../../src/domain/crossing.js';
import { MAX_PAST_VALUES, eventSchema, pastValuesSchema } from '../../src/domain/event.js';
import { decimal } from '../../src/domain/scalars.js';
import { alertChart, pastValues } from '../../src/feeds/alert-chart.js';
import { FEEDS } from '../../src/feeds/index.js';
import { NOON } from './reading.js';

const values = (count: number, apart = DAY): readonly Point[] =>
  Array.from({ length: count }, (_, index) => ({ at: later(NOON, (index + 1 - count) * apart), value: decimal(String(index)) }));

const crossing = (rule: Crossing['rule'], extra: Partial<Crossing> = {}): Crossing => ({
  rule,
  ...{ side: 'low', now: { at: NOON, value: decimal('-17.2') }, was: { at: later(NOON, -DAY), value: decimal('-9') } },
  since: { at: later(NOON, -2 * DAY), value: decimal('-8.5') },
  ...extra,
});
const below = (threshold: string): Crossing =>
  crossing({ when: 'below', measure: 'premium', threshold: decimal(threshold), hysteresis: decimal('2') });
const xy = (draft: ChartDraft | undefined) => {
  if (draft?.kind !== 'xy') throw new Error('no chart');
  return draft;
};

describe('past values', () => {
  test('are the last 90 days, oldest first, each moment once and none that is later', () => {
    const points = [...values(200), { at: later(NOON, DAY), value: decimal('1') }, { at: NOON, value: decimal('199') }].toReversed();
    const kept = pastValues({ premium: points }, NOON)?.['premium'] ?? [];
    expect(kept).toHaveLength(90);
    expect(kept.at(-1)).toEqual([NOON, '199']);
    expect(kept.map(([at]) => at)).toEqual(kept.map(([at]) => at).toSorted((a, b) => a - b));
  });

  test('are never more than the stored event takes, whatever comes, and stay exact', () => {
    const points = fc.array(
      fc.record({ at: fc.integer({ min: 0, max: NOON }).map((at) => instant(at)), value: fc.bigInt().map((n) => decimal(String(n))) }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(points, (all) => {
        const past = pastValues({ nav: all }, NOON) ?? {};
        expect(pastValuesSchema.parse(JSON.parse(JSON.stringify(past)))).toEqual(past);
      }),
    );
    expect(pastValues({ nav: values(400, DAY / 24) }, NOON)?.['nav']).toHaveLength(MAX_PAST_VALUES);
  });

  test('of too few moments are none, and cost nothing', () => {
    expect(pastValues({ runway: values(2) }, NOON)).toBeUndefined();
    expect(pastValues({}, NOON)).toBeUndefined();
  });

  test('that cannot be read are absent, and the event is still an event', () => {
    const event = { id: 'premium/tide/1', feed: 'premium', topic: 't', stage: 'level', detectedAt: NOON, facts: {} };
    expect(eventSchema.parse({ ...event, past: { premium: [['x', 'y']] } })).toMatchObject({ id: event.id });
    expect(eventSchema.parse({ ...event, past: { premium: [['x', 'y']] } }).past).toBeUndefined();
  });
});

describe('the chart of an alert', () => {
  const past = { premium: values(30).map(({ at, value }) => [at, value] as [typeof at, typeof value]) };

  test('draws the threshold in, and NAV itself by its name', () => {
    expect(xy(alertChart(past, [below('-10')], 'TIDE')).levels).toMatchObject([{ value: -10 }]);
    expect(xy(alertChart(past, [below('0')], 'TIDE')).levels).toEqual([{ name: 'NAV', value: 0 }]);
  });

  test('of a move marks where it began, and of an extreme draws no threshold', () => {
    const moved = xy(alertChart(past, [crossing({ when: 'move', measure: 'premium', by: decimal('5') })], 'TIDE'));
    expect(moved.marks).toMatchObject([{ at: later(NOON, -2 * DAY), value: -8.5 }]);
    expect(moved.levels).toEqual([]);
    const long = crossing(
      { when: 'move', measure: 'premium', by: decimal('5') },
      { since: { at: later(NOON, -200 * DAY), value: decimal('1') } },
    );
    expect(xy(alertChart(past, [long], 'TIDE')).marks).toEqual([]);
    expect(xy(alertChart(past, [crossing({ when: 'extreme', measure: 'premium', days: decimal('90') })], 'TIDE')).levels).toEqual([]);
  });

  test('is of the first crossing whose measure has past values; without any there is none', () => {
    const price = crossing({ when: 'move', measure: 'price', by: decimal('5') });
    expect(xy(alertChart(past, [price, below('-10')], 'TIDE')).series).toMatchObject([{ unit: 'percent' }]);
    expect(alertChart(past, [price], 'TIDE')).toBeUndefined();
    expect(alertChart(undefined, [below('-10')], 'TIDE')).toBeUndefined();
    expect(alertChart(past, [], 'TIDE')).toBeUndefined();
  });

  test.each(FEEDS.filter(({ id }) => ['premium', 'treasury'].includes(id)))('the sample of $id has one', (feed) => {
    const { crossings = [], ...event } = feed.sample(NOON);
    expect(chartSchema.parse(feed.chart(event, crossings)).kind).toBe('xy');
  });
});
