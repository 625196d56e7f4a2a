/** Orders the edits of a message by the age of their questions. */
import { lanes } from '../base/lanes.js';

export interface DisplayTicket {
  readonly key?: string | undefined;
  /** False, without running, where a later answer is shown. */
  run(work: () => Promise<void>): Promise<boolean>;
  on(key: string): DisplayTicket;
}

export interface MessageOrder {
  take(key?: string): DisplayTicket;
}

const MAX_REMEMBERED = 1_000;

export function openMessageOrder(): MessageOrder {
  const lane = lanes();
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
