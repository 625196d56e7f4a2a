/** Declares the properties of a measure for threshold rules, and writes values in its unit. */
import { absolute, percentChange } from './decimal.js';
import { exact, share, usdLimit } from './format.js';
import type { Decimal } from './scalars.js';

/** `$` precedes the value, the other units follow it. A z-score has none. */
export type Unit = '$' | '%' | 'points' | 'months' | 'days' | 'places' | '';

export interface ValueRange {
  readonly least: string;
  readonly most: string;
  readonly unit: Unit;
}

export interface Threshold extends ValueRange {
  /** How far the value must return before the rule can alert again. */
  readonly hysteresis: ValueRange & {
    /** The default, either fixed or in percent of the threshold. */
    readonly usual: { readonly fixed: string } | { readonly percent: string };
    readonly offered: readonly string[];
    readonly example: string;
  };
  /** The simplest example comes first. */
  readonly examples: readonly [string, ...string[]];
  /** Special words for a threshold of zero, such as "NAV" for a premium of 0. */
  readonly zero?: { readonly name: string; readonly value: (value: Decimal) => string };
  /** For example "6-month". Without it the threshold is written as a value. */
  readonly adjective?: (threshold: Decimal) => string;
}

export interface MeasureSpec {
  readonly kind: 'premium' | 'treasury' | 'wallet' | 'proposals';
  /** `topic`: values belong to a topic such as a market and end with it. `subject`: one series for as long as the subject is watched. */
  readonly of: 'subject' | 'topic';
  /** The sign has a meaning, so that a rule can watch for a flip. */
  readonly flips: boolean;
  /** Every value is a separate occurrence, such as a trade, so rules need no hysteresis. */
  readonly each: boolean;
  /** The value of one topic never falls, so no threshold below it is crossed. */
  readonly grows: boolean;
  /** Feeds keep the values of the last hours, for rules on a move within a time. */
  readonly recent: boolean;
  /** The field of the measure in the treasury overview. */
  readonly overview?: string;
  /** The name within a sentence. */
  readonly name: string;
  /** Absent for measures that have move rules only. */
  readonly threshold?: Threshold;
  /** How a move is measured since the last alerted value. */
  readonly move: ValueRange & { readonly by: 'difference' | 'percent'; readonly example: string };
  readonly change: boolean;
  readonly lowerIsBetter: boolean;
  /** For example "17.2% below NAV". */
  readonly value: (value: Decimal) => string;
  /** Writes two digits, or as many as the value needs. */
  readonly brief: (value: Decimal) => string;
  /** Words the earlier value in a sentence that also has the new one. */
  readonly before: (from: Decimal, now: Decimal) => string;
  /** For example "Tidewater's NAV". */
  readonly subject: (who: string) => string;
  /** For example " by 12%"; empty if the size is unknown. */
  readonly moved: (since: Decimal, now: Decimal, token: string) => string;
  readonly ends: (since: Decimal, now: Decimal) => string | undefined;
}

export const DOLLARS: ValueRange = { least: '0.01', most: '1000000000000', unit: '$' };
export const PERCENT: ValueRange = { least: '0.01', most: '100000', unit: '%' };
export const SIZE_RANGES = { usd: DOLLARS, percent: PERCENT } as const;

/** Returns "$10K", "−20%", "6 months" or "5 pts". */
export function written(value: Decimal, unit: Unit): string {
  if (unit === '$') return usdLimit(value);
  const text = exact(value);
  if (unit === '%') return `${text}%`;
  if (unit === 'points') return `${text} ${text === '1' ? 'pt' : 'pts'}`;
  return `${text} ${text === '1' ? unit.replace(/s$/u, '') : unit}`.trimEnd();
}

const movedByPercent = (since: Decimal, now: Decimal): string => {
  const moved = percentChange(since, now);
  return moved === undefined ? '' : ` by ${share(absolute(moved))}`;
};

export const plain = {
  of: 'subject',
  flips: false,
  each: false,
  grows: false,
  recent: false,
  change: false,
  lowerIsBetter: false,
  subject: (who: string) => who,
  moved: movedByPercent,
  ends: () => undefined,
} as const satisfies Partial<MeasureSpec>;
