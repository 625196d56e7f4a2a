/** This module paces the requests of checks: no hour, start or `/watch` may spend more than a part of the remaining budget. */
import type { BudgetState } from '../analytics/analytics.js';
import { DAY, HOUR, MINUTE, type Instant } from '../base/clock.js';

/** The part of the remaining budget for checks that one hour may spend, and the minimum. */
const HOURLY_PART = 1 / 40;
const MIN_HOURLY = 15;
/** Factor of the hourly limit for requests that confirm a list's change. */
const CONFIRMING_FACTOR = 2;

/** The requests of confirmations are averaged over this time. */
const AVERAGED_OVER = 7 * DAY;

/**
 * Counts the requests of the last hour that were not for questions, and those that confirmed lists. After a restart it counts from
 * zero.
 */
export class CheckPace {
  #confirming: { readonly at: Instant; readonly perMs: number } | undefined;

  /** Oldest first, at most one sample a minute. */
  readonly #samples: { readonly at: Instant; readonly spent: number }[] = [];

  /** Returns the requests that checks may still make in this hour; infinite without a monthly limit. */
  left(budget: BudgetState, now: Instant, isConfirming = false): number {
    const { used, questions = 0, forChecks } = budget;
    if (forChecks === undefined) return Number.POSITIVE_INFINITY;
    const spent = used - questions;
    const newest = this.#samples.at(-1);
    // A new month began, or the clock was set back.
    if (newest !== undefined && (newest.at > now || newest.spent > spent)) this.#samples.length = 0;
    if (this.#samples.length === 0 || now - (this.#samples.at(-1)?.at ?? 0) >= MINUTE) this.#samples.push({ at: now, spent });
    while (this.#samples.length > 1 && (this.#samples[0]?.at ?? now) <= now - HOUR) this.#samples.shift();
    const most = Math.max(MIN_HOURLY, forChecks * HOURLY_PART) * (isConfirming ? CONFIRMING_FACTOR : 1);
    return Math.min(forChecks, most - (spent - (this.#samples[0]?.spent ?? spent)));
  }

  /** Must be called after a check that was made to confirm a list's change. */
  confirmed(requests: number, now: Instant): void {
    if (this.#confirming !== undefined)
      this.#confirming = { at: now, perMs: this.#decayed(now, this.#confirming) + requests / AVERAGED_OVER };
  }

  /** Returns the average requests per ms of such checks, which starts from `first`. */
  confirming(now: Instant, first: number): number {
    this.#confirming ??= { at: now, perMs: first };
    return this.#decayed(now, this.#confirming);
  }

  #decayed(now: Instant, { at, perMs }: { readonly at: Instant; readonly perMs: number }): number {
    return perMs * Math.exp(-Math.max(0, now - at) / AVERAGED_OVER);
  }
}
