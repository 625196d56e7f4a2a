/** The watermark of feeds with measures: the last emitted values and some of the day before. Its size is bounded. */
import { z } from 'zod';
import { DAY, HOUR } from '../base/clock.js';
import { instantSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Measurements } from './feed.js';

export interface Dated {
  readonly at: Instant;
}

/** Points are kept 3 hours apart, for 27 hours. */
const APART = 3 * HOUR;
const KEPT = 27 * HOUR;
/** Newer points are not used as an earlier value. */
const EARLIEST = HOUR;

/** `updatedAt` is the newest date of the service, `last` the point emitted last, `past` earlier points. */
export const rememberedSchema = <T extends Dated>(point: z.ZodType<T>) =>
  z.object({ updatedAt: instantSchema.optional(), last: point.optional(), past: z.array(point).readonly() });
export interface RememberedMeasurements<T extends Dated> {
  readonly updatedAt?: Instant | undefined;
  readonly last?: T | undefined;
  readonly past: readonly T[];
}

export interface MeasuredPoint<V> {
  readonly values: V;
  /** The service's date of the values. A date after `at` is ignored. */
  readonly updatedAt: Instant | undefined;
  /** When the response arrived. */
  readonly at: Instant;
}

/**
 * The moment of the values: the service's date, else the arrival. Values that differ under the same date (the price moves between two NAV
 * updates) count from their arrival. Undefined for values already emitted and for older ones.
 */
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

/** `id` is the series' id without the moment. */
interface Series<F> {
  readonly id: string;
  readonly project: Slug;
  of(moment: Instant): Pick<Measurements<F>, 'values' | 'history' | 'facts'>;
}

/** The check result for these values: measurements if they are new, else whether they are the ones emitted last. */
export function withMeasured<V, F>(
  before: RememberedMeasurements<V & Dated> | undefined,
  seen: MeasuredPoint<V>,
  { id, project, of }: Series<F>,
) {
  const at = momentOf(before, seen);
  if (at === undefined) return { watermark: before ?? { past: [] }, events: [], same: isFoundAgain(before, seen) ? [id] : [] };
  return { watermark: remember(before, seen, at), events: [], measurements: [{ id: `${id}/${at}`, project, at, ...of(at) }] };
}

/** Whether the values are those emitted last; false if the response is older. */
function isFoundAgain<V>(before: RememberedMeasurements<V & Dated> | undefined, seen: MeasuredPoint<V>): boolean {
  const [dated, last] = [datedBy(seen), before?.last];
  const isOlder = dated !== undefined && before?.updatedAt !== undefined && dated < before.updatedAt;
  return last !== undefined && !isOlder && isSame(last, seen.values);
}

/** The watermark after emitting the values of `moment`. */
export function remember<V>(
  before: RememberedMeasurements<V & Dated> | undefined,
  seen: MeasuredPoint<V>,
  moment: Instant,
): RememberedMeasurements<V & Dated> {
  const last = { ...seen.values, at: moment };
  const past = (before?.past ?? []).filter(({ at }) => at > moment - KEPT && at < moment);
  const newest = past.at(-1);
  return {
    updatedAt: datedBy(seen) ?? before?.updatedAt,
    last,
    past: newest === undefined || moment - newest.at >= APART ? [...past, last] : past,
  };
}

/** The point closest to one day before `moment`; undefined if all points are less than an hour older. */
export function dayBefore<T extends Dated>(points: readonly T[], moment: Instant): T | undefined {
  const distance = ({ at }: T): number => Math.abs(moment - DAY - at);
  return points.filter(({ at }) => at <= moment - EARLIEST).toSorted((a, b) => distance(a) - distance(b) || a.at - b.at)[0];
}

const datedBy = ({ updatedAt, at }: MeasuredPoint<unknown>): Instant | undefined =>
  updatedAt !== undefined && updatedAt <= at ? updatedAt : undefined;

/** Compares known values only. */
const isSame = <V>(last: V & Dated, values: V): boolean => textOf({ ...last, at: undefined }) === textOf(values);
const textOf = (values: unknown): string =>
  JSON.stringify(
    Object.entries(values ?? {})
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
