/** A chart is data. Plain text omits it. */
import { z } from 'zod';
import { DAY } from '../base/clock.js';

const unitSchema = z.enum(['usd', 'percent', 'count', 'tokens']);
export type ChartUnit = z.infer<typeof unitSchema>;

/** An axis `below` has a low panel under the main one, for another unit. */
const axisSchema = z.enum(['left', 'right', 'below']);
export type ChartAxis = z.infer<typeof axisSchema>;

const chartToneSchema = z.enum(['main', 'second', 'up', 'down', 'quiet', 'third', 'fourth']);

/** A point is [Unix milliseconds or category index, value], and null is a gap. */
const seriesSchema = z.object({
  name: z.string(),
  draw: z.enum(['line', 'area', 'bar', 'step']),
  unit: unitSchema,
  axis: axisSchema.default('left'),
  tone: chartToneSchema.default('main'),
  points: z.array(z.tuple([z.number(), z.number().nullable()])).readonly(),
  /** Series with the same name are stacked. */
  stack: z.string().optional(),
});
export type ChartSeries = z.infer<typeof seriesSchema>;

const xySchema = z.object({
  kind: z.literal('xy'),
  /** The title states the finding in one line. */
  title: z.string(),
  subtitle: z.string().optional(),
  /** Where it is absent, x is a moment. */
  categories: z.array(z.string()).readonly().optional(),
  /** It is the IANA timezone of the times of day on the x axis, by default UTC. */
  zone: z.string().optional(),
  series: z.array(seriesSchema).readonly(),
  /** It shades the area between the first two series. */
  gap: z.boolean().default(false),
  gapNames: z.object({ up: z.string(), down: z.string() }).optional(),
  /** An axis has a name, such as "traders", if its labels lack it. */
  axisNames: z.object({ left: z.string(), right: z.string(), below: z.string(), x: z.string() }).partial().optional(),
  spans: z
    .array(z.object({ name: z.string(), from: z.number(), to: z.number() }))
    .readonly()
    .default([]),
  levels: z
    .array(z.object({ name: z.string(), value: z.number(), axis: axisSchema.default('left') }))
    .readonly()
    .default([]),
  marks: z
    .array(
      z.object({
        /** An empty name leaves a dot alone. */
        name: z.string(),
        series: z.int(),
        at: z.number(),
        value: z.number(),
        side: z.enum(['above', 'below']).default('above'),
        tone: chartToneSchema.optional(),
      }),
    )
    .readonly()
    .default([]),
});
export type XyChart = z.infer<typeof xySchema>;

const sharesSchema = z.object({
  kind: z.literal('shares'),
  title: z.string(),
  subtitle: z.string().optional(),
  unit: unitSchema,
  /** Values that are not positive are left out. */
  parts: z.array(z.object({ name: z.string(), value: z.number() })).readonly(),
});
export type SharesChart = z.infer<typeof sharesSchema>;

/** Each row is a bar from its own low to its own high, so rows of very different sizes can be compared. */
const rangesSchema = z.object({
  kind: z.literal('ranges'),
  title: z.string(),
  subtitle: z.string().optional(),
  /** It has the values in words, by default the title. */
  alternative: z.string().optional(),
  unit: unitSchema,
  rows: z
    .array(
      z.object({
        name: z.string(),
        /** It stands behind the name, such as "60D". */
        note: z.string().optional(),
        low: z.number(),
        high: z.number(),
        value: z.number(),
        /** The way from here to the value is drawn. */
        before: z.number().optional(),
      }),
    )
    .readonly(),
  /** Bars that contain this value have a tick there. Values below and above it have different colours. */
  middle: z.number().optional(),
  /** It says which rows were left out. */
  foot: z.string().optional(),
  items: z
    .object({
      title: z.string(),
      rows: z.array(z.object({ name: z.string(), value: z.string(), tone: chartToneSchema, note: z.string() })).readonly(),
    })
    .optional(),
});
export type RangesChart = z.infer<typeof rangesSchema>;

export const chartSchema = z.discriminatedUnion('kind', [xySchema, sharesSchema, rangesSchema]);
export type Chart = z.infer<typeof chartSchema>;
/** A draft is a chart before its defaults are filled in. */
export type ChartDraft = z.input<typeof chartSchema>;

/** A longer axis shows days only, and one picture serves chats of all timezones. */
const MAX_CLOCK_AXIS = 20 * DAY;

export function chartInZone(chart: Chart, zone: string | undefined): Chart {
  if (zone === undefined || chart.kind !== 'xy' || chart.categories !== undefined) return chart;
  const moments = chart.series.flatMap(({ points }) => points.map(([at]) => at));
  const [first, last] = moments.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, -Infinity]);
  return last - first > MAX_CLOCK_AXIS ? chart : { ...chart, zone };
}

/** It is for people who cannot see the picture. */
export const alternativeText = (chart: Chart): string => (chart.kind === 'ranges' ? (chart.alternative ?? chart.title) : chart.title);
