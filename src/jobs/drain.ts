/** Delivers what is due, chats in parallel, one run per chat at a time. A tick costs only chats with something due. */
import { deliver, dueAt, type DeliverContext } from '../alerts/delivery/deliver.js';
import { SECOND, type Instant } from '../base/clock.js';
import { dueIndex } from '../base/due-index.js';
import type { Address } from '../chat/address.js';

export interface Drain {
  /** Does not wait for the deliveries. */
  tick(): void;
  idle(): Promise<void>;
  /** Waits briefly for current attempts; the rest stays recorded as "sending". */
  stop(): Promise<void>;
}

const PATIENCE = 4 * SECOND;

/** At process start: missed events gather from then on. */
export function createDrain(needs: Omit<DeliverContext, 'running'>): Drain {
  const { queues, watchlists, clock, log } = needs;
  const context: DeliverContext = { ...needs, running: clock.now() };
  const stopping = new AbortController();
  const running = new Map<Address, Promise<void>>();
  const failing = new Set<Address>();
  const index = dueIndex<Address>();
  const changed = new Set<Address>();
  /** The first tick visits every queue. */
  let lastTick: Instant | undefined;
  queues.onChange((address) => changed.add(address));
  watchlists.onChange((address) => changed.add(address));

  const run = async (address: Address): Promise<void> => {
    try {
      await deliver(address, context, stopping.signal);
      if (failing.delete(address)) log.info('drain.well-again', { address });
    } catch (cause) {
      // The store failed: the next tick retries. Logged once per outage.
      if (!failing.has(address) && !stopping.signal.aborted) log.error('drain.failed', { address, cause });
      failing.add(address);
    } finally {
      running.delete(address);
      changed.add(address);
    }
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running.values());
  };

  return {
    tick() {
      if (stopping.signal.aborted) return;
      const now = clock.now();
      // After the clock was set back all due times change.
      if (lastTick === undefined || now < lastTick) for (const { address } of queues.all()) changed.add(address);
      lastTick = now;
      for (const address of changed) if (!running.has(address)) index.set(address, dueAt(queues.read(address), { ...context, now }));
      changed.clear();
      for (const address of index.take(now)) if (!running.has(address)) running.set(address, run(address));
    },
    idle,
    async stop() {
      stopping.abort();
      const answered = new AbortController();
      await Promise.race([idle(), clock.sleep(PATIENCE, answered.signal).catch(() => {})]);
      answered.abort();
    },
  };
}
