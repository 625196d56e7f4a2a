/** In which order waiting checks start: round robin over the chats for first checks, lateness for all others. Pure but for the order it keeps. */
import { MINUTE, type Instant } from '../../base/clock.js';

/** How long one check may take, with every page it reads; then it counts as failed and its slot is free again. */
export const CHECK_DEADLINE = 5 * MINUTE;

/** How many checks run at once; the client paces their requests, this bounds how many stand before it. */
export const MAX_RUNNING = 16;

/** How many of them may be first checks, so that the checks that ran before always keep the other half. */
export const MAX_FIRST_RUNNING = MAX_RUNNING / 2;

/** In milliseconds: how long the slots kept for checks that ran before need to run each once when all take the whole deadline. */
export const roundOf = (checks: number): number => Math.ceil(checks / (MAX_RUNNING - MAX_FIRST_RUNNING)) * CHECK_DEADLINE;

interface Late {
  /** When it became due. */
  readonly at: Instant;
  /** Milliseconds between two runs, as planned. */
  readonly every: number;
}

/**
 * Late checks, the next one first: by lateness relative to the interval, but what is a whole round late goes first, oldest first. So each starts
 * within two rounds, however short the intervals of the others are.
 */
export function byLateness<T extends Late>(checks: readonly T[], { now, round }: { now: Instant; round: number }): readonly T[] {
  const late = ({ at }: Late): number => now - at;
  const overdue = checks.filter((one) => late(one) >= round).toSorted((a, b) => a.at - b.at);
  const relative = (one: Late): number => late(one) / one.every;
  return [...overdue, ...checks.filter((one) => late(one) < round).toSorted((a, b) => relative(b) - relative(a) || a.at - b.at)];
}

/** A line of owners who take turns: whose turn it was goes to the end, and whoever is new joins there. */
export interface Rotation<T> {
  /** Adds those who are new and drops those who are not named; the others keep their places. */
  keep(owners: ReadonlySet<T>): void;
  join(owner: T): void;
  /** The first in line for whom `pick` finds something; their turn is over. */
  next<R>(pick: (owner: T) => R | undefined): R | undefined;
}

export function createTurns<T>(): Rotation<T> {
  const line = new Set<T>();
  return {
    keep(owners) {
      for (const owner of line) if (!owners.has(owner)) line.delete(owner);
      for (const owner of owners) line.add(owner);
    },
    join: (owner) => void line.add(owner),
    next(pick) {
      for (const owner of line) {
        const found = pick(owner);
        if (found === undefined) continue;
        line.delete(owner);
        line.add(owner);
        return found;
      }
      return undefined;
    },
  };
}
