/** Paces the requests of checks: no hour, start or `/watch` spends more than a part of what is left. */
import type { BudgetState } from '../analytics/analytics.js';
import { DAY, HOUR, MINUTE, type Instant } from '../base/clock.js';

/** The part of what is left for checks that one hour may spend, and the least it may. */
const HOURLY_PART = 1 / 40;
const MIN_HOURLY = 15;
/** Requests that confirm a list's change may spend as much again. */
const CONFIRMING_FACTOR = 2;

/** The requests of confirmations are averaged over this time. */
const AVERAGED_OVER = 7 * DAY;

/**
 * Counts the requests of the last hour that are no questions, and those that confirmed what lists showed. After a restart it counts from
 * the start.
 */
export class CheckPace {
  #confirming: { readonly at: Instant; readonly perMs: number } | undefined;

  /** The samples are ordered from the oldest on, at most one a minute. */
  readonly #samples: { readonly at: Instant; readonly spent: number }[] = [];

  /** Requests that checks may still make in this hour; infinite without a monthly limit. */
  left(budget: BudgetState, now: Instant, isConfirming = false): number {
    const { used, questions = 0, forChecks } = budget;
    if (forChecks === undefined) return Number.POSITIVE_INFINITY;
    const spent = used - questions;
    const newest = this.#samples.at(-1);
    // A new month, or a clock that was set back.
    if (newest !== undefined && (newest.at > now || newest.spent > spent)) this.#samples.length = 0;
    if (this.#samples.length === 0 || now - (this.#samples.at(-1)?.at ?? 0) >= MINUTE) this.#samples.push({ at: now, spent });
    while (this.#samples.length > 1 && (this.#samples[0]?.at ?? now) <= now - HOUR) this.#samples.shift();
    const most = Math.max(MIN_HOURLY, forChecks * HOURLY_PART) * (isConfirming ? CONFIRMING_FACTOR : 1);
    return Math.min(forChecks, most - (spent - (this.#samples[0]?.spent ?? spent)));
  }

  /** It is called after a check that confirmed what a list showed. */
  confirmed(requests: number, now: Instant): void {
    if (this.#confirming !== undefined)
      this.#confirming = { at: now, perMs: this.#decayed(now, this.#confirming) + requests / AVERAGED_OVER };
  }

  /** Returns requests per millisecond, or `first` at the first call. */
  confirming(now: Instant, first: number): number {
    this.#confirming ??= { at: now, perMs: first };
    return this.#decayed(now, this.#confirming);
  }

  #decayed(now: Instant, { at, perMs }: { readonly at: Instant; readonly perMs: number }): number {
    return perMs * Math.exp(-Math.max(0, now - at) / AVERAGED_OVER);
  }
}
