/**
 * A feed is one kind of news. It says three things: what to look at, what of it is news, and how to tell it. The middle one is pure:
 * no clock, no store, no log. Ids are derived, so telling twice is one event, and the first look at anything is silent.
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

/** What a look is about: one project, one wallet, or the whole service. */
export type Subject = Project | { readonly address: WalletAddress } | 'all';

/** The subject as it stands in keys and event ids: a slug, a wallet's public key, or `all`. */
export const subjectKey = (subject: Subject): string => {
  if (subject === 'all') return 'all';
  return 'slug' in subject ? subject.slug : subject.address;
};

/** What was seen, and how much of it there is to trust. */
export interface Snapshot<S> {
  readonly data: S;
  /** When the oldest answer in it arrived. */
  readonly at: Instant;
  /** Whether every row the service counts was met. */
  readonly complete: boolean;
  /** Rows the plan does not show: a gap, told by `/why` and `/status`. */
  readonly hidden: number;
  /** Rows that could not be read: they stay unseen and are news when they can. */
  readonly broken: number;
}

/** An event as a feed finds it; the poller adds the feed's id and when it was seen. */
export interface FoundEvent<F> extends Pick<FeedEvent, 'id' | 'topic' | 'stage'> {
  readonly project?: FeedEvent['project'];
  readonly wallet?: FeedEvent['wallet'];
  readonly occurredAt?: Instant;
  readonly facts: F;
}

/**
 * What one look read of figures that rules are set on (premium, NAV, runway, allowance, rank). It is news only to a chat whose rule it crosses, so it
 * has no stage and no event of its own until then. Figures that are not known are left out.
 */
export interface Measurements<F> {
  /** Derived from what was read: the same figures have the same id. `<feed>/<subject>/<moment>`. */
  readonly id: string;
  readonly project?: FeedEvent['project'];
  readonly wallet?: FeedEvent['wallet'];
  /** When they held, by the service's own date where it gives one, else when the answer arrived. */
  readonly at: Instant;
  readonly values: Readonly<Partial<Record<Measure, Decimal>>>;
  /** Their own past in any order, where it is known: for extremes and z-scores. */
  readonly history?: Readonly<Partial<Record<Measure, readonly Point[]>>>;
  readonly facts: F;
}

/** How an event is heard in one chat: what the chat calls the thing, and which of its rules a figure crossed. */
export interface AlertContext {
  readonly called?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
  /** When it is read, where that is long after it was told. Absent: when it was seen. */
  readonly now?: Instant | undefined;
}

/** An event in words: the headline stands alone, the details follow it where there is room. */
export interface EventContent {
  readonly tone: Tone;
  /** Whom it concerns, by name, for the heading of a group. */
  readonly about: string;
  readonly headline: Line;
  readonly details: readonly Line[];
  /** Questions that lead on; mute and why are added by the composer. */
  readonly actions: readonly Pick<Action, 'label' | 'line'>[];
}

/** Something under way that makes looks worth more, and the dates at which it changes of itself. */
export interface PriorityWindow {
  readonly kind: 'market' | 'launch' | 'vesting';
  /** When the part begins that decides: a market's TWAP window, a launch's last hours, a cliff. */
  readonly decisiveFrom?: Instant | undefined;
  readonly endsAt?: Instant | undefined;
}

export interface CheckContext {
  readonly analytics: Analytics;
  /** Background priority, a bound on the age of kept answers, and no stale copies. */
  readonly options: CallOptions;
  /** Snapshots of a wallet that came of a refresh of one token alone, by their times: their ranks were not worked out anew. */
  readonly unranked?: (wallet: WalletAddress) => readonly Instant[];
  /** Since when the subject is watched, for the first check: what the service dates later is an event, where the feed has an `empty` mark. */
  readonly since?: Instant | undefined;
}

export interface FeedSpec<M, S, F> {
  /** The alert kind: `supply`. */
  readonly id: string;
  /** What it tells, for `/alerts` and `/help`. */
  readonly summary: string;
  readonly alerts: AlertKind<F>;
  /** Whether it is looked at per project, per wallet or once for all. */
  readonly scope: 'project' | 'wallet' | 'global';
  /** How often, in multiples of `POLL_MIN_SECONDS`. */
  readonly every: number;
  /** What a check still finds after a long gap: each row of a `ledger`, or of a `state` what it is now and nothing between. */
  readonly data: 'ledger' | 'state';
  readonly watermark: z.ZodType<M>;
  /** The mark of a subject of which nothing was ever seen; only for a feed whose rows the service dates. */
  readonly empty?: M;
  readonly facts: z.ZodType<F>;
  /** Rejects when nothing can be said about the subject; the mark then stays where it is. */
  read(subject: Subject, context: CheckContext): Promise<Snapshot<S>>;
  /** Without a mark (a first check with nothing owed) there are no events. */
  diff(
    subject: Subject,
    watermark: M | undefined,
    look: Snapshot<S>,
  ): {
    readonly watermark: M;
    readonly events: readonly FoundEvent<F>[];
    readonly measurements?: readonly Measurements<F>[];
    /** Which figures it found just as they were emitted last, by their ids without the moment. What is in neither list was not to be read. */
    readonly same?: readonly string[];
  };
  /** What is under way there, for the plan. Default: nothing ever is. */
  priorityWindows?(snapshot: S): readonly PriorityWindow[];
  /** Figures that crossed nothing here (another chat's alert, read back by `/why`) are told as they stand. */
  content(event: Omit<FeedEvent, 'facts'> & { readonly facts: F }, heard: AlertContext): EventContent;
  /** One event of this kind, invented, that was just seen: what `/alerts test` posts. */
  sample(now: Instant): FoundEvent<F> & Pick<AlertContext, 'crossings'>;
}

/** A feed whose types are its own business: marks and facts go through its schemas on the way in. */
export interface Feed extends Pick<FeedSpec<unknown, unknown, unknown>, 'id' | 'summary' | 'scope' | 'every' | 'data'> {
  /** `size` takes facts as they were stored: what it cannot read has no size. */
  readonly alerts: AlertKind<unknown>;
  /** Whether a first check finds the events since the watch began; else a late one misses them. */
  readonly dated: boolean;
  /** Looks and compares. `mark` is what an earlier call returned, or undefined. */
  check(subject: Subject, watermark: unknown, context: CheckContext): Promise<CheckResult>;
  content(event: FeedEvent, heard?: AlertContext): EventContent;
  /** An invented event of this kind, as if seen now. Its id begins with `sample/`. */
  sample(now: Instant): FeedEvent & Pick<AlertContext, 'crossings'>;
}

export interface CheckResult extends Omit<Snapshot<unknown>, 'data'> {
  readonly watermark: unknown;
  readonly events: readonly FeedEvent[];
  /** What it read of figures that rules are set on, each as the event it becomes where a rule is crossed. */
  readonly measurements: readonly Measurement[];
  /** The series of those that it found just as they were read last. */
  readonly same: readonly string[];
  /** What is under way there. */
  readonly priorityWindows: readonly PriorityWindow[];
}

/** Figures of one look at one subject, ready to be judged. */
export interface Measurement extends Pick<Measurements<unknown>, 'at' | 'values' | 'history'> {
  readonly event: FeedEvent;
}

/** The stage of an event that figures become. */
export const THRESHOLD_STAGE = 'level';

/** Closes a feed's types over. A stored mark that no longer fits is an error, never a first look: silence would lose news. */
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

/** Ids carry the service's own words, and events are kept under their ids: what no key may hold is written as its number. */
const keyable = (id: string): string => id.replaceAll(/[\p{Cc}\p{Cs}\u{10FFFF}%]/gu, (odd) => `%${odd.codePointAt(0)?.toString(16)}`);
