/**
 * Who may call now: questions before polls (but never all polls), so many starts in any window, so many at once, and nobody while the service
 * asked for a pause.
 * All waiting is done on the clock's port, so nothing here keeps a process alive once the signals are aborted.
 */
import PQueue from 'p-queue';
import { SECOND, type Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import { FULL, paceAt, slowed } from '../base/pace.js';

export type Priority = 'question' | 'poll';
const RANK = { poll: 0, question: 1 } as const satisfies Record<Priority, number>;
/** Before every question. */
const FIRST = 2;
/** While polls wait, one goes after so many questions in a row: whoever asks without end must not stop every check. */
const IN_A_ROW = 4;

export interface Gate {
  /** Runs `work` when its turn comes; rejects with its error, or with the signal's reason. */
  run<T>(work: () => Promise<T>, turn: { readonly id: string; readonly priority: Priority; readonly signal: AbortSignal }): Promise<T>;
  /** What waits under this id becomes a question. */
  hasten(id: string): void;
  /** Lets nobody through before `until`. */
  hold(until: Instant): void;
  /** The service said that we ask too fast: from now on more slowly, and faster again with time. */
  slow(): void;
  /** Requests a second that are allowed now. */
  pace(): number;
  /** The moment before which nobody is let through; in the past when all may pass. */
  heldUntil(): Instant;
}

export interface GateOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly concurrency: number;
}

export function createGate({ clock, perSecond, concurrency }: GateOptions): Gate {
  // Only the head of the line waits for pace and for a slot, so a question overtakes every poll but that one.
  const line = new PQueue({ concurrency: 1 });
  const slots = new PQueue({ concurrency });
  const waiting = new Set<string>();
  /** Those of them that wait as polls, the oldest first. */
  const polls = new Map<string, AbortSignal>();
  /** The poll that goes before every question. */
  let first: string | undefined;
  let inARow = 0;
  const burst = Math.max(1, Math.floor(perSecond));
  const window = (burst / perSecond) * SECOND;
  let starts: readonly Instant[] = [];
  let held = clock.now();
  let pace = FULL;

  /** The earliest moment at which one more may start. */
  const nextStart = (): number => {
    const first = starts.length < burst ? undefined : starts[0];
    return Math.max(held, first === undefined ? 0 : first + window / paceAt(pace, clock.now()));
  };

  const leaves = (id: string): void => {
    waiting.delete(id);
    polls.delete(id);
    if (first === id) first = undefined;
  };

  /** Called when one becomes the head of the line, so before the next one is chosen. */
  const heads = (id: string): void => {
    inARow = polls.has(id) ? 0 : inARow + 1;
    leaves(id);
    if (inARow < IN_A_ROW || first !== undefined) return;
    // An aborted one has left the line already.
    first = [...polls].find(([, signal]) => !signal.aborted)?.[0];
    if (first !== undefined) line.setPriority(first, FIRST);
  };

  const turn = async (signal: AbortSignal): Promise<void> => {
    // Looked at again after each sleep: the pause may have grown meanwhile.
    for (let wait = nextStart() - clock.now(); wait > 0; wait = nextStart() - clock.now()) await clock.sleep(wait, signal);
    starts = [...starts, clock.now()].slice(-burst);
  };

  return {
    async run(work, { id, priority, signal }) {
      waiting.add(id);
      if (priority === 'poll') polls.set(id, signal);
      const { result } = await line
        .add(
          async () => {
            heads(id);
            await turn(signal);
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
            // The next one's turn comes when this one has begun, not when it has ended.
            await Promise.race([begun, result]);
            return { result };
          },
          { id, priority: RANK[priority], signal },
        )
        .finally(() => leaves(id));
      return result;
    },
    hasten(id) {
      if (!waiting.has(id) || id === first) return;
      polls.delete(id);
      line.setPriority(id, RANK.question);
    },
    hold(until) {
      if (until > held) held = until;
    },
    slow() {
      pace = slowed(pace, clock.now());
    },
    pace: () => perSecond * paceAt(pace, clock.now()),
    heldUntil: () => held,
  };
}
