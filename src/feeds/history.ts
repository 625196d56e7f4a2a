/** This file says what a kind's history for backtests covers, and what it lacks. */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import type { Measure } from '../domain/measures.js';
import type { Instant } from '../domain/scalars.js';

export interface PastContext {
  readonly analytics: Analytics;
  readonly options: CallOptions;
  readonly now: Instant;
  /** Earlier values may be in a snapshot. */
  readonly from: Instant;
  /** The rules are about these, which may take requests of their own. By default about none. */
  readonly measured?: readonly Measure[];
}

/** `day` means one value a day, without changes inside it. */
export type Resolution = 'day' | 'event';

/** A history does not date these events. */
export interface HistoryGap {
  /** Alerts of these stages are concerned, by default all. */
  readonly stages?: readonly string[];
  /** It gives the latest possible moment of each event that is not in the history. */
  readonly missing: readonly Instant[];
  /** It is a sentence. */
  readonly says: string;
}

export interface HistoryParts {
  readonly resolution: Resolution;
  /** Past checks have these measures. */
  readonly measures: readonly Measure[];
  /** It says why other measures have none, and what is missing. */
  readonly lacks: Readonly<Partial<Record<Measure | 'events', string>>>;
  /** The cost is in uncached requests, and undefined where a list decides. */
  readonly cost: number | undefined;
  /** Rules on measures take so many requests more, by default none. */
  readonly measuredCost?: number;
  /** The history reads so many lists of all projects that checks do not read, by default none. */
  readonly otherLists?: number;
}

/** It says why in a sentence. */
export interface NoHistory {
  readonly unavailable: string;
}
