/** Delivers whatever is due, chat by chat, side by side; one delivery run per chat at a time. */
import { deliver, dueAt, type DeliverContext } from '../alerts/deliver.js';
import type { Queue } from '../alerts/queue.js';
import type { Chat } from '../alerts/watchlists.js';
import type { Instant } from '../base/clock.js';
import type { Address } from '../chat/address.js';

export interface Drain {
  /** Starts delivering in every chat where something is due; does not wait for it. */
  tick(): void;
  /** Resolves when no delivery is under way. */
  idle(): Promise<void>;
  /** Lets attempts that have begun finish and starts no other. */
  stop(): Promise<void>;
}

/** Made when the process starts: from then on it can deliver, and what was missed before has time to come in. */
export function createDrain(needs: Omit<DeliverContext, 'running'>): Drain {
  const context: DeliverContext = { ...needs, running: needs.clock.now() };
  const stopping = new AbortController();
  const running = new Map<Address, Promise<void>>();
  const failing = new Set<Address>();
  const known = new WeakMap<Queue, { readonly chat: Chat; readonly at: Instant; readonly due: Instant | undefined }>();

  /** When something is due, worked out once for as long as the chat and its queue stay as they are: thousands may wait for the end of a mute. */
  const dueFor = (queue: Queue, now: Instant): Instant | undefined => {
    const chat = context.watchlists.read(queue.address);
    const before = known.get(queue);
    if (before?.chat === chat && before.at <= now && (before.due === undefined || before.due > now)) return before.due;
    const due = dueAt(queue, { ...context, now });
    known.set(queue, { chat, at: now, due });
    return due;
  };

  const run = async (address: Address): Promise<void> => {
    try {
      await deliver(address, context, stopping.signal);
      if (failing.delete(address)) context.log.info('drain.well-again', { address });
    } catch (cause) {
      // The store failed: what is sealed stays sealed, and the next tick tries again. Said once, not every second.
      if (!failing.has(address)) context.log.error('drain.failed', { address, cause });
      failing.add(address);
    } finally {
      running.delete(address);
    }
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running.values());
  };

  return {
    tick() {
      if (stopping.signal.aborted) return;
      const now = context.clock.now();
      for (const queue of context.queues.all()) {
        if (running.has(queue.address)) continue;
        const at = dueFor(queue, now);
        if (at !== undefined && at <= now) running.set(queue.address, run(queue.address));
      }
    },
    idle,
    async stop() {
      stopping.abort();
      await idle();
    },
  };
}
