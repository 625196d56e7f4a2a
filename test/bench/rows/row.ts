/** What the rows of the table share. */
import type { Taken } from '../programs/taken.js';

/** How long a run may take. */
export interface Scale {
  /** About a minute for everything, on smaller numbers. */
  readonly quick: boolean;
  readonly repetitions: number;
}

/** Percent of the permitted rate. The first second is left out: a full second may be sent at once, and whoever spreads it loses nothing. */
export const usedOf = ({ later, span }: Taken, perSecond: number): number => (100 * later) / (perSecond * ((span - 1_000) / 1_000));
