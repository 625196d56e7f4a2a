/** This module defines feeds. A feed declares what a check reads, which events it finds (pure), and how alerts word them. */
import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { Analytics, Answer, CallOptions, Walk } from '../analytics/analytics.js';
import { chartSchema, type Chart, type ChartDraft } from '../chat/chart.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Crossing, Point } from '../domain/crossing.js';
import type { Correction, FeedEvent, PastValues, TopicStatus } from '../domain/event.js';
import type { Measure } from '../domain/measures.js';
import type { Project } from '../domain/project.js';
import { REMINDER_STAGE } from '../domain/reminder.js';
import type { Decimal, Instant } from '../domain/scalars.js';
import type { WalletAddress } from '../domain/wallet.js';
import { sizeOf, type AlertKind } from './alert-kind.js';
import { CORRECTED_STAGE, correctedContent, overContent, type AlertContext, type EventContent } from './event-content.js';
import type { HistoryGap, HistoryParts, NoHistory, PastContext } from './history.js';
import type { ListName, ListedOf, ListedSpec } from './listed.js';
import { reminderContent, type FoundDate } from './reminder.js';

export type Subject = Project | { readonly address: WalletAddress } | { readonly screen: string } | 'all';

/** Returns the key of a subject: a slug, a public key, a screen's key, or `all`. */
export const subjectKey = (subject: Subject): string => {
  if (subject === 'all') return 'all';
  if ('screen' in subject) return subject.screen;
  return 'slug' in subject ? subject.slug : subject.address;
};

export interface Snapshot<S> {
  readonly data: S;
  /** When the oldest response arrived. */
  readonly at: Instant;
  /** Every row that the service counts was read. */
  readonly complete: boolean;
  /** Number of rows that the plan does not show. */
  readonly hidden: number;
  /** Number of rows that could not be parsed. A later check can find them. */
  readonly broken: number;
  /** Reading stopped as soon as the rows explained what the list of all projects shows, so a missing row proves nothing. */
  readonly isPart?: boolean;
  /** The newest rows include the state that the list of all projects shows, so the check that it caused is done even if no row is new. */
  readonly isExplained?: boolean;
}

/** `version` identifies the corrected values, and is a part of the correction's id. */
export interface FoundCorrection extends Correction {
  readonly version: string;
}

export interface FoundEvent<F> extends Pick<FeedEvent, 'id' | 'topic' | 'stage' | 'corrects'> {
  readonly project?: FeedEvent['project'];
  readonly wallet?: FeedEvent['wallet'];
  readonly screen?: FeedEvent['screen'];
  readonly occurredAt?: Instant;
  readonly past?: PastValues | undefined;
  readonly facts: F;
}

/** Values that are an event only in chats whose rule they cross. */
export interface Measurements<F> {
  /** `<feed>/<subject>/<time>`, so the same values have the same id. */
  readonly id: string;
  readonly project?: FeedEvent['project'];
  readonly wallet?: FeedEvent['wallet'];
  /** The service's date, or else the arrival. */
  readonly at: Instant;
  readonly values: Readonly<Partial<Record<Measure, Decimal>>>;
  /** Values of other kinds in the same response, for rules that join conditions. */
  readonly others?: Readonly<Partial<Record<Measure, Decimal>>> | undefined;
  /** Past values of each measure, in any order. */
  readonly history?: Readonly<Partial<Record<Measure, readonly Point[]>>>;
  /** Past values for the chart of an alert. */
  readonly past?: PastValues | undefined;
  readonly facts: F;
}

/** A time in which checks of the subject have priority. */
export interface PriorityWindow {
  readonly kind: 'market' | 'launch' | 'vesting';
  /** When the decisive part begins: a market's TWAP window, a launch's last hours, or a cliff. */
  readonly decisiveFrom?: Instant | undefined;
  readonly endsAt?: Instant | undefined;
}

export interface CheckContext {
  readonly analytics: Analytics;
  readonly options: CallOptions;
  /** Returns the snapshots of a wallet that did not recalculate its ranks. */
  readonly unranked?: (wallet: WalletAddress) => readonly Instant[];
  readonly since?: Instant | undefined;
  /** What a list shows. The check must confirm it, and may read no more than that needs. By default it reads everything. */
  readonly listed?: Pick<ListedOf, 'now' | 'base'> | undefined;
  /** A monthly limit leaves few requests, so the check should save some. */
  readonly isThrifty?: boolean | undefined;
  /** When the last check succeeded. */
  readonly checkedAt?: Instant | undefined;
  /** Maximum age of a chart of the past in ms; by default a day. */
  readonly historyAge?: number | undefined;
  /** Tells whether a watching chat has a rule on the measure, for values that cost extra requests. */
  readonly wants?: ((measure: Measure) => boolean) | undefined;
  /** Tells whether a live message shows the topic. */
  readonly isFollowed?: ((topic: string) => boolean) | undefined;
}

export interface FoundStatus<F> extends Pick<TopicStatus, 'topic' | 'stage' | 'step' | 'ended'> {
  readonly project?: FeedEvent['project'];
  readonly facts: F;
}

/** How a topic with several stages is shown in one message that is edited. */
export interface LiveSpec<M, S, F> {
  /** Returns what the snapshot shows of the wanted topics. `watermark` is the one after the snapshot. Must be pure. */
  statuses(
    of: { readonly subject: Subject; readonly before?: M | undefined; readonly watermark: M; readonly snapshot: Snapshot<S> },
    isWanted: (topic: string) => boolean,
  ): readonly FoundStatus<F>[];
  /** Removes facts whose change alone is worth no edit. By default all count. */
  compared?(facts: F): F;
  content(status: Pick<TopicStatus, 'stage' | 'project' | 'at'> & { readonly facts: F }): EventContent;
}

export interface PastSnapshots<S> extends Pick<Answer<unknown>, 'at' | 'dataAt' | 'stale'>, Pick<Walk<unknown>, 'cut'> {
  /** Oldest first, each as a check at that time would have read it. */
  readonly snapshots: readonly Snapshot<S>[];
  /** When the service's records begin; undefined without any. */
  readonly since: Instant | undefined;
  readonly hidden: number;
  readonly broken: number;
  readonly gaps?: readonly HistoryGap[];
}

export interface HistorySpec<S> extends HistoryParts {
  /** Reads past snapshots. Rejects as a check does. */
  read(subject: Subject, context: PastContext): Promise<PastSnapshots<S>>;
}

export interface FeedSpec<M, S, F> {
  readonly id: string;
  /** What the kind alerts to, as shown by `/alerts` and `/help`. */
  readonly summary: string;
  /** The position among the kinds in lists. */
  readonly order: number;
  readonly alerts: AlertKind<F>;
  /** Kinds with the scope `screen` are evaluated from checks of other kinds. */
  readonly scope: 'project' | 'wallet' | 'global' | 'screen';
  /** Minimum interval between checks, in multiples of `POLL_MIN_SECONDS`. */
  readonly every: number;
  /** After a gap, a check of a `ledger` finds every row, but of a `state` only current values. */
  readonly data: 'ledger' | 'state';
  readonly watermark: z.ZodType<M>;
  /** Returns the watermark in a form that its schema reads back; by default the watermark itself. */
  readonly stored?: (watermark: M) => unknown;
  /** The watermark of a subject without rows. Kinds with dated rows have one, so that a first check can find events. */
  readonly empty?: M;
  readonly facts: z.ZodType<F>;
  /** Reads a snapshot. Rejects if the check fails. */
  read(subject: Subject, context: CheckContext): Promise<Snapshot<S>>;
  /** Compares a snapshot with the watermark. Must be pure. Without a watermark there are no events. */
  diff(
    subject: Subject,
    watermark: M | undefined,
    snapshot: Snapshot<S>,
  ): {
    readonly watermark: M;
    readonly events: readonly FoundEvent<F>[];
    readonly measurements?: readonly Measurements<F>[];
    /** Changes of dates, amounts or lists that earlier events reported otherwise. */
    readonly corrections?: readonly FoundCorrection[];
    /** Series that have ended. Rules keep no state of them. */
    readonly over?: readonly string[];
    /** Series with the same value as before. A series that has neither an old nor a new value could not be read. */
    readonly same?: readonly string[];
  };
  /** What backtests read of the past. */
  readonly history: HistorySpec<S> | NoHistory;
  /** The kind whose check reads the same responses, so that both are made together. */
  readonly companion?: string;
  /** What lists for all projects show of the kind. */
  readonly listed?: ListedSpec<M, S>;
  priorityWindows?(snapshot: S): readonly PriorityWindow[];
  /** Returns dates of which chats can be reminded. `watermark` is the one after the snapshot. */
  dates?(subject: Subject, snapshot: Snapshot<S>, watermark: M): readonly FoundDate<F>[];
  /** If it is absent, every event is a separate message. */
  readonly live?: LiveSpec<M, S, F>;
  /** Words an alert. Without crossings it states only the values. */
  content(event: Omit<FeedEvent, 'facts'> & { readonly facts: F }, context: AlertContext): EventContent;
  /** Draws a chart from stored values, without a request. */
  chart?(event: Pick<FeedEvent, 'past'> & { readonly facts: F }, crossings: readonly Crossing[]): ChartDraft | undefined;
  /** Makes up an event, for `/alerts test`. */
  sample(now: Instant): FoundEvent<F> & Pick<AlertContext, 'crossings'>;
}

export interface Feed extends Pick<FeedSpec<unknown, unknown, unknown>, 'id' | 'summary' | 'order' | 'scope' | 'every' | 'data'> {
  /** How events are filtered and counted, by their stored facts. */
  readonly alerts: AlertKind<unknown>;
  /** A first check finds events since the watch began. */
  readonly dated: boolean;
  check(subject: Subject, watermark: unknown, context: CheckContext): Promise<CheckResult>;
  /** The kind whose check reads the same responses. */
  readonly companion?: string | undefined;
  /** The list that shows the kind's changes. */
  readonly list?: ListName | undefined;
  /** Returns what a check would find if the list were right; undefined if the list does not show the subject. Stores nothing. */
  supposed(subject: Subject, supposition: Supposition): Promise<Supposed | undefined>;
  readonly history: FeedHistory | NoHistory;
  content(event: FeedEvent, context?: AlertContext): EventContent;
  /** Words a live message; undefined for a kind that has none. */
  liveContent(status: Omit<TopicStatus, 'version'>): EventContent | undefined;
  /** Draws the chart under an alert; undefined if the event has too few past values. */
  chart(event: FeedEvent, crossings?: readonly Crossing[]): Chart | undefined;
  /** Makes up an event, whose id begins with `sample/`. */
  sample(now: Instant): FeedEvent & Pick<AlertContext, 'crossings'>;
}

export interface FeedHistory extends HistoryParts {
  /** Runs the feed's `diff` over past snapshots. Rejects as a check does. */
  read(subject: Subject, context: PastContext): Promise<PastChecks>;
}

export interface PastChecks extends Omit<PastSnapshots<unknown>, 'snapshots'> {
  /** Oldest first. */
  readonly checks: readonly PastCheck[];
}

export interface PastCheck extends Pick<CheckResult, 'events' | 'measurements'> {
  readonly at: Instant;
}

export interface CheckResult extends Omit<Snapshot<unknown>, 'data'> {
  readonly watermark: unknown;
  readonly events: readonly FeedEvent[];
  readonly measurements: readonly Measurement[];
  readonly corrections: readonly FoundCorrection[];
  readonly same: readonly string[];
  readonly over: readonly string[];
  readonly priorityWindows: readonly PriorityWindow[];
  readonly dates: readonly FoundDate<Readonly<Record<string, unknown>>>[];
  /** The statuses of topics that have events or a live message. */
  readonly statuses: readonly TopicStatus[];
}

export interface Supposition extends Pick<ListedOf, 'now' | 'base' | 'analytics'>, Pick<CheckContext, 'since'> {
  /** Reads the stored watermark. */
  readonly stored: () => Promise<unknown>;
}

/** `isChanged` means that something changed which only the project's own endpoints can explain. */
export interface Supposed extends Pick<CheckResult, 'events' | 'measurements'> {
  readonly isChanged: boolean;
}

export interface Measurement extends Pick<Measurements<unknown>, 'at' | 'values' | 'others' | 'history'> {
  readonly event: FeedEvent;
}

export const THRESHOLD_STAGE = 'level';

/** Makes a feed from its spec. A check throws on an unreadable watermark, because a first check instead would lose events. */
export function defineFeed<M, S, F extends Record<string, unknown>>(spec: FeedSpec<M, S, F>): Feed & { readonly spec: FeedSpec<M, S, F> } {
  const { id, summary, order, scope, every, data } = spec;
  const compared = comparisonOf(spec);
  return {
    ...{ id, summary, order, scope, every, data, spec },
    companion: spec.companion,
    list: spec.listed?.list,
    alerts: { ...spec.alerts, size: (facts, stage) => sizeOf(spec.alerts, spec.facts.safeParse(facts).data, stage) },
    dated: spec.empty !== undefined,
    ...checksOf(spec, compared),
    history: 'unavailable' in spec.history ? spec.history : historyOf(spec.history, { compared, empty: spec.empty }),
    content(event, context = {}) {
      const { stage = event.stage } = event.corrects ?? {};
      const content = spec.content({ ...event, stage, facts: spec.facts.parse(event.facts) }, context);
      if (event.stage === REMINDER_STAGE) return reminderContent(content, event, context.sentAt ?? event.detectedAt);
      return event.stage === CORRECTED_STAGE ? correctedContent(content, event.corrects) : overContent(content, context);
    },
    liveContent: (status) => spec.live?.content({ ...status, facts: spec.facts.parse(status.facts) }),
    chart(event, crossings = []) {
      if (spec.chart === undefined || event.past === undefined) return undefined;
      const draft = spec.chart({ past: event.past, facts: spec.facts.parse(event.facts) }, crossings);
      return draft && chartSchema.parse(draft);
    },
    sample(now) {
      const { crossings, ...found } = spec.sample(now);
      const event = { ...found, id: `sample/${found.id}`, feed: id, detectedAt: now, checkedAt: now };
      return crossings === undefined ? event : { ...event, crossings };
    },
  };
}

/** Runs the spec's `diff`, and gives what it finds the feed's id and keys that can be stored. */
const comparisonOf =
  <M, S, F extends Record<string, unknown>>(spec: FeedSpec<M, S, F>) =>
  (subject: Subject, before: M | undefined, { data: snapshot, ...how }: Snapshot<S>) => {
    const found = spec.diff(subject, before, { data: snapshot, ...how });
    const { watermark, events, measurements = [], corrections = [], same = [], over = [] } = found;
    const seen = { feed: spec.id, detectedAt: how.at };
    return {
      watermark,
      same: same.map(keyable),
      over: over.map(keyable),
      corrections: corrections.map((one) => ({ ...one, event: keyable(one.event) })),
      events: events.map((found) => ({ ...found, ...seen, id: keyable(found.id), topic: keyable(found.topic) })),
      measurements: measurements.map(({ at, values, others, history, ...about }) => {
        const own = { id: keyable(about.id), topic: keyable(about.id) };
        return { at, values, others, history, event: { ...about, ...seen, ...own, stage: THRESHOLD_STAGE, occurredAt: at } };
      }),
    };
  };

type Compared<M, S, F extends Record<string, unknown>> = ReturnType<typeof comparisonOf<M, S, F>>;

/** Makes the checks of a subject: one that asks the service, and one of what a list shows, which stores nothing. */
function checksOf<M, S, F extends Record<string, unknown>>(
  spec: FeedSpec<M, S, F>,
  compared: Compared<M, S, F>,
): Pick<Feed, 'check' | 'supposed'> {
  const isOwed =
    (stored: unknown, since: Instant | undefined) =>
    ({ occurredAt }: Pick<FoundEvent<F>, 'occurredAt'>): boolean =>
      stored !== undefined || (occurredAt !== undefined && since !== undefined && occurredAt >= since);
  const watermarkOf = (stored: unknown, since: Instant | undefined): M | undefined =>
    stored === undefined ? (since === undefined ? undefined : spec.empty) : spec.watermark.parse(stored);
  return {
    async check(subject, stored, context) {
      const { since } = context;
      const before = watermarkOf(stored, since);
      const snapshot = await spec.read(subject, context);
      const { events, ...found } = compared(subject, before, snapshot);
      const { data: read, ...how } = snapshot;
      const owed = events.filter(isOwed(stored, since));
      return {
        ...how,
        ...found,
        watermark: spec.stored?.(found.watermark) ?? found.watermark,
        events: owed,
        priorityWindows: spec.priorityWindows?.(read) ?? [],
        dates: (spec.dates?.(subject, snapshot, found.watermark) ?? []).map((date) => ({ ...date, topic: keyable(date.topic) })),
        statuses: statusesOf(
          spec,
          { subject, before, watermark: found.watermark, snapshot },
          (topic) => owed.some((one) => one.topic === topic) || context.isFollowed?.(topic) === true,
        ),
      };
    },
    async supposed(subject, { stored, since, ...of }) {
      const listed = await spec.listed?.snapshot({ ...of, slug: subjectKey(subject) });
      if (listed === undefined) return undefined;
      if (listed === 'same') return { events: [], measurements: [], isChanged: false };
      const watermark = await stored();
      const isChanged = of.base !== undefined && spec.listed?.isChanged?.(of.now, of.base, watermarkOf(watermark, since)) === true;
      const snapshot = { data: listed, at: of.now.at, complete: false, hidden: 0, broken: 0 };
      const { events, measurements } = compared(subject, watermarkOf(watermark, since), snapshot);
      return { events: events.filter(isOwed(watermark, since)), measurements, isChanged };
    },
  };
}

function statusesOf<M, S, F extends Record<string, unknown>>(
  { id, live }: Pick<FeedSpec<M, S, F>, 'id' | 'live'>,
  of: Parameters<LiveSpec<M, S, F>['statuses']>[0],
  isWanted: (topic: string) => boolean,
): readonly TopicStatus[] {
  if (live === undefined) return [];
  const statuses = live.statuses(of, (topic) => isWanted(keyable(topic)));
  return statuses.map((found) => {
    const status = { ...found, topic: keyable(found.topic), feed: id, at: of.snapshot.at };
    const { tone, headline, details } = live.content({ ...status, facts: live.compared?.(status.facts) ?? status.facts });
    return { ...status, version: hash('sha256', JSON.stringify([tone, headline, details]), 'base64url').slice(0, 12) };
  });
}

/** Runs a feed's comparison over past snapshots, each with the watermark of the one before. */
const historyOf = <M, S, F extends Record<string, unknown>>(
  { read, ...parts }: HistorySpec<S>,
  { compared, empty }: { readonly compared: Compared<M, S, F>; readonly empty: M | undefined },
): FeedHistory => ({
  ...parts,
  async read(subject, context) {
    const { snapshots, ...past } = await read(subject, context);
    const checks: PastCheck[] = [];
    let watermark = empty;
    for (const snapshot of snapshots) {
      // One snapshot may take some milliseconds, for example for the statistics of a year.
      await yieldToEventLoop();
      context.options.signal?.throwIfAborted();
      const { watermark: after, events, measurements } = compared(subject, watermark, snapshot);
      watermark = after;
      checks.push({ at: snapshot.at, events, measurements });
    }
    return { ...past, checks };
  },
});

/** Percent-encodes characters that a store key may not contain. */
const keyable = (id: string): string => id.replaceAll(/[\p{Cc}\p{Cs}\u{10FFFF}%]/gu, (odd) => `%${odd.codePointAt(0)?.toString(16)}`);
