/** Finds the date of a response's data as stated in it (decision 14). */
import { DAY, later } from '../base/clock.js';
import { memoize } from '../base/bounded-cache.js';
import { never } from '../base/never.js';
import type { Instant } from '../domain/scalars.js';
import type { Dating } from './endpoint-row.js';
import { listsIn } from './field-reader.js';
import { maybe, moment } from './wire-values.js';

export interface Dates {
  readonly dated: Dating;
  readonly stated: readonly Instant[];
  readonly listed: readonly Instant[];
}

interface Source {
  readonly dated: Dating | undefined;
  readonly data: unknown;
  readonly meta: unknown;
  /** The rows of the response's list, if known. */
  readonly items?: readonly unknown[] | undefined;
}

export function datesOf({ dated = 'stated', data, meta, items }: Source): Dates {
  if (dated === 'record') return { dated, stated: [], listed: [] };
  return {
    dated,
    stated: [...nearestTimes(topOf(data), STATED, MAX_STATED_DEPTH), ...timesIn(meta, STATED)],
    listed: listedIn(dated, { data, items }).toSorted((a, b) => a - b),
  };
}

/** Returns the date of the data, never in the future. Undefined if not stated, and for a chart whose next point is not late. */
export function dataTime({ dated, stated, listed }: Dates, now: Instant): Instant | undefined {
  const past = (listed.at(-1) ?? now) <= now ? listed : listed.filter((at) => at <= now);
  return oldest([...stated, ...inList(dated, past, now)].filter((at) => at <= now));
}

const STATED = [
  ...['updatedAt', 'lastUpdated', 'lastUpdatedAt', 'lastUpdate', 'asOf', 'timestamp', 'snapshotAt', 'snapshotTime', 'computedAt'],
  ...['syncedAt', 'holdingsLastUpdate', 'walletValueLastUpdate'],
];
/** In a nested object this field is the date of an event. */
const OF_EVENT = 'timestamp';
/** These fields mark a record: its `updatedAt` is the time of an edit. */
const OF_RECORD = ['createdAt', 'created_at'];
const OF_ROW = ['updatedAt', 'syncedAt'];
const OF_POINT = ['timestamp', 'period', 'time', 'date', 'day'];

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

function topOf(data: unknown): unknown {
  let top = data;
  for (let depth = 0; depth < 4 && isTree(top); depth += 1) {
    const [only, ...others]: readonly unknown[] = Object.values(top);
    if (others.length > 0 || !isTree(only)) break;
    top = only;
  }
  return top;
}

function timesIn(value: unknown, names: readonly string[]): readonly Instant[] {
  if (!isTree(value)) return [];
  return names.flatMap((name) => time.parse(value[name]) ?? []);
}

const MAX_STATED_DEPTH = 3;
const MAX_ROW_DEPTH = 1;
const MAX_OBJECTS = 100;

/** Returns the times at the shallowest depth that has any. Skips lists. */
function nearestTimes(value: unknown, names: readonly string[], deepest: number): readonly Instant[] {
  const inside = names.filter((name) => name !== OF_EVENT);
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const found = level.flatMap((one) => timesIn(one, depth === 0 ? names : inside)).filter((at) => at > 0);
    if (found.length > 0) return found;
    level = level
      .filter(isTree)
      .flatMap((one) => Object.values(one).filter((field) => isTree(field) && !OF_RECORD.some((name) => name in field)))
      .slice(0, MAX_OBJECTS);
  }
  return [];
}

const time = maybe(moment);
const oldest = (all: readonly Instant[]): Instant | undefined => all.toSorted((a, b) => a - b)[0];

function listedIn(dated: Exclude<Dating, 'record'>, { data, items }: Pick<Source, 'data' | 'items'>): readonly Instant[] {
  switch (dated) {
    case 'stated':
      return [];
    case 'oldest-row':
    case 'newest-row':
      return endsOf(items ?? listsIn(data)[0]?.items ?? []).flatMap((row) => nearestTimes(row, OF_ROW, MAX_ROW_DEPTH));
    case 'points':
    case 'days':
      return pointsIn(items ?? data);
    default:
      return never(dated);
  }
}

/** Finds the date in a list. `past` is sorted, the oldest first. */
function inList(dated: Dating, past: readonly Instant[], now: Instant): readonly Instant[] {
  const found = (at: Instant | undefined): readonly Instant[] => (at === undefined ? [] : [at]);
  switch (dated) {
    case 'stated':
    case 'record':
      return [];
    case 'oldest-row':
      return found(past[0]);
    case 'newest-row':
      return found(past.at(-1));
    case 'points':
      return found(latePoint(past, now));
    case 'days':
      return found(lateDay(past, now));
    default:
      return never(dated);
  }
}

const MAX_END = 500;
const MAX_NODES = 20_000;
const endsOf = (items: readonly unknown[]): readonly unknown[] =>
  items.length <= 2 * MAX_END ? items : [...items.slice(0, MAX_END), ...items.slice(-MAX_END)];

const MAX_DEPTH = 6;

function pointsIn(data: unknown): readonly Instant[] {
  const moments = new Set<Instant>();
  let left = MAX_NODES;
  const visit = (value: unknown, depth: number, inAList: boolean): void => {
    left -= 1;
    if (depth > MAX_DEPTH || left < 0) return;
    if (Array.isArray(value)) for (const item of endsOf(value)) visit(item, depth + 1, true);
    else if (isTree(value)) {
      const name = inAList ? OF_POINT.find((one) => value[one] !== undefined) : undefined;
      const at = name === undefined ? undefined : time.parse(value[name]);
      if (at === undefined) for (const field of Object.values(value)) visit(field, depth + 1, false);
      else if (Object.entries(value).some(([field, one]) => field !== name && field !== 'interval' && one !== null)) moments.add(at);
    }
  };
  visit(data, 0, false);
  return [...moments];
}

/** Returns the median gap between points, in milliseconds. */
const rhythm = memoize((points: readonly Instant[]): number => {
  const gaps = points.slice(1).map((at, index) => at - (points[index] ?? at));
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
});

/** A chart is late when two points are missing, at the latest after two days. */
function latePoint(points: readonly Instant[], now: Instant): Instant | undefined {
  const last = points.at(-1);
  return last !== undefined && now - last >= 2 * Math.min(rhythm(points), DAY) ? last : undefined;
}

/** A daily series is late three days after its last day. Its data then dates from the end of that day. */
function lateDay(points: readonly Instant[], now: Instant): Instant | undefined {
  const last = points.at(-1);
  return last !== undefined && now - last >= 3 * DAY ? later(last, DAY) : undefined;
}
