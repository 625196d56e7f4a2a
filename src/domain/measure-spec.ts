/** What a measure of threshold rules says of itself, and how its values are written. */
import { absolute, percentChange } from './decimal.js';
import { exact, share, usdLimit } from './format.js';
import type { Decimal } from './scalars.js';

/** The sign `$` precedes the value and the other units follow it; a z-score has none. */
export type Unit = '$' | '%' | 'points' | 'months' | 'days' | 'places' | '';

export interface ValueRange {
  readonly least: string;
  readonly most: string;
  readonly unit: Unit;
}

export interface Threshold extends ValueRange {
  /** The value must return by so much until the rule can alert again. */
  readonly hysteresis: ValueRange & {
    /** The default is fixed or in percent of the threshold. */
    readonly usual: { readonly fixed: string } | { readonly percent: string };
    readonly offered: readonly string[];
    readonly example: string;
  };
  /** The simplest example comes first. */
  readonly examples: readonly [string, ...string[]];
  /** Crossing zero has words of its own, such as "NAV" for a premium of 0. */
  readonly zero?: { readonly name: string; readonly value: (value: Decimal) => string };
  /** An example is "6-month"; without it the threshold is written as a value. */
  readonly adjective?: (threshold: Decimal) => string;
}

export interface MeasureSpec {
  readonly kind: 'premium' | 'treasury' | 'wallet' | 'proposals';
  /** A topic's values end with it, such as with one market; a subject has one series as long as it is watched. */
  readonly of: 'subject' | 'topic';
  /** The side of 0 decides something, so that a rule can watch for a flip. */
  readonly flips: boolean;
  /** Every value is an occurrence of its own, such as a trade: nothing lasts that a rule would have to wait for. */
  readonly each: boolean;
  /** Feeds keep the values of the last hours, so that a move within a time can be measured. */
  readonly recent: boolean;
  /** This is the measure's field in the treasury overview. */
  readonly overview?: string;
  /** The name stands within sentences. */
  readonly name: string;
  /** The threshold is absent for measures that have move rules only. */
  readonly threshold?: Threshold;
  /** A move counts since the last alerted value. */
  readonly move: ValueRange & { readonly by: 'difference' | 'percent'; readonly example: string };
  readonly change: boolean;
  readonly lowerIsBetter: boolean;
  /** An example is "17.2% below NAV". */
  readonly value: (value: Decimal) => string;
  /** It shows two digits, or as many as the value needs. */
  readonly brief: (value: Decimal) => string;
  /** It words the earlier value in a sentence that also has the new one. */
  readonly before: (from: Decimal, now: Decimal) => string;
  /** An example is "Tidewater's NAV". */
  readonly subject: (who: string) => string;
  /** An example is " by 12%"; it is empty where the size is unknown. */
  readonly moved: (since: Decimal, now: Decimal, token: string) => string;
  readonly ends: (since: Decimal, now: Decimal) => string | undefined;
}

export const DOLLARS: ValueRange = { least: '0.01', most: '1000000000000', unit: '$' };
export const PERCENT: ValueRange = { least: '0.01', most: '100000', unit: '%' };
export const SIZE_RANGES = { usd: DOLLARS, percent: PERCENT } as const;

/** Gives "$10K", "−20%", "6 months" or "5 pts". */
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
  recent: false,
  change: false,
  lowerIsBetter: false,
  subject: (who: string) => who,
  moved: movedByPercent,
  ends: () => undefined,
} as const satisfies Partial<MeasureSpec>;
