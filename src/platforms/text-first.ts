/** Shows the text of a reply first, then its picture. */
import type { Clock } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Picture } from '../chat/pictures.js';
import type { Attached, Prepared } from './attachments.js';
import { openMessageOrder, type DisplayTicket } from './edit-order.js';

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
