/** This module defines what a feed declares about its alert kind. */
import { absolute, compare, percentChange } from '../domain/decimal.js';
import type { FilterName, Filters, Label } from '../domain/filters.js';
import type { Measure } from '../domain/measures.js';
import type { Decimal } from '../domain/scalars.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';

/** Ranks of events, most important first. */
export const RANKS = ['result', 'closed', 'soon', 'live', 'moved', 'unlock', 'progress', 'daily'] as const;
export type Rank = (typeof RANKS)[number];

/** The words for one event and for several, in counts. */
export type CountWords = readonly [one: string, several: string];

export interface StageSpec {
  readonly words: CountWords;
  readonly rank: Rank;
  readonly offered: boolean;
}

/** What filters compare of an event. An absent value passes every filter. */
export interface EventSize {
  /** Names the event in a filter's reason, such as "mint". */
  readonly noun: string;
  /** The text has no sign. */
  readonly usd?: Decimal | undefined;
  readonly percent?: Decimal | undefined;
  readonly metric?: string | undefined;
  /** Names in the event, by label. A label that is absent or empty is unknown. */
  readonly labels?: Readonly<Partial<Record<Label, readonly string[]>>> | undefined;
  /** Tokens of `symbol`, without a sign. */
  readonly amount?: Decimal | undefined;
  readonly symbol?: string | undefined;
  /** The event's own rank, if it differs from its stage's. */
  readonly rank?: Rank | undefined;
  /** The supply before the event, of which `amount` is a part. */
  readonly whole?: Decimal | undefined;
}

export type PresetPart =
  | 'off'
  | {
      /** What the preset alerts to, such as "mints and burns from $10K". */
      readonly says: string;
      readonly filters: Filters;
      readonly thresholds: readonly ThresholdRule[];
    };

/** The sound of alerts unless the chat chooses. With `ringsFrom`, events that do not pass these filters are silent. */
export type Sound = 'rings' | 'silent' | { readonly ringsFrom: Filters };

export interface AlertKind<F> {
  /** The words for a stage that `stages` lacks. */
  readonly words: CountWords;
  readonly rank: Rank;
  readonly stages: Readonly<Record<string, StageSpec>>;
  /** Words in filters that stand for several stages. */
  readonly stageGroups: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly FilterName[];
  /**
   * `notices` are stages with a message of their own unless the chat chose. A followed proposal or launch is over at a stage in `results`.
   */
  readonly live?: { readonly notices: readonly string[]; readonly results?: readonly string[] };
  readonly measures: readonly Measure[];
  /** The threshold rules of the preset `everything`, which has no filters. */
  readonly defaultRules: readonly ThresholdRule[];
  /** The preset `important`, which is the default because it suits busy channels. */
  readonly important: PresetPart;
  readonly most: PresetPart;
  readonly sound: Sound;
  size(facts: F, stage: string): EventSize;
  /** Examples, as typed after the kind. */
  readonly offers: {
    readonly example: string;
    readonly hint: string;
    readonly percents: readonly string[];
    readonly thresholds: readonly string[];
    readonly moves: readonly string[];
  };
}

/** Adds every stage of a group that `stages` lacks. */
export const UNLISTED_STAGE = '*';

export const offered = (rank: Rank, one: string, several: string): StageSpec => ({ rank, words: [one, several], offered: true });

export const unoffered = (rank: Rank, one: string, several: string): StageSpec => ({ ...offered(rank, one, several), offered: false });

/** Returns the largest change from an earlier value, in percent without a sign; undefined if an earlier value is zero. */
export function largestChange(now: Decimal | undefined, earlier: readonly (Decimal | undefined)[]): Decimal | undefined {
  if (now === undefined) return undefined;
  const changes = earlier.flatMap((before) => (before === undefined ? [] : [percentChange(before, now)]));
  const known = changes.filter((change) => change !== undefined).map(absolute);
  return known.length < changes.length ? undefined : known.toSorted((a, b) => compare(b, a))[0];
}

/** Returns an event's size from its stored facts. Facts that cannot be read have no size, so they pass every filter. */
export const sizeOf = <F>(kind: Pick<AlertKind<F>, 'size'>, facts: F | undefined, stage: string): EventSize =>
  facts === undefined ? { noun: 'change' } : kind.size(facts, stage);
