/** Edits of one message run one after another, and those of an earlier question are left out once a later one is shown. */
import { RecentMap } from '../base/bounded-cache.js';
import { lanes } from '../base/lanes.js';

const MAX_REMEMBERED = 1_000;

export class MessageOrder {
  readonly #lane = lanes();
  readonly #shown = new RecentMap<string, number>(MAX_REMEMBERED);
  #taken = 0;

  /** A ticket is taken when the question is asked; `key` is the message to edit, where there is one. */
  take(key?: string): EditTicket {
    this.#taken += 1;
    return this.#ticket(this.#taken, key);
  }

  #ticket(number: number, key: string | undefined): EditTicket {
    let begun = false;
    const self: EditTicket = {
      on: (other) => (other === key ? self : this.#ticket(number, other)),
      run: async (work) => {
        if (key === undefined) return work().then(() => true);
        return this.#lane.run(key, async () => {
          const latest = this.#shown.get(key);
          // A message that was forgotten since this question began was edited by a thousand others meanwhile.
          if (begun ? latest !== number : latest !== undefined && latest > number) return false;
          begun = true;
          this.#shown.set(key, number);
          await work();
          return true;
        });
      },
    };
    return self;
  }
}

export interface EditTicket {
  /** Resolves with false, without running the work, where the answer to a later question is shown. */
  run(work: () => Promise<void>): Promise<boolean>;
  /** The same question's place among the edits of this message. */
  on(key: string): EditTicket;
}
