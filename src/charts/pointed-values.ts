/** Makes the texts that a page shows for the value of a chart under the pointer. The drawing states where its points are. */
import { z } from 'zod';
import { DAY, instant } from '../base/clock.js';
import type { Chart, ChartSeries, XyChart } from '../chat/chart.js';
import { clockTime, date } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';
import { heightOf, sideOf } from './panels.js';
import { valueText } from './scale.js';

const band = z.tuple([z.number(), z.number()]);

/** Panels in pixels of the drawing; `low` is under the main one. `from` and `to` are the x of their left and right edges. */
const plotSchema = z.object({
  left: z.number(),
  right: z.number(),
  main: band.readonly(),
  low: band.readonly().optional(),
  from: z.number(),
  to: z.number(),
});
export type PlotPlace = z.infer<typeof plotSchema>;

const ATTRIBUTE = / data-plot='([^']*)'/u;

export const withPlot = (svg: string, plot: PlotPlace | undefined): string =>
  plot === undefined ? svg : svg.replace(/^<svg/u, `<svg data-plot='${JSON.stringify(plot)}'`);

/** Reads the panels of a picture; undefined for one without axes. */
export const plotIn = (svg: string): PlotPlace | undefined => {
  const found = ATTRIBUTE.exec(svg)?.[1];
  return found === undefined ? undefined : plotSchema.parse(JSON.parse(found));
};

export interface PointedValue {
  readonly name: string;
  readonly text: string;
  readonly tone: ChartSeries['tone'];
  /** The value is in pixels. Absent if a value has no point, as in a stack. */
  readonly y?: number | undefined;
}

export interface PointedPlace {
  readonly x: number;
  readonly when: string;
  readonly values: readonly PointedValue[];
}

export interface PointedChart {
  readonly top: number;
  readonly bottom: number;
  readonly places: readonly PointedPlace[];
}

/** Returns the values from left to right; undefined for a chart without axes. */
export function pointedValues(chart: Chart, plot: PlotPlace | undefined, now: Instant): PointedChart | undefined {
  if (chart.kind !== 'xy' || plot === undefined) return undefined;
  const { series, categories } = chart;
  const moments = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].toSorted((a, b) => a - b);
  const [first = 0] = moments;
  // A daily series may have any time of day. Only its last value may be of the current moment.
  const isDaily = moments.length > 2 && moments.slice(0, -1).every((at) => (at - first) % DAY === 0);
  const values = series.map(({ points }) => new Map(points));
  const ys = series.map((one) => placeOf(one, chart, plot));
  const nameOf = (at: number): string => {
    if (categories !== undefined) return categories[at] ?? '';
    return isDaily && (at - first) % DAY === 0 ? date(instant(at), now) : clockTime(instant(at), now, chart.zone);
  };
  const places = moments.map((at) => ({
    x: Math.round(plot.left + ((at - plot.from) / (plot.to - plot.from)) * (plot.right - plot.left)),
    when: nameOf(at),
    values: series.flatMap(({ name, unit, tone }, index): readonly PointedValue[] => {
      const value = values[index]?.get(at);
      if (value === undefined) return [];
      if (value === null) return [{ name, text: 'n/a', tone }];
      return [{ name, text: valueText(unit, value), tone, y: ys[index]?.(value) }];
    }),
  }));
  return { top: plot.main[0], bottom: (plot.low ?? plot.main)[1], places };
}

/** Returns where a series has its points. Bars and parts of a stack have none. If all series are in the low panel, the chart has one panel. */
function placeOf({ axis, draw, stack }: ChartSeries, chart: XyChart, { main, low }: PlotPlace): (value: number) => number | undefined {
  const side = sideOf(axis, chart);
  const panel = axis === 'below' ? low : main;
  if (side === undefined || panel === undefined || stack !== undefined || draw === 'bar') return () => undefined;
  const [top, bottom] = panel;
  return (value) => Math.round(heightOf(value, side.scale, { left: 0, right: 0, top, bottom }));
}
