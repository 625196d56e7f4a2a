/** This module stores results of checks as `check/<feed>/<subject>`. Routine results are written with the next flush. */
import { z } from 'zod';
import { DAY, HOUR } from '../../base/clock.js';
import { DATE_KINDS } from '../../domain/reminder.js';
import { pointSchema, type Point } from '../../domain/crossing.js';
import { duration } from '../../domain/format.js';
import { MEASURE_NAMES, type Measure } from '../../domain/measures.js';
import { measureSchema } from '../../domain/threshold-rule.js';
import { decimalSchema, instantSchema, slugSchema, type Instant } from '../../domain/scalars.js';
import type { Measurement, CheckResult } from '../../feeds/feed.js';
import { writeBehind } from '../../store/write-behind.js';
import type { Store } from '../../store/store.js';
import { absenceSchema } from '../watchlist/absence.js';
import { DEFAULT_AGE_HOURS } from '../watchlist/entry.js';

const figuresSchema = z.object({
  series: z.string(),
  name: z.string().optional(),
  at: instantSchema,
  foundAt: instantSchema.optional(),
  values: z.partialRecord(measureSchema, decimalSchema),
  /** Values of other kinds in the same response, which rules can join. */
  others: z.partialRecord(measureSchema, decimalSchema).optional(),
  /** The latest points of measures that `values` lacks. */
  earlier: z.partialRecord(measureSchema, pointSchema).optional(),
});
export type LastMeasurement = z.infer<typeof figuresSchema>;

const knownDateSchema = z.object({
  topic: z.string(),
  project: slugSchema.optional(),
  what: z.enum(DATE_KINDS),
  at: instantSchema,
  /** When the service last showed the date. */
  readAt: instantSchema,
  title: z.string(),
  facts: z.record(z.string(), z.unknown()),
});
/** A future date of which chats can be reminded. */
export type KnownDate = z.infer<typeof knownDateSchema>;

const checkSchema = z.object({
  feed: z.string(),
  subject: z.string(),
  triedAt: instantSchema,
  okAt: instantSchema.optional(),
  /** Failures since the last successful check. */
  failures: z.int(),
  problem: z.string().optional(),
  failingSince: instantSchema.optional(),
  hidden: z.int(),
  broken: z.int(),
  complete: z.boolean(),
  eventAt: instantSchema.optional(),
  /** The time without checks, because every watching chat was away. */
  gap: absenceSchema.optional(),
  cost: z.number().optional(),
  /** Count of changes; decays with time. */
  changes: z.number().optional(),
  priorityWindows: z
    .array(
      z.object({ kind: z.enum(['market', 'launch', 'vesting']), decisiveFrom: instantSchema.optional(), endsAt: instantSchema.optional() }),
    )
    .readonly()
    .optional(),
  dates: z.array(knownDateSchema).readonly().optional(),
  /** The time before a late first check of undated data, whose events are lost. */
  missed: z.object({ from: instantSchema, to: instantSchema }).optional(),
  measurements: z.array(figuresSchema).readonly().optional(),
  /**
   * Events of the check that began at `at` that were routed, though the watermark document still has them as pending (decision 37).
   */
  routed: z.object({ at: instantSchema, events: z.array(z.string()).readonly() }).optional(),
});

export type CheckRecord = z.infer<typeof checkSchema>;

export interface CheckRecords {
  read(feed: string, subject: string): CheckRecord | undefined;
  all(): readonly CheckRecord[];
  /** Stores a record at once, or with the next flush if the check was routine. Keeps `measurements` in memory. */
  record(record: CheckRecord, measurements?: readonly Measurement[]): Promise<void>;
  flush(): Promise<void>;
  /** Returns the measurements since the process started. */
  measurements(feed: string, subject: string): readonly Measurement[];
  forget(feed: string, subject: string): Promise<void>;
  revision(): number;
}

/** Time after which a series without new measurements (a sold token) is dropped. */
const KEPT = 90 * DAY;

/** Opens the records. Unreadable ones are skipped, because the next check replaces them. `settle` runs before each write of a record. */
export async function openCheckRecords(store: Store, settle: (key: string) => Promise<void> = async () => {}): Promise<CheckRecords> {
  const stored = store.collection({ prefix: 'check', schema: checkSchema, version: 1 });
  const set = async (name: string, record: CheckRecord): Promise<void> => {
    await settle(name);
    await stored.set(name, record);
  };
  const documents = writeBehind({ ...stored, set });
  const key = (feed: string, subject: string) => `${feed}/${subject}`;
  const checkRecords = new Map<string, CheckRecord>();
  for await (const { found } of documents.scan()) for (const [name, record] of found) checkRecords.set(name, record);
  const measurements = new Map<string, readonly Measurement[]>();
  let revision = 0;
  const write = async (name: string, record: CheckRecord): Promise<void> => {
    try {
      await documents.set(name, record);
    } catch (error) {
      const latest = checkRecords.get(name);
      if (latest !== undefined) documents.defer(name, latest);
      throw error;
    }
  };
  return {
    revision: () => revision,
    measurements: (feed, subject) => measurements.get(key(feed, subject)) ?? [],
    read: (feed, subject) => checkRecords.get(key(feed, subject)),
    all: () => [...checkRecords.values()],
    async record(record, read) {
      const name = key(record.feed, record.subject);
      const before = checkRecords.get(name);
      checkRecords.set(name, record);
      revision += 1;
      if (read !== undefined && read.length > 0) {
        const known = (measurements.get(name) ?? []).filter(({ at }) => record.triedAt - at <= KEPT);
        measurements.set(name, renewed(known, read, seriesOf));
      }
      if (before !== undefined && isRoutine(before, record)) documents.defer(name, record);
      else await write(name, record);
    },
    flush: async () => documents.flush(),
    async forget(feed, subject) {
      checkRecords.delete(key(feed, subject));
      revision += 1;
      measurements.delete(key(feed, subject));
      await documents.delete(key(feed, subject));
    },
  };
}

const isRoutine = (before: CheckRecord, after: CheckRecord): boolean =>
  before.okAt !== undefined && after.failures === 0 && lasting(before) === lasting(after);

function lasting({
  failures,
  problem,
  failingSince,
  hidden,
  broken,
  complete,
  eventAt,
  gap,
  priorityWindows,
  dates = [],
  missed,
  measurements: figures = [],
  routed,
}: CheckRecord): string {
  const series = figures.map((one) => one.series).toSorted();
  const ahead = dates.map(({ topic, what, at }) => [topic, what, at]);
  return JSON.stringify([
    ...[failures, problem, failingSince, hidden, broken, complete, eventAt, gap, priorityWindows, ahead, missed, series, routed],
  ]);
}

export interface OverdueCheck {
  readonly since: Instant;
  readonly neverRan: boolean;
}

/** Tells whether the service does not have the subject (404), which is not a failure. */
export const isAbsent = ({ failures, problem }: Pick<CheckRecord, 'failures' | 'problem'>): boolean =>
  failures > 0 && problem === 'unknown';

const NAMED = DEFAULT_AGE_HOURS * HOUR;

/**
 * Returns the time from `since` to a first success that came later than `patience` (ms), or else an earlier such gap that is still shown.
 */
export function missedBy(
  last: Pick<CheckRecord, 'missed'> | undefined,
  { triedAt, since, patience }: { readonly triedAt: Instant; readonly since: Instant | undefined; readonly patience: number },
): CheckRecord['missed'] {
  if (since !== undefined && triedAt - since > patience) return { from: since, to: triedAt };
  return last?.missed !== undefined && triedAt - last.missed.to < NAMED ? last.missed : undefined;
}

/** Says what a check did not read. Undefined if it was complete or has never succeeded. */
export function gapOf({ feed, subject, okAt, hidden, broken, complete, missed }: CheckRecord): string | undefined {
  if (okAt === undefined) return undefined;
  const where = subject === 'all' ? feed : `${subject} ${feed}`;
  if (hidden > 0) return `${where}: the data plan hides ${hidden} ${hidden === 1 ? 'row' : 'rows'}. Changes in them can't be detected`;
  if (broken > 0) return `${where}: ${broken} ${broken === 1 ? 'row' : 'rows'} couldn't be read. Alerts follow as soon as possible`;
  if (!complete) return `${where}: the service sent fewer rows than it counts`;
  return missed && `${where}: the first check ran ${duration(missed.to - missed.from)} late. Earlier changes were missed`;
}

const MAX_DATES = 40;

/** Tells whether the record has the maximum number of dates, so that later ones may be missing. */
export const isCut = ({ dates = [] }: Pick<CheckRecord, 'dates'>): boolean => dates.length >= MAX_DATES;

export interface DateOfCheck extends KnownDate {
  readonly feed: string;
  /** The check's record has the maximum number of dates, so later ones may be missing. */
  readonly isCut: boolean;
}

/** Returns the dates of all these checks, in order of the checks. */
export const datesOf = (records: readonly Pick<CheckRecord, 'feed' | 'dates'>[]): readonly DateOfCheck[] =>
  records.flatMap(({ feed, dates = [] }) => dates.map((date) => ({ ...date, feed, isCut: isCut({ dates }) })));

/** Returns the dates after a check. An incomplete snapshot may lack dates that still hold, so these stay with their old `readAt`. */
export function datesAhead(
  before: readonly KnownDate[] = [],
  { dates, at, complete, broken, hidden }: Pick<CheckResult, 'dates' | 'at' | 'complete' | 'broken' | 'hidden'>,
  now: Instant,
): readonly KnownDate[] {
  const isWhole = complete && broken === 0 && hidden === 0;
  const topics = new Set(dates.map(({ topic }) => topic));
  const kept = isWhole ? [] : before.filter(({ topic }) => !topics.has(topic));
  const read = dates.flatMap(({ project, at: date, ...about }): readonly KnownDate[] =>
    date === undefined ? [] : [{ ...about, at: date, readAt: at, ...(project === undefined ? {} : { project }) }],
  );
  return [...read, ...kept]
    .filter((date) => date.at > now)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_DATES);
}

const MAX_SERIES = 100;

export function lastMeasurements(
  measurements: readonly Measurement[],
  before: readonly LastMeasurement[] = [],
): readonly LastMeasurement[] {
  const known = new Map(before.map((one) => [one.series, one]));
  const read = measurements.map((measurement): LastMeasurement => {
    const { symbol, title } = measurement.event.facts;
    const name = measurement.event.wallet === undefined ? title : symbol;
    const series = seriesOf(measurement);
    const earlier = earlierValues(known.get(series), measurement);
    return {
      series,
      ...(typeof name === 'string' ? { name } : {}),
      at: measurement.at,
      foundAt: measurement.event.detectedAt,
      values: measurement.values,
      ...(measurement.others === undefined ? {} : { others: measurement.others }),
      ...(Object.keys(earlier).length === 0 ? {} : { earlier }),
    };
  });
  return renewed(before, read, ({ series }) => series).slice(0, MAX_SERIES);
}

function earlierValues(
  before: LastMeasurement | undefined,
  { values }: Pick<Measurement, 'values'>,
): Readonly<Partial<Record<Measure, Point>>> {
  const earlier: Partial<Record<Measure, Point>> = {};
  for (const measure of MEASURE_NAMES) {
    const point = values[measure] === undefined ? lastPoint(before, measure) : undefined;
    if (point !== undefined) earlier[measure] = point;
  }
  return earlier;
}

export function lastPoint(of: LastMeasurement | undefined, measure: Measure): Point | undefined {
  const value = of?.values[measure];
  return of === undefined || value === undefined ? of?.earlier?.[measure] : { at: of.at, value };
}

/** Returns every value that the response had. */
export const knownIn = ({ values, others }: Pick<Measurement, 'values' | 'others'>): Measurement['values'] => ({ ...others, ...values });

/** Returns measurements newer than the last of their series. A last one in the future was written before the clock was set back. */
export function newerThan(known: readonly LastMeasurement[], measurements: readonly Measurement[], now: Instant): readonly Measurement[] {
  const last = new Map(known.map(({ series, at }) => [series, at]));
  return measurements.filter((measurement) => {
    const at = last.get(seriesOf(measurement));
    return at === undefined || at > now || measurement.at > at;
  });
}

export const withUnchanged = (
  figures: readonly LastMeasurement[],
  { same, at }: Pick<CheckResult, 'same' | 'at'>,
): readonly LastMeasurement[] => figures.map((one) => (same.includes(one.series) ? { ...one, foundAt: at } : one));

const renewed = <T>(before: readonly T[], read: readonly T[], series: (one: T) => string): readonly T[] => {
  const updated = new Map(read.map((one) => [series(one), one]));
  return [...updated.values(), ...before.filter((one) => !updated.has(series(one)))];
};

/** Returns the series of a measurement, its event's id without the time: `premium/tide`, `wallet/<address>/<token>`. */
export const seriesOf = ({ event }: Pick<Measurement, 'event'>): string => event.id.slice(0, event.id.lastIndexOf('/'));
