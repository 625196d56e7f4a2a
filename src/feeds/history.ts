/** This module defines what a kind's history for backtests covers, and what it lacks. */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Measure } from '../domain/measures.js';
import type { Instant } from '../domain/scalars.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { CheckResult, FeedHistory, HistorySpec, PastCheck, Snapshot, Subject } from './feed.js';

export interface PastContext {
  readonly analytics: Analytics;
  readonly options: CallOptions;
  readonly now: Instant;
  /** The beginning of the period. Snapshots may include earlier values. */
  readonly from: Instant;
  /** Measures of the rules, which may need extra requests. */
  readonly measured?: readonly Measure[];
}

/** `day` means one value a day, without changes inside it. */
export type Resolution = 'day' | 'event';

/** Events that a history does not date. */
export interface HistoryGap {
  /** Stages whose alerts are affected; by default all. */
  readonly stages?: readonly string[];
  /** The latest possible time of each event that is not in the history. */
  readonly missing: readonly Instant[];
  /** A sentence for people. */
  readonly says: string;
}

export interface HistoryParts {
  readonly resolution: Resolution;
  /** Measures that past checks have. */
  readonly measures: readonly Measure[];
  /** Why other measures or events are missing. */
  readonly lacks: Readonly<Partial<Record<Measure | 'events', string>>>;
  /** Uncached requests; undefined if it depends on the length of a list. */
  readonly cost: number | undefined;
  /** Additional requests for rules on measures. */
  readonly measuredCost?: number;
  /** Number of lists of all projects that the history reads and checks do not. */
  readonly otherLists?: number;
}

/** Why a kind has no history, in a sentence. */
export interface NoHistory {
  readonly unavailable: string;
}

interface Comparison<M, S> {
  readonly empty: M | undefined;
  compared(
    subject: Subject,
    before: M | undefined,
    snapshot: Snapshot<S>,
  ): { readonly watermark: M } & Pick<CheckResult, 'events' | 'measurements'>;
}

/** Runs a feed's comparison over past snapshots, each with the watermark of the one before. */
export const historyOf = <M, S>({ read, ...parts }: HistorySpec<S>, { compared, empty }: Comparison<M, S>): FeedHistory => ({
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
