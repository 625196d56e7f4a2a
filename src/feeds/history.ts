/** What a kind's history for backtests covers, and what it lacks. */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Measure } from '../domain/measures.js';
import type { Instant } from '../domain/scalars.js';

export interface PastContext {
  readonly analytics: Analytics;
  readonly options: CallOptions;
  readonly now: Instant;
  /** Earlier values may be in a snapshot. */
  readonly from: Instant;
}

/** `day`: one value a day, without changes inside it. */
export type Resolution = 'day' | 'event';

/** What a history does not date. */
export interface HistoryGap {
  /** Alerts of these stages are concerned. Default: all. */
  readonly stages?: readonly string[];
  /** The latest possible moment of each event that is not in the history. */
  readonly missing: readonly Instant[];
  /** A sentence. */
  readonly says: string;
}

export interface HistoryParts {
  readonly resolution: Resolution;
  /** Those that past checks have. */
  readonly measures: readonly Measure[];
  /** Why others have none, and what is missing. */
  readonly lacks: Readonly<Partial<Record<Measure | 'events', string>>>;
  /** In uncached requests; undefined where a list decides. */
  readonly cost: number | undefined;
  /** Lists of all projects that checks do not read. Default: none. */
  readonly otherLists?: number;
}

/** A sentence that says why. */
export interface NoHistory {
  readonly unavailable: string;
}
