/**
 * What is remembered of figures that have no events of their own: when they were read last, and what they were about a day ago. The mark grows with
 * no history, however long something is watched.
 */
import { z } from 'zod';
import { DAY, HOUR } from '../base/clock.js';
import { instantSchema, type Instant, type Slug } from '../domain/scalars.js';
import type { Measurements } from './feed.js';

/** Figures at a moment. */
export interface Dated {
  readonly at: Instant;
}

/** So far apart are the figures that are kept, and for so long. */
const APART = 3 * HOUR;
const KEPT = 27 * HOUR;
/** Figures that are nearer than this say nothing of how it was before. */
const EARLIEST = HOUR;

/** What a mark holds: `updatedAt` is the newest date that the service gave, `last` what was emitted last, `past` some of what was before. */
export const rememberedSchema = <T extends Dated>(point: z.ZodType<T>) =>
  z.object({ updatedAt: instantSchema.optional(), last: point.optional(), past: z.array(point).readonly() });
export interface RememberedMeasurements<T extends Dated> {
  readonly updatedAt?: Instant | undefined;
  readonly last?: T | undefined;
  readonly past: readonly T[];
}

/** What a look read. */
export interface MeasuredPoint<V> {
  readonly values: V;
  /** The service's own date of them. One that lies ahead of the answer says nothing. */
  readonly updatedAt: Instant | undefined;
  /** When the answer arrived. */
  readonly at: Instant;
}

/**
 * When these figures held: at the service's own date, else when they arrived. What is dated as before and yet differs (a price moves while NAV is
 * not worked out anew) holds since it arrived. Undefined for what was read already, and for what is older than that.
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

/** Which figures they are: `id` is theirs without the moment; `of` says what they come to at the moment they held. */
interface Series<F> {
  readonly id: string;
  readonly project: Slug;
  of(moment: Instant): Pick<Measurements<F>, 'values' | 'history' | 'facts'>;
}

/** What comes of a look at figures: those of its moment; or none, and whether it found those that were emitted last. */
export function withMeasured<V, F>(
  before: RememberedMeasurements<V & Dated> | undefined,
  seen: MeasuredPoint<V>,
  { id, project, of }: Series<F>,
) {
  const at = momentOf(before, seen);
  if (at === undefined) return { watermark: before ?? { past: [] }, events: [], same: isFoundAgain(before, seen) ? [id] : [] };
  return { watermark: remember(before, seen, at), events: [], measurements: [{ id: `${id}/${at}`, project, at, ...of(at) }] };
}

/** Whether a look without a moment of its own found what was emitted last; else it read something older, which says nothing. */
function isFoundAgain<V>(before: RememberedMeasurements<V & Dated> | undefined, seen: MeasuredPoint<V>): boolean {
  const [dated, last] = [datedBy(seen), before?.last];
  const isOlder = dated !== undefined && before?.updatedAt !== undefined && dated < before.updatedAt;
  return last !== undefined && !isOlder && isSame(last, seen.values);
}

/** What is remembered once the figures of `moment` are emitted. */
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

/** Of some figures those that held nearest to a day before `moment`; none where all of them are of the hour before it. */
export function dayBefore<T extends Dated>(points: readonly T[], moment: Instant): T | undefined {
  const distance = ({ at }: T): number => Math.abs(moment - DAY - at);
  return points.filter(({ at }) => at <= moment - EARLIEST).toSorted((a, b) => distance(a) - distance(b) || a.at - b.at)[0];
}

const datedBy = ({ updatedAt, at }: MeasuredPoint<unknown>): Instant | undefined =>
  updatedAt !== undefined && updatedAt <= at ? updatedAt : undefined;

/** Whether the values say what `last` said; what is not known is left out of the text. */
const isSame = <V>(last: V & Dated, values: V): boolean => textOf({ ...last, at: undefined }) === textOf(values);
const textOf = (values: unknown): string =>
  JSON.stringify(
    Object.entries(values ?? {})
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
