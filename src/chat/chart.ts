/**
 * A picture as data: what is drawn, not how. A renderer turns it into SVG or PNG; plain text leaves it out, so whatever a picture shows is also
 * said in words.
 */
import { z } from 'zod';

/** How a value is written on an axis. */
const unitSchema = z.enum(['usd', 'percent', 'count', 'tokens']);
export type ChartUnit = z.infer<typeof unitSchema>;

/** `below` is a low panel of its own under the picture, on the same moments: for what has another unit and would mislead on a second scale. */
const axisSchema = z.enum(['left', 'right', 'below']);
export type ChartAxis = z.infer<typeof axisSchema>;

/** Values stand at moments (Unix milliseconds) or at categories by their place; null is a gap and stays one. */
const seriesSchema = z.object({
  name: z.string(),
  draw: z.enum(['line', 'area', 'bar', 'step']),
  unit: unitSchema,
  axis: axisSchema.default('left'),
  tone: z.enum(['main', 'second', 'up', 'down', 'quiet', 'third', 'fourth']).default('main'),
  points: z.array(z.tuple([z.number(), z.number().nullable()])).readonly(),
  /** Series of one stack are put on top of one another. */
  stack: z.string().optional(),
});
export type ChartSeries = z.infer<typeof seriesSchema>;

const xySchema = z.object({
  kind: z.literal('xy'),
  /** The finding in one line. */
  title: z.string(),
  subtitle: z.string().optional(),
  /** Absent: the x of a point is a moment. */
  categories: z.array(z.string()).readonly().optional(),
  series: z.array(seriesSchema).readonly(),
  /** The area between the first two series, coloured by which is above: up where the first is. */
  gap: z.boolean().default(false),
  /** What the two colours of the gap mean: "above NAV", "below NAV". */
  gapNames: z.object({ up: z.string(), down: z.string() }).optional(),
  /** What is counted, where the labels do not say it themselves: the token's symbol, "traders". */
  axisNames: z.object({ left: z.string(), right: z.string(), below: z.string(), x: z.string() }).partial().optional(),
  /** Stretches of time that mean something: a TWAP window. */
  spans: z
    .array(z.object({ name: z.string(), from: z.number(), to: z.number() }))
    .readonly()
    .default([]),
  /** Levels across the whole picture: a threshold. */
  levels: z
    .array(z.object({ name: z.string(), value: z.number(), axis: axisSchema.default('left') }))
    .readonly()
    .default([]),
  /** Single points with a word beside them: the low, the high. */
  marks: z
    .array(
      z.object({ name: z.string(), series: z.int(), at: z.number(), value: z.number(), side: z.enum(['above', 'below']).default('above') }),
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
  /** Parts of one whole; what is not above zero cannot be drawn and is left out. */
  parts: z.array(z.object({ name: z.string(), value: z.number() })).readonly(),
});
export type SharesChart = z.infer<typeof sharesSchema>;

export const chartSchema = z.discriminatedUnion('kind', [xySchema, sharesSchema]);
export type Chart = z.infer<typeof chartSchema>;
/** A picture as it is written, before its defaults are filled in. */
export type ChartDraft = z.input<typeof chartSchema>;
