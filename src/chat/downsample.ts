/** This file leaves a chart about as many points as it has pixels. It is pure. */
import type { ChartDraft } from './chart.js';

/** So many points fit across a PNG. */
const MAX_POINTS = 1_600;

type Points = readonly (readonly [at: number, value: number | null])[];

/** It keeps both ends, and each interval's lowest, highest and first gap. */
export function downsampled(chart: ChartDraft): ChartDraft {
  if (chart.kind !== 'xy' || chart.series.every(({ points }) => points.length <= MAX_POINTS)) return chart;
  const places = new Map<number, readonly number[]>();
  for (const length of new Set(chart.series.map(({ points }) => points.length)))
    if (length > MAX_POINTS)
      places.set(length, placesOf(chart.series.map(({ points }) => points).filter((points) => points.length === length)));
  return {
    ...chart,
    series: chart.series.map((series) => {
      const kept = places.get(series.points.length);
      return kept === undefined ? series : { ...series, points: kept.map((place) => series.points[place] ?? [0, null]) };
    }),
  };
}

function placesOf(all: readonly Points[]): readonly number[] {
  const length = all[0]?.length ?? 0;
  // Each series keeps two points per interval, within the limit; gaps are additional.
  const size = Math.ceil((2 * all.length * length) / MAX_POINTS);
  const places = new Set([0, length - 1]);
  for (let from = 0; from < length; from += size)
    for (const points of all) for (const place of notable(points, from, Math.min(length, from + size))) places.add(place);
  return [...places].toSorted((a, b) => a - b);
}

function notable(points: Points, from: number, to: number): readonly number[] {
  let [low, high, gap]: (number | undefined)[] = [];
  const valueAt = (place: number | undefined): number | null | undefined => (place === undefined ? undefined : points[place]?.[1]);
  for (let place = from; place < to; place += 1) {
    const value = valueAt(place);
    if (value === null || value === undefined) gap ??= place;
    else {
      if (value < (valueAt(low) ?? Infinity)) low = place;
      if (value > (valueAt(high) ?? -Infinity)) high = place;
    }
  }
  return [low, high, gap].filter((place) => place !== undefined);
}
