/** Rate limiter: questions before polls without starving them, people in turn, limited starts and concurrency. */
import PQueue from 'p-queue';
import { MINUTE, SECOND, type Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import { FULL, paceAt, slowed } from '../base/adaptive-rate.js';

export type Priority = 'question' | 'poll';
const RANK = { poll: 0, question: 1 } as const satisfies Record<Priority, number>;
/** Above every question. */
const FIRST = 2;
/** Each question that a person has waiting puts the next one so much further back, though never behind a poll. */
const TURN = 1 / 1_000;
/** Questions in a row while polls wait. */
const IN_A_ROW = 4;
/** After a 429, to full speed. */
const RECOVERY = 10 * MINUTE;

export interface Turn {
  readonly id: string;
  readonly priority: Priority;
  /** The person who waits for it, if any. */
  readonly asker?: string | undefined;
  readonly signal: AbortSignal;
  /** Awaited at the head of the queue, before the rate. Default: at once. */
  readonly ready?: () => Promise<void>;
}

export interface RateLimiter {
  run<T>(work: () => Promise<T>, turn: Turn): Promise<T>;
  /** A question of `asker` waits for this call as well. */
  hasten(id: string, asker: string | undefined): void;
  /** After a 429. */
  slow(): void;
  /** Requests per second. */
  pace(): number;
}

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly concurrency: number;
}

export function createRateLimiter({ clock, perSecond, concurrency }: RateLimiterOptions): RateLimiter {
  // Only the head of the queue waits for rate and slot, so a question overtakes all other polls.
  const line = new PQueue({ concurrency: 1 });
  const slots = new PQueue({ concurrency });
  const waiting = new Map<string, number>();
  const askers = new Map<string, string>();
  const polls = new Map<string, AbortSignal>();
  let first: string | undefined;
  let inARow = 0;
  const burst = Math.max(1, Math.floor(perSecond));
  const window = (burst / perSecond) * SECOND;
  let starts: readonly Instant[] = [];
  let pace = FULL;

  const nextStart = (): number => {
    const first = starts.length < burst ? undefined : starts[0];
    return first === undefined ? 0 : first + window / paceAt(pace, clock.now(), RECOVERY);
  };

  const rankOf = (asker: string | undefined): number => {
    const own = asker === undefined ? 0 : [...askers.values()].filter((other) => other === asker).length;
    return RANK.question - Math.min(own * TURN, (RANK.question - RANK.poll) / 2);
  };

  const leaves = (id: string): void => {
    waiting.delete(id);
    askers.delete(id);
    polls.delete(id);
    if (first === id) first = undefined;
  };

  const heads = (id: string): void => {
    inARow = polls.has(id) ? 0 : inARow + 1;
    leaves(id);
    if (inARow < IN_A_ROW || first !== undefined) return;
    // Aborted ones have left the queue.
    first = [...polls].find(([, signal]) => !signal.aborted)?.[0];
    if (first !== undefined) line.setPriority(first, FIRST);
  };

  const turn = async ({ signal, ready = async () => {} }: Turn): Promise<void> => {
    for (;;) {
      // A pause may have begun during the sleep.
      await ready();
      const wait = nextStart() - clock.now();
      if (wait <= 0) break;
      await clock.sleep(wait, signal);
    }
    starts = [...starts, clock.now()].slice(-burst);
  };

  return {
    async run(work, own) {
      const { id, priority, asker, signal } = own;
      const rank = priority === 'poll' ? RANK.poll : rankOf(asker);
      waiting.set(id, rank);
      if (priority === 'poll') polls.set(id, signal);
      else if (asker !== undefined) askers.set(id, asker);
      const { result } = await line
        .add(
          async () => {
            heads(id);
            await turn(own);
            let begin = (): void => {};
            const begun = new Promise<void>((resolve) => {
              begin = resolve;
            });
            const result = slots.add(
              async () => {
                begin();
                return work();
              },
              { signal },
            );
            // The queue continues when this call has started, not when it has ended.
            await Promise.race([begun, result]);
            return { result };
          },
          { id, priority: rank, signal },
        )
        .finally(() => leaves(id));
      return result;
    },
    hasten(id, asker) {
      const [before, rank] = [waiting.get(id), rankOf(asker)];
      if (before === undefined || id === first || before >= rank) return;
      polls.delete(id);
      waiting.set(id, rank);
      line.setPriority(id, rank);
    },
    slow() {
      pace = slowed(pace, clock.now(), RECOVERY);
    },
    pace: () => perSecond * paceAt(pace, clock.now(), RECOVERY),
  };
}
