/** Draws past values as a line of text, which every platform shows and which can be edited. */
import type { Point } from './crossing.js';
import type { Instant } from './scalars.js';

const BARS = '▁▂▃▄▅▆▇█';
const MIN_POINTS = 3;

/** Draws `width` equal steps of time, each with its last value. Returns undefined for too few values. */
export function sparkline(
  points: readonly Point[],
  { until, width = 16 }: { readonly until: Instant; readonly width?: number },
): string | undefined {
  const ordered = points.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
  const [first] = ordered;
  if (first === undefined || ordered.length < MIN_POINTS || until <= first.at) return undefined;
  const values = ordered.map(({ value }) => Number(value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  let next = 0;
  let text = '';
  for (let step = 1; step <= width; step += 1) {
    const end = first.at + ((until - first.at) * step) / width;
    while (next + 1 < ordered.length && (ordered[next + 1]?.at ?? Number.POSITIVE_INFINITY) <= end) next += 1;
    const share = most === least ? 0.5 : ((values[next] ?? least) - least) / (most - least);
    text += BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))] ?? '';
  }
  return text;
}
