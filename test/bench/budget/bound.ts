/**
 * The stated bound: the least weighted mean age that a month's requests allow a scheduler which knows that the lists are right. It reads pages of lists
 * only, evenly, and beside them what confirms each event once. Pure.
 */

export interface Sweep {
  /** Requests of one reading: pages of a list, or the endpoints of a project that no page shows. */
  readonly calls: number;
  /** What its facts weigh together. */
  readonly weight: number;
}

export interface BoundInput {
  readonly requests: number;
  readonly confirmations: number;
  readonly sweeps: readonly Sweep[];
  /** Milliseconds that the requests last, and the shortest interval between two readings. */
  readonly lasts: number;
  readonly floor: number;
}

/**
 * A fact read every T is T/2 old on average. The sum of w T/2 under sum of c/T = R is least where T = u * sqrt(c/w). Readings below the floor stay at
 * it, and the rest share what these leave. Undefined: the confirmations alone take everything.
 */
export function leastMeanAge({ requests, confirmations, sweeps, lasts, floor }: BoundInput): number | undefined {
  const rate = (requests - confirmations) / lasts;
  if (rate <= 0) return undefined;
  const rootOf = ({ calls, weight }: Sweep): number => Math.sqrt(calls / weight);
  let free = sweeps.filter(({ weight }) => weight > 0);
  const weight = free.reduce((sum, one) => sum + one.weight, 0);
  let left = rate;
  let atFloor = 0;
  while (free.length > 0) {
    const level = free.reduce((sum, one) => sum + Math.sqrt(one.calls * one.weight), 0) / left;
    const floored = free.filter((one) => level * rootOf(one) <= floor);
    if (floored.length === 0)
      return (atFloor * floor + free.reduce((sum, one) => sum + one.weight * level * rootOf(one), 0)) / (2 * weight);
    free = free.filter((one) => !floored.includes(one));
    for (const one of floored) {
      left -= one.calls / floor;
      atFloor += one.weight;
    }
  }
  return floor / 2;
}
