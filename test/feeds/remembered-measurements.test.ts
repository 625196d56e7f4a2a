import { expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../src/base/clock.js';
import { dayBefore, momentOf, remember, type Dated, type RememberedMeasurements } from '../../src/feeds/remembered-measurements.js';
import { NOON } from './reading.js';

interface Value {
  readonly value: number;
}
const at = (minutes: number) => instant(NOON + minutes * MINUTE);
const seen = (value: number, arrived: number, updated?: number) => ({
  values: { value },
  updatedAt: updated === undefined ? undefined : at(updated),
  at: at(arrived),
});
type Mark = RememberedMeasurements<Value & Dated>;

/** When each of these held, as minutes, one after another. */
function moments(...all: readonly ReturnType<typeof seen>[]): readonly (number | undefined)[] {
  let watermark: Mark | undefined;
  return all.map((one) => {
    const moment = momentOf(watermark, one);
    if (moment !== undefined) watermark = remember(watermark, one, moment);
    return moment === undefined ? undefined : (moment - NOON) / MINUTE;
  });
}

test('measurements have the date of the service, each once, and older ones are ignored', () => {
  expect(moments(seen(1, 10, 5), seen(1, 11, 5), seen(2, 20, 15), seen(1, 21, 5), seen(9, 22, 14), seen(2, 30, 25))).toEqual([
    5,
    undefined,
    15,
    undefined,
    undefined,
    25,
  ]);
});

test('undated measurements have the time of their arrival, and a cached response is the same one', () => {
  expect(moments(seen(1, 10), seen(1, 10), seen(1, 12), seen(2, 11), seen(2, 14))).toEqual([10, undefined, 12, undefined, 14]);
});

test('a price that moves while the date stands still holds since it arrived', () => {
  expect(moments(seen(1, 10, 5), seen(2, 12, 5), seen(2, 14, 5), seen(3, 16, 5), seen(4, 18, 6), seen(4, 30, 25))).toEqual([
    5,
    12,
    undefined,
    16,
    18,
    25,
  ]);
});

test('a date that lies ahead of the answer is no date', () => {
  expect(moments(seen(1, 10, 500), seen(1, 12, 500), seen(2, 20, 15))).toEqual([10, 12, 15]);
});

test('what is remembered stays small and reaches a day back', () => {
  let watermark: Mark | undefined;
  for (let minutes = 0; minutes < 5 * 24 * 60; minutes += 7) watermark = remember(watermark, seen(minutes, minutes), at(minutes));
  expect(watermark?.past.length).toBeLessThanOrEqual(10);
  expect(watermark!.last!.at - watermark!.past[0]!.at).toBeGreaterThan(23 * HOUR);
  expect(watermark!.last!.at - dayBefore(watermark!.past, watermark!.last!.at)!.at).toBeGreaterThan(22 * HOUR);
});

test('of what is known that is taken which is nearest to a day ago, and nothing of the last hour', () => {
  const points = [3 * DAY, 26 * HOUR, 2 * HOUR, 30 * MINUTE].map((age) => ({ at: instant(NOON - age) }));
  expect(dayBefore(points, NOON)?.at).toBe(NOON - 26 * HOUR);
  expect(dayBefore(points.slice(2), NOON)?.at).toBe(NOON - 2 * HOUR);
  expect(dayBefore(points.slice(3), NOON)).toBeUndefined();
});
