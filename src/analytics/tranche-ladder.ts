/** Compares the time-weighted price with the thresholds of tranches. Pure. */
import type { Cliff, Tranche, UnlockPoint } from './endpoints/holders.js';
import { compare, multiply, percentChange } from '../domain/decimal.js';
import type { Decimal, Instant } from '../domain/scalars.js';

export interface LadderTranche extends Tranche {
  readonly unlocked: boolean;
  readonly reached: boolean | undefined;
  /** The distance from the TWAP to the threshold in percent; negative if the TWAP is above it. */
  readonly distance: Decimal | undefined;
}

const isUnlocked = (state: string | undefined): boolean => state?.toLowerCase() === 'unlocked';

/** Returns the tranches in the order of unlocking, with their distances. */
export const ladderOf = (tranches: readonly Tranche[], twap: Decimal | undefined): readonly LadderTranche[] =>
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

/** Returns the first tranche whose threshold is not reached, or for which there is no price. */
export const nextTranche = (tranches: readonly LadderTranche[]): LadderTranche | undefined =>
  tranches.find(({ unlocked, reached }) => !unlocked && reached !== true);

/** Returns the tranches that reached their threshold and wait for the cliff or the service. */
export const waiting = (tranches: readonly LadderTranche[]): readonly LadderTranche[] =>
  tranches.filter(({ unlocked, reached }) => !unlocked && reached === true);

/** Returns the latest TWAP that is not a projection. */
export const twapNow = (points: readonly UnlockPoint[], now: Instant): { readonly at: Instant; readonly twap: Decimal } | undefined =>
  points
    .flatMap(({ at, twap }) => (twap === undefined || at > now ? [] : [{ at, twap }]))
    .toSorted((a, b) => a.at - b.at)
    .at(-1);

/** Tells whether a cliff is past, according to the service or else to the clock. */
export const isPast = (cliff: Cliff | undefined, now: Instant): boolean | undefined =>
  cliff?.passed ?? (cliff?.at === undefined ? undefined : cliff.at <= now);
