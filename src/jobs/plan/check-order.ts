/** This module orders waiting checks: first checks in rotation over chats, others by lateness. */
import { MINUTE, type Instant } from '../../base/clock.js';

/** Time after which a check fails, with all its pages. */
export const CHECK_DEADLINE = 5 * MINUTE;

export const MAX_RUNNING = 16;

/** Late checks always keep half of the slots. */
export const MAX_FIRST_RUNNING = MAX_RUNNING / 2;

/** Returns the ms in which the slots for late checks can run every check once. */
export const roundOf = (checks: number): number => Math.ceil(checks / (MAX_RUNNING - MAX_FIRST_RUNNING)) * CHECK_DEADLINE;

interface Late {
  readonly at: Instant;
  readonly every: number;
}

/** Sorts late checks by lateness relative to their interval. Those late by a whole round come first. */
export function byLateness<T extends Late>(checks: readonly T[], { now, round }: { now: Instant; round: number }): readonly T[] {
  const late = ({ at }: Late): number => now - at;
  const overdue = checks.filter((one) => late(one) >= round).toSorted((a, b) => a.at - b.at);
  const relative = (one: Late): number => late(one) / one.every;
  return [...overdue, ...checks.filter((one) => late(one) < round).toSorted((a, b) => relative(b) - relative(a) || a.at - b.at)];
}

export interface Rotation<T> {
  /** Removes owners that are not in `owners`. The others keep their place. */
  keep(owners: ReadonlySet<T>): void;
  join(owner: T): void;
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
