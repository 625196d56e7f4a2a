/** Shows the text of a reply first, then its picture; the edits of a message in the order of their questions. */
import type { Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Picture } from '../chat/pictures.js';
import type { Attached, Prepared } from './attachments.js';

/** Nothing else edits the message meanwhile. */
export interface DisplaySteps {
  /** The message's key where the picture must still follow. */
  whole(attached: Attached): Promise<string | undefined>;
  /** Without an older picture. Resolves with the message's key. */
  text(prepared: Prepared): Promise<string>;
  /** Edits only inside `ticket.run`. */
  rest(attached: Attached, ticket: DisplayTicket): Promise<void>;
}

export interface TextFirst {
  /** When a question is asked; `key`: the message to edit. */
  ticket(key?: string): DisplayTicket;
  /** False where a later answer was first. Rejects where the text could not be shown. */
  show(prepared: Prepared, steps: DisplaySteps, how: { readonly ticket: DisplayTicket; readonly signal: AbortSignal }): Promise<boolean>;
  idle(): Promise<void>;
}

/** Then the picture is sent with its text. */
export const TOGETHER_WITHIN = 250;

const PENDING: unique symbol = Symbol('still being drawn');

export function openTextFirst({ clock, onFailure }: { clock: Clock; onFailure: (error: unknown) => void }): TextFirst {
  const order = openMessageOrder();
  const pending = new Set<Promise<void>>();

  async function soon({ picture, isCold }: Prepared): Promise<Picture | undefined | typeof PENDING> {
    // A cached picture is there at once all the same.
    if (isCold === true) return Promise.race([picture, yieldToEventLoop().then((): typeof PENDING => PENDING)]);
    const over = new AbortController();
    const late = clock.sleep(TOGETHER_WITHIN, over.signal).then(
      (): typeof PENDING => PENDING,
      () => undefined,
    );
    try {
      return await Promise.race([picture, late]);
    } finally {
      over.abort(new Error('drawn'));
    }
  }

  /** Never rejects. */
  async function follow(
    prepared: Prepared,
    { steps, ticket, signal }: { steps: DisplaySteps; ticket: DisplayTicket; signal: AbortSignal },
  ): Promise<void> {
    const picture = await unlessAborted(prepared.picture, signal);
    if (signal.aborted) return;
    await steps.rest({ ...prepared, picture }, ticket).catch(onFailure);
  }

  return {
    ticket: (key) => order.take(key),
    async show(prepared, steps, { ticket, signal }) {
      const picture = await soon(prepared);
      let key: string | undefined;
      const isShown = await ticket.run(async () => {
        key = picture === PENDING ? await steps.text(prepared) : await steps.whole({ ...prepared, picture });
      });
      if (!isShown || key === undefined) return isShown;
      const work = follow(prepared, { steps, ticket: ticket.on(key), signal }).finally(() => pending.delete(work));
      pending.add(work);
      return true;
    },
    async idle() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, aborted(signal, done.signal)]);
  } finally {
    done.abort();
  }
}

/** Never resolves once `until` aborted before. */
export const aborted = async (signal: AbortSignal, until?: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    const end = (): void => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    until?.addEventListener('abort', () => signal.removeEventListener('abort', end));
  });

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
