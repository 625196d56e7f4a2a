/** What an alert kind offers to those who choose alerts: each feed carries one, and what it leaves out does not compile. */
import { absolute, compare, percentChange } from '../domain/decimal.js';
import type { Filters } from '../domain/filters.js';
import type { Measure } from '../domain/measures.js';
import type { Decimal } from '../domain/scalars.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';

/** How soon a reader should meet an event, the most important first. */
export const RANKS = ['result', 'closed', 'soon', 'live', 'moved', 'unlock', 'progress', 'daily'] as const;
export type Rank = (typeof RANKS)[number];

/** One event and several of them: "burn", "burns". */
export type CountWords = readonly [one: string, several: string];

export interface StageSpec {
  readonly words: CountWords;
  readonly rank: Rank;
  /** Whether a filter may name it. */
  readonly offered: boolean;
}

/** How large an event is, for filters and for order. What is not known is absent, and passes every filter. */
export interface EventSize {
  /** What is too small, in a sentence: "mint". */
  readonly noun: string;
  /** What moved, in USD and without its sign. */
  readonly usd?: Decimal | undefined;
  /** Without its sign. */
  readonly percent?: Decimal | undefined;
  /** The metric it is a value of. */
  readonly metric?: string | undefined;
}

export interface AlertKind<F> {
  /** For a stage that `stages` does not list. */
  readonly words: CountWords;
  readonly rank: Rank;
  readonly stages: Readonly<Record<string, StageSpec>>;
  /** Words that stand for several stages. */
  readonly stageGroups: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly (keyof Filters)[];
  readonly measures: readonly Measure[];
  /** What it alerts on besides events where nobody chose. */
  readonly defaultRules: readonly ThresholdRule[];
  size(facts: F, stage: string): EventSize;
  /** What is offered without typing: as typed after the kind. */
  readonly offers: {
    readonly example: string;
    readonly hint: string;
    readonly percents: readonly string[];
    readonly thresholds: readonly string[];
    readonly moves: readonly string[];
  };
}

/** A stage that a filter may name. */
export const offered = (rank: Rank, one: string, several: string): StageSpec => ({ rank, words: [one, several], offered: true });

/** A stage that no filter names. */
export const unoffered = (rank: Rank, one: string, several: string): StageSpec => ({ ...offered(rank, one, several), offered: false });

/** The largest change in percent from any of the earlier values, without its sign; undefined from zero, which is larger than any. */
export function largestChange(now: Decimal | undefined, earlier: readonly (Decimal | undefined)[]): Decimal | undefined {
  if (now === undefined) return undefined;
  const changes = earlier.flatMap((before) => (before === undefined ? [] : [percentChange(before, now)]));
  const known = changes.filter((change) => change !== undefined).map(absolute);
  return known.length < changes.length ? undefined : known.toSorted((a, b) => compare(b, a))[0];
}
