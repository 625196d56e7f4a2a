/** Shows an answer's text as soon as it is known, and adds its picture when it is drawn. */
import type { Clock } from '../base/clock.js';
import { pause } from '../base/pause.js';
import type { Attached, Picture, Prepared } from './attachments.js';
import { openMessageOrder, type DisplayTicket } from './message-order.js';

/** How one platform shows an answer. Each runs while nothing else changes the message. */
export interface DisplaySteps {
  /** Everything in one go. Resolves with the key of the message where the picture must follow all the same. */
  whole(attached: Attached): Promise<string | undefined>;
  /** The text, which must not stand beside an older picture. Resolves with the key of the message that it is in. */
  text(prepared: Prepared): Promise<string>;
  /**
   * What the text went without; `attached.picture` is undefined where none could be drawn. It changes the message inside `ticket.run` only.
   * Rejecting leaves the text as it is.
   */
  rest(attached: Attached, ticket: DisplayTicket): Promise<void>;
}

export interface TextFirst {
  /** To be taken when something is asked, with the key of the message that the answer changes. */
  ticket(key?: string): DisplayTicket;
  /**
   * Resolves when the text is shown: false where a later answer to `ticket` was shown first. Rejects where the text could not be shown.
   * The picture follows in the background unless `signal` aborts before it is drawn.
   */
  show(prepared: Prepared, steps: DisplaySteps, how: { readonly ticket: DisplayTicket; readonly signal: AbortSignal }): Promise<boolean>;
  /** Resolves when no picture is waited for. */
  idle(): Promise<void>;
}

/** A picture that is ready so soon comes together with its text. A cold thread needs seconds, so nobody waits for that one. */
export const TOGETHER_WITHIN = 250;

const PENDING: unique symbol = Symbol('still being drawn');

export function openTextFirst({ clock, onFailure }: { clock: Clock; onFailure: (error: unknown) => void }): TextFirst {
  const order = openMessageOrder();
  const pending = new Set<Promise<void>>();

  async function soon({ picture, isCold }: Prepared): Promise<Picture | undefined | typeof PENDING> {
    // A picture that is kept from before is there at once all the same.
    if (isCold === true) return Promise.race([picture, pause().then((): typeof PENDING => PENDING)]);
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

  /** Adds the rest to a message that shows the text. Never rejects. */
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

/** Resolves with undefined when the signal aborts first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, aborted(signal, done.signal)]);
  } finally {
    done.abort();
  }
}

/** Resolves when the signal aborts; never, and listens no more, once `until` aborted before. */
export const aborted = async (signal: AbortSignal, until?: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    const end = (): void => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    until?.addEventListener('abort', () => signal.removeEventListener('abort', end));
  });
