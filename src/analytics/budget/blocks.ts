/** How many calls are booked with one durable write. A crash counts those of them that were not made, so this bounds what it can cost. Pure. */

const MAX_BLOCK = 20;
const MAX_PART_OF_LIMIT = 1 / 500;
/** Near the end of what is left, calls are booked one by one. */
const MAX_PART_LEFT = 1 / 10;
const WITHOUT_LIMIT = 200;

export interface CallBlock {
  readonly limit: number | undefined;
  /** Calls that may still be made, by who makes this one. */
  readonly left: number;
  /** Calls made since the start: a bot that crashes again and again at most doubles what it counts. */
  readonly made: number;
}

/** At least 1, and never more than what is left. */
export function blockSize({ limit, left, made }: CallBlock): number {
  const most = limit === undefined ? WITHOUT_LIMIT : Math.min(MAX_BLOCK, limit * MAX_PART_OF_LIMIT, left * MAX_PART_LEFT);
  return Math.max(1, Math.floor(Math.min(most, made)));
}
