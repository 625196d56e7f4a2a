/** This module keeps the ids of seen rows, so that a row listed late with a lower id is an event. */
import { z } from 'zod';
import { DAY, MINUTE } from '../base/clock.js';
import { instantSchema, type Instant } from '../domain/scalars.js';
import { correctedAgain, isCorrectionDue, keptRestatements, restatementsSchema, versionOf } from './restatements.js';

const ledgerRowSchema = z.object({ id: z.string(), at: instantSchema });
type LedgerRow = z.infer<typeof ledgerRowSchema>;

interface PackedRows {
  /** A number is the difference from the last numeric id. */
  readonly ids: readonly (number | string)[];
  /** Milliseconds since the previous date. */
  readonly dates: readonly number[];
}

/** Ids that are exact as numbers, and so are their differences: no leading zeros, at most 15 digits. */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/u;

type StoredRows = PackedRows | readonly LedgerRow[];

/** Packs rows. They are stored unpacked if a difference would not be exact. */
export function packed(rows: readonly LedgerRow[]): StoredRows {
  let lastId = 0;
  let lastAt = 0;
  const ids: (number | string)[] = [];
  const dates: number[] = [];
  for (const { id, at } of rows) {
    const number = NUMBER.test(id) ? Number(id) : undefined;
    ids.push(number === undefined ? id : number - lastId);
    lastId = number ?? lastId;
    dates.push(at - lastAt);
    lastAt = at;
  }
  return dates.every(Number.isSafeInteger) ? { ids, dates } : rows;
}

function unpacked({ ids, dates }: PackedRows): readonly { readonly id: string; readonly at: number }[] {
  let lastId = 0;
  let lastAt = 0;
  return ids.map((id, index) => {
    if (typeof id === 'number') lastId += id;
    lastAt += dates[index] ?? 0;
    return { id: typeof id === 'number' ? String(lastId) : id, at: lastAt };
  });
}

/** Rows as `packed` stores them. */
export const storedRowsSchema = z.union([
  z.array(ledgerRowSchema).readonly(),
  z
    .object({ ids: z.array(z.union([z.int(), z.string()])).readonly(), dates: z.array(z.int()).readonly() })
    .refine(({ ids, dates }) => ids.length === dates.length)
    .transform(unpacked)
    .pipe(z.array(ledgerRowSchema).readonly()),
]);

/** Maximum number of rows kept. Rows older than the dropped ones count as seen. */
export const WINDOW = 3_000;

type Row = LedgerRow;

export const windowSchema = z.object({
  seen: storedRowsSchema,
  /** The newest date that was dropped. */
  floor: instantSchema.optional(),
  /** Number of complete lists in which a row was missing, by id. After two it is reported. */
  missing: z.record(z.string(), z.int()).optional(),
  /** Corrections of recent rows, by id. */
  restated: restatementsSchema.optional(),
});
export type IdWindow = z.infer<typeof windowSchema>;

export const storedWindow = ({ seen, ...rest }: IdWindow): Omit<IdWindow, 'seen'> & { readonly seen: StoredRows } => ({
  ...rest,
  seen: packed(seen),
});

/** Returns unseen rows, each once, oldest first, and the window after them. */
export function slide<R extends Row>(
  before: IdWindow | undefined,
  rows: readonly R[],
): { readonly window: { readonly seen: readonly Row[]; readonly floor?: Instant | undefined }; readonly fresh: readonly R[] } {
  const seenIds = new Set(before?.seen.map((one) => one.id));
  const floor = before?.floor;
  const once = new Map(rows.toReversed().map((row) => [row.id, row]));
  const fresh = [...once.values()].filter((row) => !seenIds.has(row.id) && (floor === undefined || row.at > floor));
  const all = [...(before?.seen ?? []), ...fresh.map(({ id, at }) => ({ id, at }))].toSorted((a, b) => inOrder(b, a));
  const dropped = all[WINDOW];
  const window = dropped ? { seen: all.slice(0, WINDOW), floor: dropped.at } : { seen: all, floor };
  return { window, fresh: fresh.toSorted(inOrder) };
}

/** Age above which rows are not corrected. */
const RECENT = 10 * DAY;
const REPORTED = 2;

export interface LedgerCorrection {
  readonly id: string;
  /** Equal for equal corrections. */
  readonly version: string;
  /** Absent if the row is no longer listed. */
  readonly dates?: { readonly was: Instant; readonly now: Instant };
}

export interface WholeCheck {
  readonly at: Instant;
  /** Every row was listed and read. */
  readonly isWhole: boolean;
}

/** Returns recent rows that have a new date, or are missing in a second complete list. */
export function corrected(
  before: IdWindow | undefined,
  rows: readonly Row[],
  { at, isWhole }: WholeCheck,
): { readonly corrections: readonly LedgerCorrection[] } & Pick<IdWindow, 'seen' | 'missing' | 'restated'> {
  const listed = new Map(rows.map((row) => [row.id, row.at]));
  const recent = (before?.seen ?? []).filter((row) => row.at >= at - RECENT);
  const restated = new Map(Object.entries(before?.restated ?? {}));
  const redated = recent.flatMap((row) => {
    const [now, last] = [listed.get(row.id), restated.get(row.id)];
    if (now === undefined || isSameMinute(now, row.at) || !isCorrectionDue(last, at)) return [];
    restated.set(row.id, correctedAgain(last, at));
    return [{ id: row.id, version: versionOf(`dated ${row.at}>${now}`, last), dates: { was: row.at, now } }];
  });
  const dates = new Map(redated.map((one) => [one.id, one.dates.now]));
  const recentIds = new Set(recent.map(({ id }) => id));
  const absent = recent.filter(({ id }) => !listed.has(id)).map(({ id }) => id);
  const counts = before?.missing ?? {};
  const isCounted = isWhole && rows.length > 0;
  const missing = absent.flatMap((id) => {
    const count = Math.min(REPORTED + 1, (counts[id] ?? 0) + (isCounted ? 1 : 0));
    return count === 0 ? [] : [[id, count] as const];
  });
  const vanished = missing
    .filter(([id, count]) => count === REPORTED && (counts[id] ?? 0) < REPORTED)
    .map(([id]) => ({ id, version: 'vanished' }));
  return {
    corrections: [...redated, ...vanished],
    seen: (before?.seen ?? []).map((row) => ({ ...row, at: dates.get(row.id) ?? row.at })),
    missing: missing.length === 0 ? undefined : Object.fromEntries(missing),
    restated: keptRestatements(restated, (id) => recentIds.has(id)),
  };
}

/** Tells whether two dates look the same, because corrections show minutes. The reported date stays, so small changes add up. */
const isSameMinute = (a: Instant, b: Instant): boolean => Math.floor(a / MINUTE) === Math.floor(b / MINUTE);

const inOrder = (a: Row, b: Row): number => a.at - b.at || a.id.localeCompare(b.id, 'en', { numeric: true });
