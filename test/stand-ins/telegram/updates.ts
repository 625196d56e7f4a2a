/** The queue of updates and the long poll on it: it really waits, an offset confirms, and a newer poll fails the older one. */
import type { Update } from 'grammy/types';
import type { Clock } from '../../../src/base/clock.js';
import { Refusal } from './refusal.js';

export type UpdateBody = Omit<Update, 'update_id'>;

export interface Poll {
  readonly offset: number;
  readonly limit: number;
  /** Seconds; 0 does not wait. */
  readonly timeout: number;
  /** Remembered until another list comes; undefined changes nothing, empty means the usual ones. */
  readonly allowed: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export interface Updates {
  /** Queues it where the bot asked for its kind. */
  push(body: UpdateBody): void;
  /** Queues it in any case. */
  force(body: UpdateBody): Update;
  /** Rejects with 409 when a newer poll begins to wait, with the signal's reason when the caller goes away. */
  poll(poll: Poll): Promise<readonly Update[]>;
  drop(): void;
  /** Resolves when one that `isReady` waits for a webhook, or the signal aborts. */
  forWebhook(signal: AbortSignal, isReady: (update: Update) => boolean): Promise<void>;
  /** What is ready may have changed. */
  wake(): void;
  /** Whether updates go to a webhook from now on. */
  toWebhook(on: boolean, kinds?: readonly string[]): void;
  confirm(id: number): void;
  readonly pending: readonly Update[];
  readonly polling: boolean;
}

/** What a bot hears only when it asks for it by name. */
const ONLY_ON_REQUEST = ['chat_member', 'message_reaction', 'message_reaction_count'];

const HOOKED = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const CONFLICT = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

export function createUpdates(clock: Clock, changed: () => void): Updates {
  let queue: Update[] = [];
  let nextId = 700_000_001;
  let allowed: readonly string[] = [];
  const hook = { on: false, wake: (): void => undefined };
  let waiting: { readonly wake: () => void; readonly fail: (cause: Refusal) => void } | undefined;

  const force = (body: UpdateBody): Update => {
    const update = { update_id: nextId, ...body };
    nextId += 1;
    queue.push(update);
    waiting?.wake();
    hook.wake();
    changed();
    return update;
  };

  const wait = async ({ timeout, signal }: Poll): Promise<void> => {
    signal.throwIfAborted();
    const over = new AbortController();
    const abort = () => over.abort(signal.reason);
    let mine: typeof waiting;
    signal.addEventListener('abort', abort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        waiting?.fail(new Refusal(409, CONFLICT));
        waiting = mine = { wake: resolve, fail: reject };
        clock.sleep(timeout * 1_000, over.signal).then(resolve, reject);
        changed();
      });
    } finally {
      signal.removeEventListener('abort', abort);
      over.abort(new Error('the poll is over'));
      // Not where a newer poll took the place already.
      if (waiting === mine) waiting = undefined;
    }
  };

  const woken = async (signal: AbortSignal): Promise<void> =>
    new Promise<void>((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      hook.wake = end;
      signal.addEventListener('abort', end);
    });

  return {
    push(body) {
      const [kind = ''] = Object.keys(body);
      if (allowed.length === 0 ? !ONLY_ON_REQUEST.includes(kind) : allowed.includes(kind)) force(body);
    },
    force,
    async poll(poll) {
      if (hook.on) throw new Refusal(409, HOOKED);
      if (poll.allowed) allowed = poll.allowed;
      if (poll.offset < 0) queue = queue.slice(poll.offset);
      else queue = queue.filter(({ update_id: id }) => id >= poll.offset);
      if (queue.length === 0 && poll.timeout > 0) await wait(poll);
      return queue.slice(0, poll.limit);
    },
    wake: () => hook.wake(),
    async forWebhook(signal, isReady) {
      const isIdle = (): boolean => !signal.aborted && (!hook.on || !queue.some(isReady));
      while (isIdle()) await woken(signal);
    },
    toWebhook(on, kinds) {
      hook.on = on;
      if (kinds) allowed = kinds;
      if (on) waiting?.fail(new Refusal(409, HOOKED));
      hook.wake();
      changed();
    },
    confirm(id) {
      queue = queue.filter(({ update_id: other }) => other !== id);
      changed();
    },
    drop() {
      queue = [];
      changed();
    },
    get pending() {
      return [...queue];
    },
    get polling() {
      return waiting !== undefined;
    },
  };
}
