/** Orders the edits of a message: one at a time, and never an older answer over a newer one. */
import { lanes } from '../base/lanes.js';

/** One answer, as old as its question, on the message of its key. */
export interface DisplayTicket {
  /** Absent while the answer has no message. */
  readonly key?: string | undefined;
  /** Runs when no other edit of the message is under way. False, without running, where a later answer is shown there. */
  run(work: () => Promise<void>): Promise<boolean>;
  /** The same answer, on the message of this key. */
  on(key: string): DisplayTicket;
}

export interface MessageOrder {
  /** A ticket for a question that is asked now. */
  take(key?: string): DisplayTicket;
}

/** Messages whose latest answer is remembered: far more than pictures being drawn. */
const MAX_REMEMBERED = 1_000;

export function openMessageOrder(): MessageOrder {
  const lane = lanes();
  /** The number of the answer that each message shows, the latest at the end. */
  const shown = new Map<string, number>();
  let taken = 0;

  function note(key: string, number: number): void {
    shown.delete(key);
    shown.set(key, number);
    const [oldest] = shown.keys();
    if (shown.size > MAX_REMEMBERED && oldest !== undefined) shown.delete(oldest);
  }

  const ticket = (number: number, key: string | undefined): DisplayTicket => {
    let begun = false;
    const self: DisplayTicket = {
      key,
      on: (other) => (other === key ? self : ticket(number, other)),
      run: async (work) => {
        if (key === undefined) return work().then(() => true);
        return lane.run(key, async () => {
          const latest = shown.get(key);
          // One that was dropped since it began is too old as well.
          if (begun ? latest !== number : latest !== undefined && latest > number) return false;
          begun = true;
          note(key, number);
          await work();
          return true;
        });
      },
    };
    return self;
  };

  return { take: (key) => ticket((taken += 1), key) };
}
