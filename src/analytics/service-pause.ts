/** The pause that the service asks for with a 429. It is tested before its end, one request at a time: a wrong time must not silence the bot. */
import { backoff, type Backoff } from '../base/backoff.js';
import { HOUR, instant, later, MINUTE, SECOND, type Clock, type Instant } from '../base/clock.js';
import { unlessAborted } from '../base/deadline.js';
import type { Priority } from './rate-limiter.js';

/** This is how long each priority waits at most after the first refusal, and after many in a row. */
const WAITS = {
  question: { first: MINUTE, most: 15 * MINUTE },
  poll: { first: 15 * MINUTE, most: HOUR },
} as const satisfies Record<Priority, Backoff>;

/** The shortest pause, also where the service states none: it doubles with each refusal in a row. */
const SHORTEST = { first: 0.5 * SECOND, most: MINUTE };

export interface PauseState {
  /** The service asked for a pause until then; it is undefined where it stated no time, or that time has passed. */
  readonly askedUntil: Instant | undefined;
  /** When the next question may try, and the next check. */
  readonly questionsFrom: Instant;
  readonly checksFrom: Instant;
}

/** A request while the service may ask for a pause. It must be ended; only the first outcome counts. */
export interface Trial {
  /** The service gave any response but a 429 or a failure of its own. */
  answered(): void;
  /** The service answered 429. `wait` says how long until the next attempt, in ms, and `requested` what the service stated. */
  refused(wait: number, requested?: number): void;
  /** The request says nothing about the pause. If it `wasSent`, the next try waits as after a refusal. */
  ended(wasSent: boolean): void;
}

export interface PausedTurn {
  readonly priority: () => Priority;
  /** The latest deadline of whoever waits. */
  readonly by: () => Instant;
  readonly signal: AbortSignal;
  /** The error for whoever would wait too long. */
  readonly refusal: () => Error;
}

interface Refusal {
  readonly at: Instant;
  /** Attempts up to this number began before it. */
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

  /** A request may be made from then on, which is in the past where there is no pause. */
  from(priority: Priority): Instant {
    const refusal = this.#current();
    return refusal === undefined ? instant(0) : refusal.from[priority];
  }

  /** It is undefined where there is no pause. */
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

  /** Resolves when a request may be made. Rejects with the refusal where that is after the deadline, or for a check in a long pause. */
  async ready({ priority, by, signal, refusal }: PausedTurn): Promise<void> {
    for (;;) {
      const [from, now] = [this.from(priority()), this.#clock.now()];
      if (from > now) {
        // A check that waits here would hold up the questions behind it.
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
    // A refusal in the future predates a clock that was set back.
    return this.#refusal === undefined || this.#refusal.at > this.#clock.now() ? undefined : this.#refusal;
  }

  /** Requests that were under way together are one refusal, with the longest wait. */
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
