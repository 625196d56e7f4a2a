/**
 * The port of a feed: what a check reads, which events it finds (pure: no clock, store or log), and how an alert words them. Event ids
 * are derived, so finding an event twice yields one event. A first check finds none.
 */
import type { z } from 'zod';
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Action, Line, Tone } from '../chat/reply.js';
import type { Crossing, Point } from '../domain/crossing.js';
import type { FeedEvent } from '../domain/event.js';
import type { Measure } from '../domain/measures.js';
import type { Project } from '../domain/project.js';
import type { Decimal, Instant } from '../domain/scalars.js';
import type { WalletAddress } from '../domain/wallet.js';
import type { AlertKind, EventSize } from './alert-kind.js';

/** What a check is about: one project, one wallet, or the whole service. */
export type Subject = Project | { readonly address: WalletAddress } | 'all';

/** The subject in keys and event ids: a slug, a wallet's public key, or `all`. */
export const subjectKey = (subject: Subject): string => {
  if (subject === 'all') return 'all';
  return 'slug' in subject ? subject.slug : subject.address;
};

export interface Snapshot<S> {
  readonly data: S;
  /** When the oldest response in it arrived. */
  readonly at: Instant;
  /** Whether all rows that the service counts were read. */
  readonly complete: boolean;
  /** Rows that the plan does not show. `/why` and `/status` report them as a gap. */
  readonly hidden: number;
  /** Rows that could not be parsed. They stay unseen, so that a later check can find them. */
  readonly broken: number;
}

/** An event as `diff` returns it; the feed's id and the time of the check are added later. */
export interface FoundEvent<F> extends Pick<FeedEvent, 'id' | 'topic' | 'stage'> {
  readonly project?: FeedEvent['project'];
  readonly wallet?: FeedEvent['wallet'];
  readonly occurredAt?: Instant;
  readonly facts: F;
}

/**
 * The values of one check for measures that rules use (premium, NAV, runway, allowance, rank). They become an event only in a chat whose
 * rule they cross. Unknown values are absent.
 */
export interface Measurements<F> {
  /** `<feed>/<subject>/<moment>`: the same values have the same id. */
  readonly id: string;
  readonly project?: FeedEvent['project'];
  readonly wallet?: FeedEvent['wallet'];
  /** The service's date for the values, else when the response arrived. */
  readonly at: Instant;
  readonly values: Readonly<Partial<Record<Measure, Decimal>>>;
  /** Earlier values in any order, for extremes and z-scores. */
  readonly history?: Readonly<Partial<Record<Measure, readonly Point[]>>>;
  readonly facts: F;
}

/** What differs per chat: the chat's name for the subject and the rules that were crossed. */
export interface AlertContext {
  readonly called?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
  /** For an alert that is read later than it was posted. Default: when the event was detected. */
  readonly now?: Instant | undefined;
}

/** An event in words. The headline is complete without the details. */
export interface EventContent {
  readonly tone: Tone;
  /** The project or wallet by name, for the heading of a group. */
  readonly about: string;
  readonly headline: Line;
  readonly details: readonly Line[];
  /** Follow-up commands; the composer adds mute and why. */
  readonly actions: readonly Pick<Action, 'label' | 'line'>[];
}

/** A period in which checks of a subject get a higher priority. */
export interface PriorityWindow {
  readonly kind: 'market' | 'launch' | 'vesting';
  /** When the decisive part begins: a market's TWAP window, a launch's last hours, a cliff. */
  readonly decisiveFrom?: Instant | undefined;
  readonly endsAt?: Instant | undefined;
}

export interface CheckContext {
  readonly analytics: Analytics;
  /** Background priority, a maximum age for cached responses, no stale copies. */
  readonly options: CallOptions;
  /** Times of the wallet's snapshots that a refresh of a single token made; their ranks were not recalculated. */
  readonly unranked?: (wallet: WalletAddress) => readonly Instant[];
  /** Start of the watch. A first check returns later events, if the feed has an `empty` watermark. */
  readonly since?: Instant | undefined;
}

export interface FeedSpec<M, S, F> {
  readonly id: string;
  /** For `/alerts` and `/help`. */
  readonly summary: string;
  readonly alerts: AlertKind<F>;
  readonly scope: 'project' | 'wallet' | 'global';
  /** Check interval in multiples of `POLL_MIN_SECONDS`. */
  readonly every: number;
  /** What a check finds after a gap: every row (`ledger`) or only the current values (`state`). */
  readonly data: 'ledger' | 'state';
  readonly watermark: z.ZodType<M>;
  /** The watermark of a subject without any rows; only for feeds whose rows carry dates. */
  readonly empty?: M;
  readonly facts: z.ZodType<F>;
  /** Rejects when the check fails; the watermark then stays as it is. */
  read(subject: Subject, context: CheckContext): Promise<Snapshot<S>>;
  /** Pure. Returns no events without a watermark. */
  diff(
    subject: Subject,
    watermark: M | undefined,
    look: Snapshot<S>,
  ): {
    readonly watermark: M;
    readonly events: readonly FoundEvent<F>[];
    readonly measurements?: readonly Measurements<F>[];
    /** Ids without the moment of series whose values did not change. A series in neither list could not be read. */
    readonly same?: readonly string[];
  };
  /** Default: none. */
  priorityWindows?(snapshot: S): readonly PriorityWindow[];
  /** Without crossings (`/why` for another chat's alert) it words the values alone. */
  content(event: Omit<FeedEvent, 'facts'> & { readonly facts: F }, heard: AlertContext): EventContent;
  /** An invented event for `/alerts test`. */
  sample(now: Instant): FoundEvent<F> & Pick<AlertContext, 'crossings'>;
}

/** A feed with its type parameters hidden: watermarks and facts are parsed by its schemas. */
export interface Feed extends Pick<FeedSpec<unknown, unknown, unknown>, 'id' | 'summary' | 'scope' | 'every' | 'data'> {
  /** `size` takes stored facts; facts that do not parse have no size. */
  readonly alerts: AlertKind<unknown>;
  /** Whether a first check finds events since the watch began. */
  readonly dated: boolean;
  /** Reads and compares. `watermark` is from an earlier check, or undefined. */
  check(subject: Subject, watermark: unknown, context: CheckContext): Promise<CheckResult>;
  content(event: FeedEvent, heard?: AlertContext): EventContent;
  /** Its id begins with `sample/`. */
  sample(now: Instant): FeedEvent & Pick<AlertContext, 'crossings'>;
}

export interface CheckResult extends Omit<Snapshot<unknown>, 'data'> {
  readonly watermark: unknown;
  readonly events: readonly FeedEvent[];
  readonly measurements: readonly Measurement[];
  /** Ids of the series whose values did not change. */
  readonly same: readonly string[];
  readonly priorityWindows: readonly PriorityWindow[];
}

/** The values of one check of one subject, as rules are evaluated against them. */
export interface Measurement extends Pick<Measurements<unknown>, 'at' | 'values' | 'history'> {
  readonly event: FeedEvent;
}

/** The stage of an event that crossed a threshold rule. */
export const THRESHOLD_STAGE = 'level';

/** Hides the feed's types. Throws on a stored watermark that does not parse: treating it as a first check would lose events. */
export function defineFeed<M, S, F extends Record<string, unknown>>(spec: FeedSpec<M, S, F>): Feed & { readonly spec: FeedSpec<M, S, F> } {
  const { id, summary, scope, every, data } = spec;
  return {
    id,
    summary,
    scope,
    every,
    data,
    alerts: { ...spec.alerts, size: (facts, stage) => sizeOf(spec, facts, stage) },
    dated: spec.empty !== undefined,
    spec,
    async check(subject, stored, context) {
      const { since } = context;
      const before = stored === undefined ? (since === undefined ? undefined : spec.empty) : spec.watermark.parse(stored);
      const isOwed = ({ occurredAt }: FoundEvent<F>): boolean =>
        stored !== undefined || (occurredAt !== undefined && since !== undefined && occurredAt >= since);
      const { data: snapshot, ...how } = await spec.read(subject, context);
      const { watermark, events, measurements = [], same = [] } = spec.diff(subject, before, { data: snapshot, ...how });
      const priorityWindows = spec.priorityWindows?.(snapshot) ?? [];
      const seen = { feed: id, detectedAt: how.at };
      return {
        ...{ ...how, watermark, priorityWindows, same: same.map(keyable) },
        events: events.filter(isOwed).map((news) => ({ ...news, ...seen, id: keyable(news.id) })),
        measurements: measurements.map(({ at, values, history, ...about }) => {
          const own = keyable(about.id);
          return { ...{ at, values, history }, event: { ...about, ...seen, id: own, topic: own, stage: THRESHOLD_STAGE, occurredAt: at } };
        }),
      };
    },
    content: (event, heard = {}) => spec.content({ ...event, facts: spec.facts.parse(event.facts) }, heard),
    sample(now) {
      const { crossings, ...news } = spec.sample(now);
      return {
        ...news,
        id: `sample/${news.id}`,
        feed: id,
        detectedAt: now,
        checkedAt: now,
        ...(crossings === undefined ? {} : { crossings }),
      };
    },
  };
}

function sizeOf<F>(
  { facts: schema, alerts }: Pick<FeedSpec<unknown, unknown, F>, 'facts' | 'alerts'>,
  facts: unknown,
  stage: string,
): EventSize {
  const { success, data } = schema.safeParse(facts);
  return success ? alerts.size(data, stage) : { noun: 'change' };
}

/** Event ids contain the service's text; characters that a store key may not hold are percent-encoded. */
const keyable = (id: string): string => id.replaceAll(/[\p{Cc}\p{Cs}\u{10FFFF}%]/gu, (odd) => `%${odd.codePointAt(0)?.toString(16)}`);
