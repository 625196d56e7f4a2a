/** This module keeps the last measured values in a watermark, and some of the day before. */
import { z } from 'zod';
import { DAY, HOUR } from '../base/clock.js';
import { instantSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Measurements } from './feed.js';

export interface Dated {
  readonly at: Instant;
}

/** Past points are 3 h apart and kept for 27 h. */
const APART = 3 * HOUR;
const KEPT = 27 * HOUR;
/** Points newer than this do not count as the value of a day before. */
const EARLIEST = HOUR;

/** Schema of what a watermark remembers. `updatedAt` is the service's newest date. */
export const rememberedSchema = <T extends Dated>(point: z.ZodType<T>) =>
  z.object({ updatedAt: instantSchema.optional(), last: point.optional(), past: z.array(point).readonly() });
export interface RememberedMeasurements<T extends Dated> {
  readonly updatedAt?: Instant | undefined;
  readonly last?: T | undefined;
  readonly past: readonly T[];
}

export interface MeasuredPoint<V> {
  readonly values: V;
  /** The service's date; ignored if it is after `at`. */
  readonly updatedAt: Instant | undefined;
  readonly at: Instant;
}

/** Returns the time of new values; undefined if they were measured already. Changed values under a known date get the arrival. */
export function momentOf<V>(before: RememberedMeasurements<V & Dated> | undefined, seen: MeasuredPoint<V>): Instant | undefined {
  const dated = datedBy(seen);
  const last = before?.last;
  if (last === undefined) return dated ?? seen.at;
  if (dated !== undefined && before?.updatedAt !== undefined) {
    if (dated < before.updatedAt) return undefined;
    if (dated === before.updatedAt && isSame(last, seen.values)) return undefined;
  }
  const moment = dated !== undefined && dated > last.at ? dated : seen.at;
  return moment > last.at ? moment : undefined;
}

/** A series; its id is the measurement's without the time. */
interface Series<F> {
  readonly id: string;
  readonly project: Slug;
  of(moment: Instant): Pick<Measurements<F>, 'values' | 'history' | 'facts'>;
}

/** Returns a measurement if the values are new, or the series in `same` if they were measured last. */
export function withMeasured<V, F>(
  before: RememberedMeasurements<V & Dated> | undefined,
  seen: MeasuredPoint<V>,
  { id, project, of }: Series<F>,
) {
  const at = momentOf(before, seen);
  if (at === undefined) return { watermark: before ?? { past: [] }, events: [], same: isFoundAgain(before, seen) ? [id] : [] };
  return { watermark: remember(before, seen, at), events: [], measurements: [{ id: `${id}/${at}`, project, at, ...of(at) }] };
}

/** Tells whether the response shows the last values again; false if it is older. */
function isFoundAgain<V>(before: RememberedMeasurements<V & Dated> | undefined, seen: MeasuredPoint<V>): boolean {
  const [dated, last] = [datedBy(seen), before?.last];
  const isOlder = dated !== undefined && before?.updatedAt !== undefined && dated < before.updatedAt;
  return last !== undefined && !isOlder && isSame(last, seen.values);
}

export function remember<V>(
  before: RememberedMeasurements<V & Dated> | undefined,
  seen: MeasuredPoint<V>,
  moment: Instant,
): RememberedMeasurements<V & Dated> {
  const last = { ...seen.values, at: moment };
  const past = (before?.past ?? []).filter(({ at }) => at > moment - KEPT);
  const newest = past.at(-1);
  return {
    updatedAt: datedBy(seen) ?? before?.updatedAt,
    last,
    past: newest === undefined || moment - newest.at >= APART ? [...past, last] : past,
  };
}

/** Returns the point closest to a day before; undefined if all points are less than an hour older. */
export function dayBefore<T extends Dated>(points: readonly T[], moment: Instant): T | undefined {
  const distance = ({ at }: T): number => Math.abs(moment - DAY - at);
  return points.filter(({ at }) => at <= moment - EARLIEST).toSorted((a, b) => distance(a) - distance(b) || a.at - b.at)[0];
}

const datedBy = ({ updatedAt, at }: MeasuredPoint<unknown>): Instant | undefined =>
  updatedAt !== undefined && updatedAt <= at ? updatedAt : undefined;

const isSame = <V>(last: V & Dated, values: V): boolean => textOf({ ...last, at: undefined }) === textOf(values);
const textOf = (values: unknown): string =>
  JSON.stringify(
    Object.entries(values ?? {})
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
