/** What the rows of the table share. */
import type { Taken } from '../programs/taken.js';

/** How long a run may take. */
export interface Scale {
  /** About a minute for everything, on smaller numbers. */
  readonly quick: boolean;
  readonly repetitions: number;
  /** Of a row that measures several numbers of chats: only this one. */
  readonly chats?: number | undefined;
  /** A figure as soon as it is measured. */
  readonly say: (line: string) => void;
}

/** Percent of the permitted rate. The first second is left out: a full second may be sent at once, and whoever spreads it loses nothing. */
export const usedOf = ({ later, span }: Taken, perSecond: number): number => (100 * later) / (perSecond * ((span - 1_000) / 1_000));
