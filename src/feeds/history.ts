/** This module defines what a kind's history for backtests covers, and what it lacks. */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Measure } from '../domain/measures.js';
import type { Instant } from '../domain/scalars.js';

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
