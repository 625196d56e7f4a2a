/** Decimals as chart points, in floating point. */
import type { Decimal } from '../../domain/scalars.js';

export type ChartPoint = [at: number, value: number | null];

export const numberOf = (value: Decimal | undefined): number | null => (value === undefined ? null : Number(value));

const MAX_POINTS = 360;

/** Ends, and each interval's lowest, highest and a gap. Oldest first. */
export function thinned(points: readonly ChartPoint[], most = MAX_POINTS): readonly ChartPoint[] {
  if (points.length <= most) return points;
  const size = Math.ceil((points.length - 2) / Math.max(1, Math.floor((most - 2) / 3)));
  const inner = points.slice(1, -1);
  const stretches = Array.from({ length: Math.ceil(inner.length / size) }, (_, index) => inner.slice(index * size, (index + 1) * size));
  return [points[0], ...stretches.flatMap(notable), points.at(-1)].filter((point) => point !== undefined);
}

function notable(stretch: readonly ChartPoint[]): readonly ChartPoint[] {
  const known = stretch.filter((point): point is [number, number] => point[1] !== null);
  const low = known.reduce<[number, number] | undefined>((best, one) => (best === undefined || one[1] < best[1] ? one : best), undefined);
  const high = known.reduce<[number, number] | undefined>((best, one) => (best === undefined || one[1] > best[1] ? one : best), undefined);
  const gap = stretch.find(([, value]) => value === null);
  return [...new Set([low, high, gap])].filter((point) => point !== undefined).toSorted(([a], [b]) => a - b);
}
