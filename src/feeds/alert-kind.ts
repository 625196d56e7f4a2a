/** A feed declares this about its alert kind. */
import { absolute, compare, percentChange } from '../domain/decimal.js';
import type { FilterName, Filters, Label } from '../domain/filters.js';
import type { Measure } from '../domain/measures.js';
import type { Decimal } from '../domain/scalars.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';

/** The most important rank comes first. */
export const RANKS = ['result', 'closed', 'soon', 'live', 'moved', 'unlock', 'progress', 'daily'] as const;
export type Rank = (typeof RANKS)[number];

/** These words name events where they are counted: one of them, and several. */
export type CountWords = readonly [one: string, several: string];

export interface StageSpec {
  readonly words: CountWords;
  readonly rank: Rank;
  readonly offered: boolean;
}

/** An absent value passes every filter. */
export interface EventSize {
  /** It names the event in a filter's reason, such as "mint". */
  readonly noun: string;
  /** The amount has no sign. */
  readonly usd?: Decimal | undefined;
  readonly percent?: Decimal | undefined;
  readonly metric?: string | undefined;
  /** It has the names that the event goes by. A label that is absent, or has no names, is unknown. */
  readonly labels?: Readonly<Partial<Record<Label, readonly string[]>>> | undefined;
  /** It counts tokens of `symbol`, without a sign. */
  readonly amount?: Decimal | undefined;
  readonly symbol?: string | undefined;
  /** It is the event's own rank where that of its stage does not fit. */
  readonly rank?: Rank | undefined;
  /** It is the supply before the event, of which `amount` is a part. */
  readonly whole?: Decimal | undefined;
}

export type PresetPart =
  | 'off'
  | {
      /** It says what the preset alerts to, such as "mints and burns from $10K". */
      readonly says: string;
      readonly filters: Filters;
      readonly thresholds: readonly ThresholdRule[];
    };

/** Alerts sound like this unless the chat chooses. With `ringsFrom`, events that these filters drop are silent. */
export type Sound = 'rings' | 'silent' | { readonly ringsFrom: Filters };

export interface AlertKind<F> {
  /** These words are for a stage that `stages` lacks. */
  readonly words: CountWords;
  readonly rank: Rank;
  readonly stages: Readonly<Record<string, StageSpec>>;
  /** A filter word stands for several stages. */
  readonly stageGroups: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly FilterName[];
  /** These stages have a message of their own, unless the chat chose. */
  /** A single proposal or launch that a chat follows is over with one of `results`. */
  readonly live?: { readonly notices: readonly string[]; readonly results?: readonly string[] };
  readonly measures: readonly Measure[];
  /** These are the rules of the preset Everything, which has no filters. */
  readonly defaultRules: readonly ThresholdRule[];
  /** A new entry begins with this, which is what a busy channel wants. */
  readonly important: PresetPart;
  readonly most: PresetPart;
  readonly sound: Sound;
  size(facts: F, stage: string): EventSize;
  /** These examples are shown as they are typed after the kind. */
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

/** It is the largest change from an earlier value, in percent without a sign. It is undefined if an earlier value is zero. */
export function largestChange(now: Decimal | undefined, earlier: readonly (Decimal | undefined)[]): Decimal | undefined {
  if (now === undefined) return undefined;
  const changes = earlier.flatMap((before) => (before === undefined ? [] : [percentChange(before, now)]));
  const known = changes.filter((change) => change !== undefined).map(absolute);
  return known.length < changes.length ? undefined : known.toSorted((a, b) => compare(b, a))[0];
}

/** It sizes an event by its stored facts. Facts that cannot be read have no size, so they pass every filter. */
export const sizeOf = <F>(kind: Pick<AlertKind<F>, 'size'>, facts: F | undefined, stage: string): EventSize =>
  facts === undefined ? { noun: 'change' } : kind.size(facts, stage);
