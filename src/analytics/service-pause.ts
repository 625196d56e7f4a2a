/** Keeps the pause that the service requests with a 429. Single requests test it before its end, because a wrong time must not silence the bot. */
import { backoff, type Backoff } from '../base/backoff.js';
import { HOUR, instant, later, MINUTE, SECOND, type Clock, type Instant } from '../base/clock.js';
import { unlessAborted } from '../base/deadline.js';
import type { Priority } from './rate-limiter.js';

/** The longest wait of each priority after the first refusal, and after many in a row. */
const WAITS = {
  question: { first: MINUTE, most: 15 * MINUTE },
  poll: { first: 15 * MINUTE, most: HOUR },
} as const satisfies Record<Priority, Backoff>;

/** The shortest pause, which also applies if the service states none. It doubles with each refusal in a row. */
const SHORTEST = { first: 0.5 * SECOND, most: MINUTE };

export interface PauseState {
  /** The end of the pause as stated by the service; undefined if it stated none or the time has passed. */
  readonly askedUntil: Instant | undefined;
  /** When the next question may try, and the next check. */
  readonly questionsFrom: Instant;
  readonly checksFrom: Instant;
}

/** A request during a possible pause. The caller must report an outcome; only the first one counts. */
export interface Trial {
  /** The service gave any response but a 429 or a failure of its own. */
  answered(): void;
  /** The service answered 429. `wait` is the time until the next attempt and `requested` the stated one, in milliseconds. */
  refused(wait: number, requested?: number): void;
  /** The request ended without information about the pause. If it `wasSent`, the next one waits as after a refusal. */
  ended(wasSent: boolean): void;
}

export interface PausedTurn {
  readonly priority: () => Priority;
  /** The latest deadline of the callers. */
  readonly by: () => Instant;
  readonly signal: AbortSignal;
  /** Makes the error for a caller that would wait too long. */
  readonly refusal: () => Error;
}

interface Refusal {
  readonly at: Instant;
  /** Attempts up to this number began before the refusal. */
  readonly attempts: number;
  /** Refusals in a row. */
  readonly count: number;
  readonly until: Instant;
  readonly askedUntil: Instant | undefined;
  readonly from: Readonly<Record<Priority, Instant>>;
}

export class ServicePause {
  readonly #clock: Clock;
  #attempts = 0;
  #refusal: Refusal | undefined;
  #running: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns when the next request may be made. The time is in the past if there is no pause. */
  from(priority: Priority): Instant {
    const refusal = this.#current();
    return refusal === undefined ? instant(0) : refusal.from[priority];
  }

  /** Returns undefined if there is no pause. */
  state(): PauseState | undefined {
    const refusal = this.#current();
    const now = this.#clock.now();
    if (refusal === undefined || refusal.until <= now) return undefined;
    const { askedUntil, from } = refusal;
    return {
      askedUntil: askedUntil !== undefined && askedUntil > now ? askedUntil : undefined,
      questionsFrom: from.question,
      checksFrom: from.poll,
    };
  }

  /** Resolves when a request may be made. Rejects with `refusal` if that is after the deadline, or for a check in a long pause. */
  async ready({ priority, by, signal, refusal }: PausedTurn): Promise<void> {
    for (;;) {
      const [from, now] = [this.from(priority()), this.#clock.now()];
      if (from > now) {
        // A waiting check would delay the questions behind it.
        if (from >= by() || from > this.from('question')) throw refusal();
        await this.#clock.sleep(from - now, signal);
      } else if (this.#running === undefined) return;
      else await unlessAborted(signal, this.#running);
    }
  }

  begin(): Trial {
    const number = (this.#attempts += 1);
    let end = (): void => {};
    if (this.state() !== undefined) {
      const running = new Promise<void>((resolve) => {
        end = () => {
          if (this.#running === running) this.#running = undefined;
          resolve();
        };
      });
      this.#running = running;
    }
    let isOver = false;
    const once = (settle: (isAfterRefusal: boolean) => void): void => {
      if (isOver) return;
      isOver = true;
      settle(number > (this.#refusal?.attempts ?? 0));
      end();
    };
    return {
      answered: () => once((isAfterRefusal) => (this.#refusal = isAfterRefusal ? undefined : this.#refusal)),
      refused: (wait, requested) => once((isAfterRefusal) => this.#refuse({ wait, requested }, isAfterRefusal)),
      ended: (wasSent) =>
        once((isAfterRefusal) => {
          if (wasSent && isAfterRefusal && this.#refusal !== undefined) this.#refusal = this.#delayed(this.#refusal);
        }),
    };
  }

  #current(): Refusal | undefined {
    // A refusal in the future is ignored: the clock was set back.
    return this.#refusal === undefined || this.#refusal.at > this.#clock.now() ? undefined : this.#refusal;
  }

  /** Records a refusal. Concurrent requests count as one refusal, with the longest wait. */
  #refuse({ wait, requested }: { wait: number; requested: number | undefined }, isNew: boolean): void {
    const now = this.#clock.now();
    const before = this.#current();
    const count = (before?.count ?? 0) + (isNew || before === undefined ? 1 : 0);
    const together = isNew ? undefined : before;
    const until = instant(Math.max(together?.until ?? 0, later(now, Math.max(wait, backoff(SHORTEST, count)))));
    const asked = Math.max(together?.askedUntil ?? 0, requested === undefined ? 0 : later(now, requested));
    const askedUntil = asked === 0 ? undefined : instant(asked);
    this.#refusal = this.#delayed({ at: now, attempts: this.#attempts, count, until, askedUntil, from: { question: now, poll: now } });
  }

  #delayed(refusal: Refusal): Refusal {
    const from = (priority: Priority): Instant =>
      instant(Math.min(refusal.until, later(this.#clock.now(), backoff(WAITS[priority], refusal.count))));
    return { ...refusal, from: { question: from('question'), poll: from('poll') } };
  }
}
