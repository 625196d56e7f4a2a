/** What a feed declares about its alert kind. */
import { absolute, compare, percentChange } from '../domain/decimal.js';
import type { FilterName, Filters } from '../domain/filters.js';
import type { Measure } from '../domain/measures.js';
import type { Decimal } from '../domain/scalars.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';

/** The most important first. */
export const RANKS = ['result', 'closed', 'soon', 'live', 'moved', 'unlock', 'progress', 'daily'] as const;
export type Rank = (typeof RANKS)[number];

/** Singular and plural. */
export type CountWords = readonly [one: string, several: string];

export interface StageSpec {
  readonly words: CountWords;
  readonly rank: Rank;
  readonly offered: boolean;
}

/** An absent value passes every filter. */
export interface EventSize {
  /** "mint". */
  readonly noun: string;
  /** Absolute. */
  readonly usd?: Decimal | undefined;
  readonly percent?: Decimal | undefined;
  readonly metric?: string | undefined;
  /** Absolute, in tokens of `symbol`. */
  readonly amount?: Decimal | undefined;
  readonly symbol?: string | undefined;
  /** It is a part of this supply, before it. */
  readonly whole?: Decimal | undefined;
}

export type PresetPart =
  | 'off'
  | {
      /** "mints and burns from $10K". */
      readonly says: string;
      readonly filters: Filters;
      readonly levels: readonly ThresholdRule[];
    };

/** Unless the chat chooses. `ringsFrom`: other events are silent. */
export type Sound = 'rings' | 'silent' | { readonly ringsFrom: Filters };

export interface AlertKind<F> {
  /** Of a stage that `stages` lacks. */
  readonly words: CountWords;
  readonly rank: Rank;
  readonly stages: Readonly<Record<string, StageSpec>>;
  /** A filter word for several stages. */
  readonly stageGroups: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly FilterName[];
  /** Stages with a message of their own, unless the chat chose. */
  readonly live?: { readonly notices: readonly string[] };
  readonly measures: readonly Measure[];
  /** Of the preset Everything, which has no filters. */
  readonly defaultRules: readonly ThresholdRule[];
  /** Of a new entry: what a busy channel wants. */
  readonly important: PresetPart;
  readonly most: PresetPart;
  readonly sound: Sound;
  size(facts: F, stage: string): EventSize;
  /** As typed after the kind. */
  readonly offers: {
    readonly example: string;
    readonly hint: string;
    readonly percents: readonly string[];
    readonly thresholds: readonly string[];
    readonly moves: readonly string[];
  };
}

/** In a stage group: every stage that `stages` lacks. */
export const UNLISTED_STAGE = '*';

export const offered = (rank: Rank, one: string, several: string): StageSpec => ({ rank, words: [one, several], offered: true });

export const unoffered = (rank: Rank, one: string, several: string): StageSpec => ({ ...offered(rank, one, several), offered: false });

/** In percent. Undefined if an earlier value is zero. */
export function largestChange(now: Decimal | undefined, earlier: readonly (Decimal | undefined)[]): Decimal | undefined {
  if (now === undefined) return undefined;
  const changes = earlier.flatMap((before) => (before === undefined ? [] : [percentChange(before, now)]));
  const known = changes.filter((change) => change !== undefined).map(absolute);
  return known.length < changes.length ? undefined : known.toSorted((a, b) => compare(b, a))[0];
}

/** Of stored facts; what cannot be read has no size, so it passes every filter. */
export const sizeOf = <F>(kind: Pick<AlertKind<F>, 'size'>, facts: F | undefined, stage: string): EventSize =>
  facts === undefined ? { noun: 'change' } : kind.size(facts, stage);
