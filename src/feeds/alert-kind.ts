/** What a feed declares about its alert kind. */
import { absolute, compare, percentChange } from '../domain/decimal.js';
import type { FilterName, Filters } from '../domain/filters.js';
import type { Measure } from '../domain/measures.js';
import type { Decimal } from '../domain/scalars.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';

/** The most important first. */
export const RANKS = ['result', 'closed', 'soon', 'live', 'moved', 'unlock', 'progress', 'daily'] as const;
export type Rank = (typeof RANKS)[number];

/** What events are called where they are counted, one of them and several. */
export type CountWords = readonly [one: string, several: string];

export interface StageSpec {
  readonly words: CountWords;
  readonly rank: Rank;
  readonly offered: boolean;
}

/** An absent value passes every filter. */
export interface EventSize {
  /** What the event is called in a filter's reason, such as "mint". */
  readonly noun: string;
  /** Without its sign. */
  readonly usd?: Decimal | undefined;
  readonly percent?: Decimal | undefined;
  readonly metric?: string | undefined;
  /** Tokens of `symbol`, without a sign. */
  readonly amount?: Decimal | undefined;
  readonly symbol?: string | undefined;
  /** The supply before the event, of which `amount` is a part. */
  readonly whole?: Decimal | undefined;
}

export type PresetPart =
  | 'off'
  | {
      /** What the preset alerts to, in words such as "mints and burns from $10K". */
      readonly says: string;
      readonly filters: Filters;
      readonly levels: readonly ThresholdRule[];
    };

/** How alerts sound unless the chat chooses. With `ringsFrom`, events that these filters drop are silent. */
export type Sound = 'rings' | 'silent' | { readonly ringsFrom: Filters };

export interface AlertKind<F> {
  /** The words for a stage that `stages` lacks. */
  readonly words: CountWords;
  readonly rank: Rank;
  readonly stages: Readonly<Record<string, StageSpec>>;
  /** A filter word for several stages. */
  readonly stageGroups: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly FilterName[];
  /** Stages with a message of their own, unless the chat chose. */
  readonly live?: { readonly notices: readonly string[] };
  readonly measures: readonly Measure[];
  /** The rules of the preset Everything, which has no filters. */
  readonly defaultRules: readonly ThresholdRule[];
  /** What a new entry begins with: what a busy channel wants. */
  readonly important: PresetPart;
  readonly most: PresetPart;
  readonly sound: Sound;
  size(facts: F, stage: string): EventSize;
  /** Examples as they are typed after the kind. */
  readonly offers: {
    readonly example: string;
    readonly hint: string;
    readonly percents: readonly string[];
    readonly thresholds: readonly string[];
    readonly moves: readonly string[];
  };
}

/** In a stage group it stands for every stage that `stages` lacks. */
export const UNLISTED_STAGE = '*';

export const offered = (rank: Rank, one: string, several: string): StageSpec => ({ rank, words: [one, several], offered: true });

export const unoffered = (rank: Rank, one: string, several: string): StageSpec => ({ ...offered(rank, one, several), offered: false });

/** The largest change from an earlier value to this one, in percent without a sign. Undefined if an earlier value is zero. */
export function largestChange(now: Decimal | undefined, earlier: readonly (Decimal | undefined)[]): Decimal | undefined {
  if (now === undefined) return undefined;
  const changes = earlier.flatMap((before) => (before === undefined ? [] : [percentChange(before, now)]));
  const known = changes.filter((change) => change !== undefined).map(absolute);
  return known.length < changes.length ? undefined : known.toSorted((a, b) => compare(b, a))[0];
}

/** The size of an event by its stored facts. Facts that cannot be read have none, so they pass every filter. */
export const sizeOf = <F>(kind: Pick<AlertKind<F>, 'size'>, facts: F | undefined, stage: string): EventSize =>
  facts === undefined ? { noun: 'change' } : kind.size(facts, stage);
