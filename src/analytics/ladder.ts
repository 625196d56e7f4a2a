/** How far a team's tranches are from being unlocked: the time-weighted price against the next threshold. Pure. */
import type { Cliff, Tranche, UnlockPoint } from './endpoints/holders.js';
import { compare, multiply, percentChange } from '../domain/decimal.js';
import type { Decimal, Instant } from '../domain/scalars.js';

/** What a tranche needs, and where the price stands against it. */
export interface LadderTranche extends Tranche {
  readonly unlocked: boolean;
  /** Whether the time-weighted price is there already; undefined where either is unknown. */
  readonly reached: boolean | undefined;
  /** By how many percent the time-weighted price must still rise, below zero where it is above; undefined where either is unknown. */
  readonly distance: Decimal | undefined;
}

/** Unlocked tranches are told by this word; any other means that tokens are still to come. */
const isUnlocked = (state: string | undefined): boolean => state?.toLowerCase() === 'unlocked';

/** In the order in which they unlock. Where a threshold is not told it is the ICO price times the multiple. */
export const rungsOf = (tranches: readonly Tranche[], twap: Decimal | undefined): readonly LadderTranche[] =>
  tranches
    .toSorted((a, b) => a.order - b.order)
    .map((one): LadderTranche => {
      const { icoPrice, multiplier } = one;
      const threshold = one.threshold ?? (icoPrice === undefined || multiplier === undefined ? undefined : multiply(icoPrice, multiplier));
      const known = threshold !== undefined && twap !== undefined;
      return {
        ...one,
        threshold,
        unlocked: isUnlocked(one.state),
        reached: known ? compare(twap, threshold) >= 0 : undefined,
        distance: known ? percentChange(twap, threshold) : undefined,
      };
    });

/** The first tranche whose price is yet to come; where no price is known, the first that is not unlocked. */
export const nextRung = (rungs: readonly LadderTranche[]): LadderTranche | undefined =>
  rungs.find(({ unlocked, reached }) => !unlocked && reached !== true);

/** Tranches whose price is there and that are not unlocked: they wait for the cliff, or for the service to say so. */
export const waiting = (rungs: readonly LadderTranche[]): readonly LadderTranche[] =>
  rungs.filter(({ unlocked, reached }) => !unlocked && reached === true);

/** The latest time-weighted price that is no projection. */
export const twapNow = (points: readonly UnlockPoint[], now: Instant): { readonly at: Instant; readonly twap: Decimal } | undefined =>
  points
    .flatMap(({ at, twap }) => (twap === undefined || at > now ? [] : [{ at, twap }]))
    .toSorted((a, b) => a.at - b.at)
    .at(-1);

/** Whether the cliff is behind, by what the service says of it, else by the clock; undefined where nobody knows. */
export const isPast = (cliff: Cliff | undefined, now: Instant): boolean | undefined =>
  cliff?.passed ?? (cliff?.at === undefined ? undefined : cliff.at <= now);
