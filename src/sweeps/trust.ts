/** This module decides how far a list is trusted for a kind, and which subjects must be checked by themselves. It is pure. */
import { z } from 'zod';
import { isApart, isApartBy } from '../domain/decimal.js';
import { defaultHysteresis, MEASURES, THRESHOLD_MEASURES, type Measure } from '../domain/measures.js';
import { decimal, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';
import { THRESHOLD_STAGE, type Feed } from '../feeds/feed.js';
import { listedBaseSchema, type ListedBase } from '../feeds/listed.js';

const subjectSchema = z.object({
  base: listedBaseSchema,
  /** The last sweep that showed something usable of the subject; absent if none has since it is checked. */
  seenAt: instantSchema.optional(),
  /** The list showed a change that is not confirmed yet. */
  called: z.object({ at: instantSchema, because: z.string(), needsHistory: z.boolean().optional() }).optional(),
  /** Calls in a row that no check confirmed. */
  falseCalls: z.int().min(0),
  /** Sweeps to come that do not call for the subject again. */
  pause: z.int().min(0),
  /** Checks that agreed with the list since it was last wrong; absent if it never was. */
  since: z.object({ agreed: z.int().min(0) }).optional(),
});
export type SweptSubject = z.infer<typeof subjectSchema>;

/** What is known of one kind from its list. */
export const sweptSchema = z.object({
  /** How often confirmed values agreed with the list, by measure or `events`. Older comparisons fade. */
  fields: z.record(z.string(), z.object({ agreed: z.number(), differed: z.number() })),
  subjects: z.record(z.string(), subjectSchema),
});
export type Swept = z.infer<typeof sweptSchema>;
export const NOTHING_SWEPT: Swept = { fields: {}, subjects: {} };

const MAX_TRUST = 0.98;
const MAX_COUNTED = 100;
/** Checks that must agree before a list that was wrong is trusted again. */
const MIN_AGREED = 2;
/** Maximum number of sweeps before a false call is repeated. */
const MAX_PAUSE = 32;

const UNKNOWN = { agreed: 0, differed: 0 };

/** Before anything was compared, a list is trusted as if three of four values had agreed. */
const PRIOR = { agreed: 3, differed: 1 };

/** Returns the trust in a list: the rule of succession with `PRIOR`, for the field that agreed least. */
export const trustOf = ({ fields }: Pick<Swept, 'fields'>, told: readonly string[]): number =>
  Math.min(
    MAX_TRUST,
    ...told.map((field) => {
      const { agreed, differed } = fields[field] ?? UNKNOWN;
      return (agreed + PRIOR.agreed) / (agreed + differed + PRIOR.agreed + PRIOR.differed);
    }),
  );

export const isBelieved = ({ since }: Pick<SweptSubject, 'since'>): boolean => since === undefined || since.agreed >= MIN_AGREED;

/**
 * Returns what was stored without the calls that a check has answered, which a crash may have kept. An old call would keep the list from
 * calling for later changes. The base stays, so that the next sweep calls for what has changed since.
 */
export function afterStart(stored: Swept, checkedAt: (subject: string) => Instant | undefined): Swept {
  const subjects = Object.entries(stored.subjects).map(([subject, { called, ...rest }]): [string, SweptSubject] => {
    const isAnswered = called !== undefined && called.at <= (checkedAt(subject) ?? -Infinity);
    return [subject, { ...rest, ...(called && !isAnswered && { called }) }];
  });
  return { ...stored, subjects: Object.fromEntries(subjects) };
}

export interface SweptView {
  readonly base: ListedBase;
  /** Why the subject's own endpoints must be read. */
  readonly because: string | undefined;
  readonly needsHistory?: boolean;
}

/** Returns what is known after a sweep at `at`, given the list's view of each subject. Subjects that are no longer checked are dropped. */
export function afterSweep(
  before: Swept,
  { at, views, subjects }: { at: Instant; views: ReadonlyMap<string, SweptView>; subjects: readonly string[] },
): Swept {
  const after: Record<string, SweptSubject> = {};
  for (const subject of subjects) {
    const then = before.subjects[subject];
    const view = views.get(subject);
    if (view === undefined) {
      if (then !== undefined) after[subject] = then;
      continue;
    }
    const { base, falseCalls, pause, called, since }: SweptSubject = then ?? { base: view.base, falseCalls: 0, pause: 0 };
    const call =
      called ??
      (view.because === undefined || pause > 0
        ? undefined
        : { at, because: view.because, ...(view.needsHistory === true && { needsHistory: true }) });
    after[subject] = {
      // Fields that the list did not show when the subject was checked begin with this sweep.
      base: { ...view.base, ...base },
      seenAt: at,
      falseCalls,
      pause: Math.max(0, pause - 1),
      ...(call && { called: call }),
      ...(since && { since }),
    };
  }
  return { fields: before.fields, subjects: after };
}

export interface Confirmed {
  readonly subject: string;
  readonly triedAt: Instant;
  /** What the list shows now; undefined if it was not read. */
  readonly base: ListedBase | undefined;
  /** Whether the list, read shortly before, agreed with the check, by field. */
  readonly agreed: ReadonlyMap<string, boolean>;
  /** The check found events, or the values that the list had shown. */
  readonly found: boolean;
}

/** Returns what is known after a check of the project's own endpoints. */
export function afterCheck(before: Swept, { subject, triedAt, base, agreed, found }: Confirmed): Swept {
  const then = before.subjects[subject];
  const fields = { ...before.fields };
  for (const [field, isAgreed] of agreed) {
    const counted = fields[field] ?? UNKNOWN;
    const fade = Math.min(1, MAX_COUNTED / (counted.agreed + counted.differed + 1));
    fields[field] = { agreed: (counted.agreed + (isAgreed ? 1 : 0)) * fade, differed: (counted.differed + (isAgreed ? 0 : 1)) * fade };
  }
  // A stale row lacks the supply, so fields that it lacks keep their earlier base.
  const newest = base === undefined ? then?.base : { ...then?.base, ...base };
  const seenAt = then?.seenAt;
  if (newest === undefined) return { ...before, fields };
  const isWrong = [...agreed.values()].includes(false);
  const isConfirmed = agreed.size > 0 && !isWrong;
  const isCall = then?.called !== undefined && then.called.at <= triedAt;
  const isFalse = isCall && !found;
  const falseCalls = isFalse ? (then?.falseCalls ?? 0) + 1 : isCall ? 0 : (then?.falseCalls ?? 0);
  const pause = isFalse ? Math.min(MAX_PAUSE, 2 ** falseCalls) : isCall ? 0 : (then?.pause ?? 0);
  const since = isWrong ? { agreed: 0 } : then?.since && (isConfirmed ? { agreed: then.since.agreed + 1 } : then.since);
  return {
    ...before,
    fields,
    // After a false call the base stays: the ledger may not have caught up, and the difference calls for it again.
    subjects: {
      ...before.subjects,
      [subject]: { base: isFalse ? (then?.base ?? newest) : newest, ...(seenAt && { seenAt }), falseCalls, pause, ...(since && { since }) },
    },
  };
}

/** The field for events. An event that the list did not show counts against the list. */
const EVENTS = 'events';

/** Returns the fields by which a list is trusted for a kind. */
export const fieldsOf = (feed: Pick<Feed, 'alerts'>): readonly string[] =>
  isOfEvents(feed) ? [EVENTS] : feed.alerts.measures.filter(isListed);

/** Tells whether a list is trusted by events of the kind. Values of its topics, such as proposals, move between a list and a check. */
const isOfEvents = ({ alerts }: Pick<Feed, 'alerts'>): boolean => Object.keys(alerts.stages).some((stage) => stage !== THRESHOLD_STAGE);

/** Tells whether a measure is compared. `price24h` is derived from others, so it agrees as they do. */
const isListed = (measure: Measure): boolean => measure !== 'price24h';

export type Figures = Readonly<Partial<Record<Measure, Decimal>>>;

interface Compared {
  readonly listed: Figures;
  readonly values: Figures;
  readonly events: number;
  /** The list showed that something had happened. */
  readonly isShown: boolean;
  /** The check was made for a known date. Lists need not show its events. */
  readonly isDated: boolean;
}

/**
 * Returns whether the list, read shortly before, agreed with the project's own endpoints, by field. Fields that either lacks are left out.
 */
export function agreementOf(
  feed: Pick<Feed, 'alerts'>,
  { listed, values, isShown, isDated, events }: Compared,
): ReadonlyMap<string, boolean> {
  if (isOfEvents(feed)) return new Map(isDated || (events === 0 && isShown) ? [] : [[EVENTS, events === 0 || isShown]]);
  return new Map(
    feed.alerts.measures.filter(isListed).flatMap((measure): [string, boolean][] => {
      const [shown, own] = [listed[measure], values[measure]];
      return shown === undefined || own === undefined ? [] : [[measure, isNear(measure, shown, own)]];
    }),
  );
}

/** Tells whether a check confirmed the list's change: one of its values is near the list's. */
export const isValueConfirmed = (feed: Pick<Feed, 'alerts'>, { listed, values }: Pick<Compared, 'listed' | 'values'>): boolean =>
  feed.alerts.measures.some((measure) => {
    const [shown, own] = [listed[measure], values[measure]];
    return shown !== undefined && own !== undefined && isNear(measure, shown, own);
  });

/** A list that is some minutes older agrees if its value differs by at most this part. */
const NEAR_PART = decimal('0.02');

function isNear(measure: Measure, shown: Decimal, own: Decimal): boolean {
  const threshold = THRESHOLD_MEASURES.find((one) => one === measure);
  if (threshold !== undefined && MEASURES[measure].move.by === 'difference') return !isApart(shown, own, defaultHysteresis(threshold, own));
  return !isApartBy(shown, own, { part: NEAR_PART });
}
