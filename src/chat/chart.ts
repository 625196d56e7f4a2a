/** Describes charts as data, and the port that draws them. Plain text leaves charts out. */
import { z } from 'zod';
import { DAY } from '../base/clock.js';
import { isZero } from '../domain/decimal.js';
import { MEASURES, thresholdOf, type Measure, type Unit } from '../domain/measures.js';
import { lineWords, type LineRule, type ThresholdRule } from '../domain/threshold-rule.js';

const unitSchema = z.enum(['usd', 'percent', 'points', 'count', 'tokens']);
export type ChartUnit = z.infer<typeof unitSchema>;

/** The `below` axis is a low panel under the main one, for another unit. */
const axisSchema = z.enum(['left', 'right', 'below']);
export type ChartAxis = z.infer<typeof axisSchema>;

const chartToneSchema = z.enum(['main', 'second', 'up', 'down', 'quiet', 'third', 'fourth']);

/** A point is [Unix milliseconds or category index, value]; a null value is a gap. */
type Points = readonly (readonly [at: number, value: number | null])[];

const isPoint = (one: unknown): boolean =>
  Array.isArray(one) && one.length === 2 && Number.isFinite(one[0]) && (one[1] === null || Number.isFinite(one[1]));

/** Checked by one function, because a schema for each of hundreds of points takes longer than the rest of a reply. */
const pointsSchema = z.custom<Points>((value) => Array.isArray(value) && value.every(isPoint), 'expected points');

const seriesSchema = z.object({
  name: z.string(),
  draw: z.enum(['line', 'area', 'bar', 'step']),
  unit: unitSchema,
  axis: axisSchema.default('left'),
  tone: chartToneSchema.default('main'),
  points: pointsSchema,
  /** Series with the same name are stacked. */
  stack: z.string().optional(),
});
export type ChartSeries = z.infer<typeof seriesSchema>;

const xySchema = z.object({
  kind: z.literal('xy'),
  /** Set for a picture beside a text that says more, so it takes less of the screen. */
  isLow: z.literal(true).optional(),
  /** The finding in one line. */
  title: z.string(),
  subtitle: z.string().optional(),
  /** The categories of the x axis; if absent, x is a moment. */
  categories: z.array(z.string()).readonly().optional(),
  /** The IANA timezone of the times of day on the x axis, by default UTC. */
  zone: z.string().optional(),
  series: z.array(seriesSchema).readonly(),
  /** True to shade the area between the first two series. */
  gap: z.boolean().default(false),
  gapNames: z.object({ up: z.string(), down: z.string() }).optional(),
  /** Names of axes, such as "traders", where the labels do not show the unit. */
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
        /** The label; with an empty name only the dot is drawn. */
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

/** Rows of bars. Each bar spans from its own low to its own high, so rows of very different sizes can be compared. */
const rangesSchema = z.object({
  kind: z.literal('ranges'),
  title: z.string(),
  subtitle: z.string().optional(),
  /** The alternative text with the values, by default the title. */
  alternative: z.string().optional(),
  unit: unitSchema,
  rows: z
    .array(
      z.object({
        name: z.string(),
        /** A note after the name, such as "60D". */
        note: z.string().optional(),
        low: z.number(),
        high: z.number(),
        value: z.number(),
        /** The earlier value. The change from it to the value is drawn. */
        before: z.number().optional(),
      }),
    )
    .readonly(),
  /** The value at which bars have a tick. Values below and above it have different colours. */
  middle: z.number().optional(),
  /** A sentence about the rows that were left out. */
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

/** A longer axis shows days only, so that one picture serves chats of all timezones. */
const MAX_CLOCK_AXIS = 20 * DAY;

export function chartInZone(chart: Chart, zone: string | undefined): Chart {
  if (zone === undefined || chart.kind !== 'xy' || chart.categories !== undefined) return chart;
  const moments = chart.series.flatMap(({ points }) => points.map(([at]) => at));
  const [first, last] = moments.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, -Infinity]);
  return last - first > MAX_CLOCK_AXIS ? chart : { ...chart, zone };
}

/** Returns the text for people who cannot see the picture. */
export const alternativeText = (chart: Chart): string => (chart.kind === 'ranges' ? (chart.alternative ?? chart.title) : chart.title);

/** The most points of a series: as many as a PNG has pixels across. */
const MAX_POINTS = 1_600;

/** Reduces the points of a chart. Keeps both ends, and each interval's lowest and highest value and first gap. */
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
  // Each series keeps two points per interval within the limit, and gaps besides.
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

type XyDraft = Extract<ChartDraft, { kind: 'xy' }>;

export const chartUnitOf = (measure: Measure): ChartUnit => UNITS[unitOf(measure)];

/** Names the axis if the labels do not show the unit. */
export const axisNamesOf = (measure: Measure): Pick<XyDraft, 'axisNames'> =>
  unitOf(measure) === 'months' ? { axisNames: { left: 'months' } } : {};

/** Returns a line for each rule that has a threshold. */
export const thresholdLevels = (rules: readonly ThresholdRule[]): NonNullable<XyDraft['levels']> =>
  rules.flatMap((rule) => ('threshold' in rule ? [{ name: levelName(rule), value: Number(rule.threshold) }] : []));

const levelName = (rule: LineRule): string => {
  const { zero } = thresholdOf(rule.measure);
  return isZero(rule.threshold) && zero !== undefined ? zero.name : `threshold ${lineWords(rule.measure, rule.threshold)}`;
};

const unitOf = (measure: Measure): Unit => MEASURES[measure].threshold?.unit ?? MEASURES[measure].move.unit;

const UNITS: Readonly<Record<Unit, ChartUnit>> = {
  $: 'usd',
  '%': 'percent',
  points: 'points',
  months: 'count',
  days: 'count',
  places: 'count',
  '': 'count',
};

export type Theme = 'light' | 'dark';

/** A PNG and its alternative text. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly title: string;
}

/** Draws charts. Both methods are deterministic and reject if the chart cannot be drawn. */
export interface Pictures {
  /** Draws a standalone document, safe to embed in a page. */
  svg(chart: Chart, theme: Theme): Promise<string>;
  png(chart: Chart, theme: Theme): Promise<Uint8Array>;
  /** Tells whether no picture was drawn yet; the first one takes seconds. */
  isCold?(): boolean;
}
