/** Calls booked by one write: bounds what a crash overcounts. Pure. */

const MAX_BLOCK = 20;
const MAX_PART_OF_LIMIT = 1 / 500;
/** Blocks shrink towards the limit. */
const MAX_PART_LEFT = 1 / 10;
const WITHOUT_LIMIT = 200;

export interface CallBlock {
  readonly limit: number | undefined;
  readonly left: number;
  /** Since the start. */
  readonly made: number;
}

export function blockSize({ limit, left, made }: CallBlock): number {
  const most = limit === undefined ? WITHOUT_LIMIT : Math.min(MAX_BLOCK, limit * MAX_PART_OF_LIMIT, left * MAX_PART_LEFT);
  return Math.max(1, Math.floor(Math.min(most, made)));
}
