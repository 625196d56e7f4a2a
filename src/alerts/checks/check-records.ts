/**
 * How checks went, `check/<feed>/<subject>`: for `/why`, `/status` and the plan. Everybody reads them from memory; what only says that a check went as the
 * one before is written with the next flush, and a crash before it has that check made again.
 */
import { z } from 'zod';
import { DAY, HOUR } from '../../base/clock.js';
import { duration } from '../../domain/format.js';
import { measureSchema } from '../../domain/threshold-rule.js';
import { decimalSchema, instantSchema, type Instant } from '../../domain/scalars.js';
import type { Measurement, CheckResult } from '../../feeds/feed.js';
import { renameFields } from '../../store/rename-fields.js';
import type { Store } from '../../store/store.js';
import { absenceSchema } from '../watchlist/absence.js';
import { DEFAULT_AGE_HOURS } from '../watchlist/entry.js';
import { seriesOf } from '../evaluation/series.js';

const figuresSchema = z.object({
  /** Which figures they are, from look to look. */
  series: z.string(),
  /** What they are of, where a look reads several: a token's symbol. */
  name: z.string().optional(),
  at: instantSchema,
  /** When the last look that found it so was answered; absent: at its reading. */
  foundAt: instantSchema.optional(),
  values: z.partialRecord(measureSchema, decimalSchema),
});
/** What a look read of figures that rules are set on. */
export type LastMeasurement = z.infer<typeof figuresSchema>;

const checkSchema = z.object({
  feed: z.string(),
  subject: z.string(),
  /** When it was last tried, whatever came of it. */
  triedAt: instantSchema,
  okAt: instantSchema.optional(),
  /** Failures since the last look that succeeded, and what the last one said. */
  failures: z.int(),
  problem: z.string().optional(),
  /** When the first of those failures was. What the service does not have (404) is none. */
  failingSince: instantSchema.optional(),
  /** Of the last look that succeeded. */
  hidden: z.int(),
  broken: z.int(),
  complete: z.boolean(),
  /** The last look that brought news. */
  eventAt: instantSchema.optional(),
  /** The last time that it was not checked for long, since every chat that watches it was away. */
  gap: absenceSchema.optional(),
  /** Requests a look makes, on average over the last ones. */
  cost: z.number().optional(),
  /** How much news there was, each fading with time. */
  changes: z.number().optional(),
  /** What is under way there, for the plan. */
  priorityWindows: z
    .array(
      z.object({ kind: z.enum(['market', 'launch', 'vesting']), decisiveFrom: instantSchema.optional(), endsAt: instantSchema.optional() }),
    )
    .readonly()
    .optional(),
  /** The time before the first check, where it came late and the service dates nothing: what changed then was not seen. */
  missed: z.object({ from: instantSchema, to: instantSchema }).optional(),
  /** What was last read of figures. It is newer than what the queues remember, which are written less often. */
  measurements: z.array(figuresSchema).readonly().optional(),
});
/** Names in documents of version 1. */
const RENAMED = new Map([
  ['newsAt', 'eventAt'],
  ['figures', 'measurements'],
  ['stakes', 'priorityWindows'],
]);

export type CheckRecord = z.infer<typeof checkSchema>;

export interface CheckRecords {
  read(feed: string, subject: string): CheckRecord | undefined;
  all(): readonly CheckRecord[];
  /** `readings` are kept in memory, with their own past, until the same figures are read anew. Durable at once unless routine. */
  record(look: CheckRecord, measurements?: readonly Measurement[]): Promise<void>;
  /** Writes the records that are newer in memory. */
  flush(): Promise<void>;
  /** What was last read of figures since the start, by looks that read any. */
  measurements(feed: string, subject: string): readonly Measurement[];
  forget(feed: string, subject: string): Promise<void>;
}

/** What no look has read anew for so long (a token that was sold) is forgotten. */
const KEPT = 90 * DAY;

/** A record that cannot be read is left out: the next look writes a new one, and nothing else depends on it. */
export async function openCheckRecords(store: Store): Promise<CheckRecords> {
  const documents = store.collection({
    prefix: 'check',
    schema: checkSchema,
    version: 2,
    upgrade: (document) => renameFields(document, RENAMED),
  });
  const key = (feed: string, subject: string) => `${feed}/${subject}`;
  const checkRecords = new Map<string, CheckRecord>();
  for await (const { found } of documents.scan()) for (const [name, look] of found) checkRecords.set(name, look);
  const measurements = new Map<string, readonly Measurement[]>();
  const unwritten = new Set<string>();
  const write = async (name: string, look: CheckRecord): Promise<void> => {
    unwritten.delete(name);
    try {
      await documents.set(name, look);
    } catch (error) {
      if (checkRecords.has(name)) unwritten.add(name);
      throw error;
    }
  };
  return {
    measurements: (feed, subject) => measurements.get(key(feed, subject)) ?? [],
    read: (feed, subject) => checkRecords.get(key(feed, subject)),
    all: () => [...checkRecords.values()],
    async record(look, read) {
      const name = key(look.feed, look.subject);
      const before = checkRecords.get(name);
      checkRecords.set(name, look);
      if (read !== undefined && read.length > 0) {
        const known = (measurements.get(name) ?? []).filter(({ at }) => look.triedAt - at <= KEPT);
        measurements.set(name, renewed(known, read, seriesOf));
      }
      if (before !== undefined && isRoutine(before, look)) unwritten.add(name);
      else await write(name, look);
    },
    async flush() {
      const due = [...unwritten].flatMap((name) => {
        const look = checkRecords.get(name);
        return look === undefined ? [] : [write(name, look)];
      });
      const failed = (await Promise.allSettled(due)).find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    async forget(feed, subject) {
      checkRecords.delete(key(feed, subject));
      unwritten.delete(key(feed, subject));
      measurements.delete(key(feed, subject));
      await documents.delete(key(feed, subject));
    },
  };
}

/** Whether a check succeeded as the one before did: it says nothing new but its time and the values of the same figures. */
const isRoutine = (before: CheckRecord, after: CheckRecord): boolean =>
  before.okAt !== undefined && after.failures === 0 && lasting(before) === lasting(after);

/** What is not of a single check alone. */
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
  missed,
  measurements: figures = [],
}: CheckRecord): string {
  const series = figures.map((one) => one.series).toSorted();
  return JSON.stringify([failures, problem, failingSince, hidden, broken, complete, eventAt, gap, priorityWindows, missed, series]);
}

/** A check that should have run and waits for its turn. */
export interface OverdueCheck {
  /** Since when: for its first run, or for the next one. */
  readonly since: Instant;
  readonly neverRan: boolean;
}

/** Whether the service says it has nothing of this kind for this project (404): no failure, only nothing to see yet. */
export const isAbsent = ({ failures, problem }: Pick<CheckRecord, 'failures' | 'problem'>): boolean =>
  failures > 0 && problem === 'unknown';

/** For so long a time that was missed is named: as long as its events could have been alerted. */
const NAMED = DEFAULT_AGE_HOURS * HOUR;

/** The time a check missed: from `since`, where this is its first success and comes later than `patience`, or what is still named of an earlier one. */
export function missedBy(
  last: Pick<CheckRecord, 'missed'> | undefined,
  { triedAt, since, patience }: { readonly triedAt: Instant; readonly since: Instant | undefined; readonly patience: number },
): CheckRecord['missed'] {
  if (since !== undefined && triedAt - since > patience) return { from: since, to: triedAt };
  return last?.missed !== undefined && triedAt - last.missed.to < NAMED ? last.missed : undefined;
}

/** A gap or unreadable rows, as a sentence; undefined for a look that saw everything, or where none succeeded yet. */
export function gapOf({ feed, subject, okAt, hidden, broken, complete, missed }: CheckRecord): string | undefined {
  if (okAt === undefined) return undefined;
  const where = subject === 'all' ? feed : `${subject} ${feed}`;
  if (hidden > 0) return `${where}: your plan hides ${hidden} ${hidden === 1 ? 'row' : 'rows'}; news in them cannot be told`;
  if (broken > 0) return `${where}: ${broken} ${broken === 1 ? 'row' : 'rows'} could not be read; told when they can`;
  if (!complete) return `${where}: the service did not show every row it counts`;
  return (
    missed && `${where}: the first check ran ${duration(missed.to - missed.from)} after the watch began; changes before it were missed`
  );
}

/** Enough for every token of a wallet that anybody follows; the rest is known again with the next look. */
const MAX_SERIES = 100;

/** What a record keeps of readings: the figures without their past. What a look does not name is as it was: feeds tell figures only where they changed. */
export function lastMeasurements(
  measurements: readonly Measurement[],
  before: readonly LastMeasurement[] = [],
): readonly LastMeasurement[] {
  const read = measurements.map((measurement): LastMeasurement => {
    const { symbol } = measurement.event.facts;
    const name = measurement.event.wallet !== undefined && typeof symbol === 'string' ? { name: symbol } : {};
    return {
      series: seriesOf(measurement),
      ...name,
      at: measurement.at,
      foundAt: measurement.event.detectedAt,
      values: measurement.values,
    };
  });
  return renewed(before, read, ({ series }) => series).slice(0, MAX_SERIES);
}

/** Figures after a look that found these series as they were. */
export const withUnchanged = (
  figures: readonly LastMeasurement[],
  { same, at }: Pick<CheckResult, 'same' | 'at'>,
): readonly LastMeasurement[] => figures.map((one) => (same.includes(one.series) ? { ...one, foundAt: at } : one));

/** Those that were read anew, then the others. */
const renewed = <T>(before: readonly T[], read: readonly T[], series: (one: T) => string): readonly T[] => {
  const anew = new Map(read.map((one) => [series(one), one]));
  return [...anew.values(), ...before.filter((one) => !anew.has(series(one)))];
};
