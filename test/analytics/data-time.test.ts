import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../src/base/clock.js';
import { dataTime, datesOf } from '../../src/analytics/data-time.js';
import type { Dating } from '../../src/analytics/endpoint-row.js';

const now = instant(Date.UTC(2026, 10, 20, 14, 5));
const iso = (at: number): string => new Date(at).toISOString();
const age = (data: unknown, { dated, meta = null }: { dated?: Dating; meta?: unknown } = {}): number | undefined => {
  const at = dataTime(datesOf({ dated, data, meta }), now);
  return at === undefined ? undefined : now - at;
};
/** A chart whose last point is so old, with so long between its points. */
const chart = (last: number, step: number) => [3, 2, 1, 0].map((back) => ({ timestamp: iso(now - last - back * step), value: '1' }));
const days = (last: string) => [
  { period: '2026-10-01', interval: 'day', supply: 1 },
  { period: last, interval: 'day', supply: 2 },
];

describe('a time that an answer states', () => {
  test('is read from the top, from a wrapper and from meta, in every form of a time', () => {
    const at = now - 3 * DAY;
    expect(age({ updatedAt: iso(at), price: '1' })).toBe(3 * DAY);
    expect(age({ data: { timestamp: at / 1_000, price: '1' } })).toBe(3 * DAY);
    expect(age([{ id: 1 }], { meta: { holdingsLastUpdate: String(at / 1_000) } })).toBe(3 * DAY);
  });

  test('counts as the oldest of several', () => {
    expect(age({ updatedAt: iso(now - HOUR), holdingsLastUpdate: (now - 2 * DAY) / 1_000 })).toBe(2 * DAY);
  });

  test('in the future, at zero, before 1970 or unreadable is none', () => {
    for (const updatedAt of [iso(now + DAY), 0, -86_400, '1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', 'soon', null, undefined])
      expect(age({ updatedAt, price: '1' })).toBeUndefined();
  });

  test('is read one or more objects down where nothing nearer states one', () => {
    const at = iso(now - 3 * DAY);
    expect(age({ price: '1', treasury: { value: '5', updatedAt: at } })).toBe(3 * DAY);
    expect(age({ price: '1', treasury: { assets: { usd: '5', asOf: at } } })).toBe(3 * DAY);
    expect(age({ updatedAt: iso(now - HOUR), treasury: { updatedAt: at } })).toBe(HOUR);
    expect(age({ a: { deeper: { updatedAt: iso(now - 9 * DAY) } }, b: { updatedAt: at }, c: { updatedAt: iso(now - HOUR) } })).toBe(
      3 * DAY,
    );
    const rows = [3 * DAY, HOUR].map((back) => ({ symbol: 'TIDE', balance: { updatedAt: iso(now - back) } }));
    expect(age(rows, { dated: 'oldest-row' })).toBe(3 * DAY);
  });

  test('in a list, in a record of its own, or far down is not that of the data', () => {
    const at = iso(now - 3 * DAY);
    expect(age({ price: '1', events: [{ updatedAt: at, createdAt: at, timestamp: at }] })).toBeUndefined();
    expect(age({ price: '1', organization: { name: 'Tidewater', createdAt: at, updatedAt: at } })).toBeUndefined();
    expect(age({ price: '1', lastTrade: { timestamp: at, createdAt: at } })).toBeUndefined();
    expect(age({ x: 1, a: { x: 1, b: { x: 1, c: { x: 1, d: { updatedAt: at } } } } })).toBeUndefined();
    expect(age([{ id: 1, trade: { timestamp: at }, proposal: { createdAt: at, updatedAt: at } }], { dated: 'newest-row' })).toBeUndefined();
  });

  test('of an event, or of one row of a list, is not that of the data', () => {
    expect(age({ id: 4, timestamp: iso(now - DAY) }, { dated: 'record' })).toBeUndefined();
    expect(age({ cliff: { timestamp: 1 }, locked: 3 })).toBeUndefined();
    expect(age([{ timestamp: iso(now - DAY), amount: 1 }])).toBeUndefined();
  });
});

describe('the last point of a chart', () => {
  test('is the age of the data once two points are missing', () => {
    expect(age(chart(5 * HOUR, HOUR), { dated: 'points' })).toBe(5 * HOUR);
    expect(age(chart(3 * DAY, HOUR), { dated: 'points' })).toBe(3 * DAY);
    expect(age({ prices: chart(3 * DAY, HOUR) }, { dated: 'points' })).toBe(3 * DAY);
  });

  test('is not late while its own rhythm goes on', () => {
    expect(age(chart(HOUR, HOUR), { dated: 'points' })).toBeUndefined();
    expect(age(chart(20 * HOUR, 12 * HOUR), { dated: 'points' })).toBeUndefined();
    expect(age(chart(30 * HOUR, DAY), { dated: 'points' })).toBeUndefined();
  });

  test('is late after two days whatever its rhythm was', () => {
    expect(age(chart(3 * DAY, 7 * DAY), { dated: 'points' })).toBe(3 * DAY);
    expect(age([{ timestamp: iso(now - 3 * DAY), value: 1 }], { dated: 'points' })).toBe(3 * DAY);
  });

  test('is the last one with a value that is not ahead, in whatever order they come', () => {
    const points = [...chart(3 * DAY, HOUR).toReversed(), { timestamp: iso(now), value: null }, { timestamp: iso(now + DAY), value: '2' }];
    expect(age(points, { dated: 'points' })).toBe(3 * DAY);
    expect(age([], { dated: 'points' })).toBeUndefined();
    expect(age([{ timestamp: 0, value: '1' }], { dated: 'points' })).toBeUndefined();
  });
});

test('of a very long chart both ends are read, whichever holds the latest', () => {
  let read = 0;
  const points = Array.from({ length: 50_000 }, (_, back) => ({
    get timestamp() {
      read += 1;
      return iso(now - 3 * DAY - back * HOUR);
    },
    value: 1,
  }));
  for (const order of [points, points.toReversed()]) expect(age(order, { dated: 'points' })).toBe(3 * DAY);
  expect(read).toBeLessThan(10_000);
});

describe('the last period of a series', () => {
  test('is known when it is over, and late when the next one and a day have passed', () => {
    for (const last of ['2026-11-20', '2026-11-19', '2026-11-18']) expect(age(days(last), { dated: 'days' })).toBeUndefined();
    expect(age(days('2026-11-17'), { dated: 'days' })).toBe(2 * DAY + 14 * HOUR + 5 * MINUTE);
  });

  test('is found in a feed of several metrics', () => {
    const feed = {
      status: 'ok',
      metrics: ['2026-11-10', '2026-11-19'].map((date) => ({ metricId: date, observations: [{ date, value: 0 }] })),
    };
    expect(age(feed, { dated: 'days' })).toBeUndefined();
    expect(age({ ...feed, metrics: feed.metrics.slice(0, 1) }, { dated: 'days' })).toBe(9 * DAY + 14 * HOUR + 5 * MINUTE);
  });
});

test('rows that are dated each make a list as old as its oldest or its newest row', () => {
  const rows = [3 * DAY, HOUR, 2 * DAY].map((back) => ({ updatedAt: iso(now - back) }));
  expect(age(rows, { dated: 'oldest-row' })).toBe(3 * DAY);
  expect(age(rows, { dated: 'newest-row' })).toBe(HOUR);
});
