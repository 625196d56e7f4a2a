/** This module delivers what is due, and edits sent messages at the same time. */
import { deliver, deliveryDelay, dueAt, openTopicsOf, type DeliverContext, type DeliveryDelay } from '../alerts/delivery/deliver.js';
import { revise, revisionDue } from '../alerts/delivery/edits-of-sent.js';
import type { Address } from '../chat/address.js';
import { ChatRuns } from './chat-runs.js';

export interface Drain extends Pick<ChatRuns, 'tick' | 'running' | 'idle' | 'stop'> {
  /** Returns chats whose next delivery takes much longer than usual. */
  delays(): ReadonlyMap<Address, DeliveryDelay>;
}

/** Starts delivering. Events missed in a downtime gather from now on. A delivery that a stop interrupts stays recorded as "sending". */
export function createDrain(needs: Omit<DeliverContext, 'running' | 'openTopics' | 'outcomes'>): Drain {
  const { queues, watchlists, clock, log, topics } = needs;
  const context: DeliverContext = { ...needs, running: clock.now(), openTopics: openTopicsOf(needs), outcomes: new Map() };
  const watch = (changed: (address: Address) => void): void => {
    queues.onChange(changed);
    watchlists.onChange(changed);
  };
  const alerts = new ChatRuns({
    ...{ name: 'drain', queues, clock, log, watch },
    dueAt: (queue, now) => dueAt(queue, { ...context, now }),
    run: async (address, signal) => deliver(address, context, signal),
  });
  const edits =
    topics &&
    new ChatRuns({
      ...{ name: 'edits', queues, clock, log },
      dueAt: (queue) => revisionDue(queue, context),
      run: async (address, signal, rest) => revise(address, { ...context, rest }, signal),
      watch(changed) {
        watch(changed);
        topics.onChange((topic) => {
          for (const address of queues.followed.by(topic)) changed(address);
        });
      },
    });
  return {
    tick() {
      alerts.tick();
      edits?.tick();
    },
    running: () => alerts.running(),
    delays() {
      const now = clock.now();
      const found = new Map<Address, DeliveryDelay>();
      for (const [address, runSince] of alerts.running()) {
        const delay = deliveryDelay(queues.read(address), { ...context, now, runSince });
        if (delay !== undefined) found.set(address, delay);
      }
      return found;
    },
    idle: async () => void (await Promise.all([alerts.idle(), edits?.idle()])),
    stop: async () => void (await Promise.all([alerts.stop(), edits?.stop()])),
  };
}
