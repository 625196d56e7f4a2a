/** Limits the rate and concurrency of requests. Questions precede polls without starving them, and people take turns. */
import PQueue from 'p-queue';
import { FULL, paceAt, slowed } from '../base/backoff.js';
import { MINUTE, SECOND, type Clock } from '../base/clock.js';
import { signalOnce } from '../base/when-ready.js';
import type { Instant } from '../domain/scalars.js';

export type Priority = 'question' | 'poll';
const RANK = { poll: 0, question: 1 } as const satisfies Record<Priority, number>;
/** The rank above that of every question. */
const FIRST = 2;
/** How much each waiting question of a person lowers the rank of the next one. It never falls behind a poll. */
const TURN = 1 / 1_000;
/** The most questions in a row while polls wait. */
const IN_A_ROW = 4;
/** How long it takes to return to the full rate after a 429. */
const RECOVERY = 10 * MINUTE;

export interface Turn {
  readonly id: string;
  readonly priority: Priority;
  /** The person who waits for the call, if any. */
  readonly asker?: string | undefined;
  readonly signal: AbortSignal;
  /** Awaited at the head of the queue, before the rate limit. */
  readonly ready?: () => Promise<void>;
}

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly concurrency: number;
}

export class RateLimiter {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** Only the head of the queue waits for rate and slot, so a question overtakes all polls behind it. */
  readonly #line = new PQueue({ concurrency: 1 });
  readonly #slots: PQueue;
  /** The rank of each waiting call. */
  readonly #waiting = new Map<string, number>();
  readonly #askers = new Map<string, string>();
  readonly #polls = new Map<string, AbortSignal>();
  readonly #burst: number;
  #starts: readonly Instant[] = [];
  #pace = FULL;
  /** The poll that precedes every question. */
  #first: string | undefined;
  #inARow = 0;

  constructor({ clock, perSecond, concurrency }: RateLimiterOptions) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#slots = new PQueue({ concurrency });
    this.#burst = Math.max(1, Math.floor(perSecond));
  }

  async run<T>(work: () => Promise<T>, turn: Turn): Promise<T> {
    const { id, priority, asker, signal } = turn;
    const rank = priority === 'poll' ? RANK.poll : this.#rankOf(asker);
    this.#waiting.set(id, rank);
    if (priority === 'poll') this.#polls.set(id, signal);
    else if (asker !== undefined) this.#askers.set(id, asker);
    const { result } = await this.#line
      .add(
        async () => {
          this.#heads(id);
          await this.#turn(turn);
          return this.#begin(work, signal);
        },
        { id, priority: rank, signal },
      )
      .finally(() => this.#leaves(id));
    return result;
  }

  /** Raises the rank of a call, because a question of `asker` also waits for it. */
  hasten(id: string, asker: string | undefined): void {
    const [before, rank] = [this.#waiting.get(id), this.#rankOf(asker)];
    if (before === undefined || id === this.#first || before >= rank) return;
    this.#polls.delete(id);
    this.#waiting.set(id, rank);
    this.#line.setPriority(id, rank);
  }

  /** Lowers the rate after a 429. */
  slow(): void {
    this.#pace = slowed(this.#pace, this.#clock.now(), RECOVERY);
  }

  /** Returns the current rate in requests per second. */
  pace(): number {
    return this.#perSecond * paceAt(this.#pace, this.#clock.now(), RECOVERY);
  }

  /** Starts a call. The queue continues when the call has started, not when it has ended. */
  async #begin<T>(work: () => Promise<T>, signal: AbortSignal): Promise<{ readonly result: Promise<T> }> {
    const { done: begun, signal: begin } = signalOnce();
    const result = this.#slots.add(
      async () => {
        begin();
        return work();
      },
      { signal },
    );
    await Promise.race([begun, result]);
    return { result };
  }

  #nextStart(): number {
    const earliest = this.#starts.length < this.#burst ? undefined : this.#starts[0];
    const window = (this.#burst / this.#perSecond) * SECOND;
    return earliest === undefined ? 0 : earliest + window / paceAt(this.#pace, this.#clock.now(), RECOVERY);
  }

  #rankOf(asker: string | undefined): number {
    const own = asker === undefined ? 0 : [...this.#askers.values()].filter((other) => other === asker).length;
    return RANK.question - Math.min(own * TURN, (RANK.question - RANK.poll) / 2);
  }

  #leaves(id: string): void {
    this.#waiting.delete(id);
    this.#askers.delete(id);
    this.#polls.delete(id);
    if (this.#first === id) this.#first = undefined;
  }

  #heads(id: string): void {
    this.#inARow = this.#polls.has(id) ? 0 : this.#inARow + 1;
    this.#leaves(id);
    if (this.#inARow < IN_A_ROW || this.#first !== undefined) return;
    // Aborted polls have left the queue.
    this.#first = [...this.#polls].find(([, signal]) => !signal.aborted)?.[0];
    if (this.#first !== undefined) this.#line.setPriority(this.#first, FIRST);
  }

  async #turn({ signal, ready = async () => {} }: Turn): Promise<void> {
    for (;;) {
      // Checked again, because a pause may have begun during the sleep.
      await ready();
      const wait = this.#nextStart() - this.#clock.now();
      if (wait <= 0) break;
      await this.#clock.sleep(wait, signal);
    }
    this.#starts = [...this.#starts, this.#clock.now()].slice(-this.#burst);
  }
}
