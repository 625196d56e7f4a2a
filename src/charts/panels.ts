/** Places panels, and computes the pixel positions of values and moments. */
import type { ChartAxis, ChartSeries, XyChart } from '../chat/chart.js';
import { axisText, extentOf, scaleOf, ticksOf, type Scale } from './scale.js';

export interface PlotPanel {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface PlotSide {
  readonly axis: ChartAxis;
  readonly scale: Scale;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

export function sideOf(axis: ChartAxis, chart: XyChart): PlotSide | undefined {
  const series = chart.series.filter((one) => one.axis === axis);
  const [first] = series;
  if (first === undefined) return undefined;
  const levels = chart.levels.filter((level) => level.axis === axis).map(({ value }) => value);
  const zero = series.some(({ draw }) => draw === 'bar' || draw === 'area');
  // Labels need space above and below the values.
  const marked =
    chart.marks.some((mark) => chart.series[mark.series]?.axis === axis) ||
    (axis === 'left' && (chart.spans.length > 0 || (chart.categories !== undefined && series.length === 1)));
  const values = [...reachOf(series), ...levels, ...(zero ? [0] : [])];
  const scale = scaleOf(extentOf(values), {
    zero,
    steps: axis === 'below' ? 2 : 4,
    whole: first.unit === 'count',
    margin: marked ? 0.14 : axis === 'below' ? 0 : 0.04,
  });
  const write = axisText(first.unit, scale);
  return { axis, scale, ticks: ticksOf(scale).map((value) => ({ value, text: write(value) })) };
}

function reachOf(series: readonly ChartSeries[]): readonly number[] {
  const sums = new Map<string, number>();
  const single: number[] = [];
  for (const { stack, points } of series)
    for (const [at, value] of points) {
      if (value === null) continue;
      if (stack === undefined) {
        single.push(value);
        continue;
      }
      const key = `${stack} ${value < 0 ? 'down' : 'up'} ${at}`;
      sums.set(key, (sums.get(key) ?? 0) + value);
    }
  return [...single, ...sums.values()];
}

export interface Reach {
  readonly from: number;
  readonly to: number;
}

/** Returns the span of time that a chart shows, with half a bar's width on both sides of bars. */
export function reachOfTime({ series, spans }: Pick<XyChart, 'series' | 'spans'>): Reach {
  const moments = series.flatMap(({ points }) => points.map(([at]) => at));
  const { low, high } = extentOf([...moments, ...spans.flatMap(({ from, to }) => [from, to])]) ?? { low: 0, high: 1 };
  const pad = series.some(({ draw }) => draw === 'bar') ? closest(moments) / 2 : 0;
  return low === high ? { from: low - HALF_A_DAY, to: high + HALF_A_DAY } : { from: low - pad, to: high + pad };
}

const HALF_A_DAY = 43_200_000;

export function closest(moments: readonly number[]): number {
  const sorted = [...new Set(moments)].toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((at, index) => at - (sorted[index] ?? at));
  return gaps.length === 0 ? 2 * HALF_A_DAY : gaps.reduce((least, gap) => Math.min(least, gap), Infinity);
}

export const heightOf = (value: number, { min, max }: Scale, { top, bottom }: PlotPanel): number =>
  bottom - ((value - min) / (max - min)) * (bottom - top);

/** Moves positions apart, in order, between `top` and `bottom` as far as possible. */
export function spread(
  heights: readonly number[],
  { room, top, bottom }: { room: number; top: number; bottom: number },
): readonly number[] {
  const order = heights.map((height, index) => ({ height, index })).toSorted((a, b) => a.height - b.height);
  let least = top;
  for (const one of order) {
    one.height = Math.max(one.height, least);
    least = one.height + room;
  }
  let most = bottom;
  for (const one of order.toReversed()) {
    one.height = Math.min(one.height, most);
    most = one.height - room;
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ height }) => height);
}
