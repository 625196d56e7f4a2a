/** This is how long to wait between tries that fail, in ms. */
export interface Backoff {
  readonly first: number;
  readonly most: number;
}

/** The first wait after one failure, doubled with each further one in a row. */
export const backoff = ({ first, most }: Backoff, failures: number): number => Math.min(most, first * 2 ** (Math.max(1, failures) - 1));

/** Half of a wait to all of it, so that what failed together is not tried again together. `random` is from 0 to 1. */
export const jittered = (wait: number, random: number): number => wait * (0.5 + random / 2);
