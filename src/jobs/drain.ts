/** Delivers what is due, and edits live messages beside it. */
import { deliver, deliveryDelay, dueAt, openTopicsOf, type DeliverContext, type DeliveryDelay } from '../alerts/delivery/deliver.js';
import { revise, revisionDue } from '../alerts/delivery/edits-of-sent.js';
import type { Address } from '../chat/address.js';
import { createChatRuns, type ChatRuns } from './chat-runs.js';

/** The rest stays recorded as "sending". */
export interface Drain extends ChatRuns {
  /** Chats whose next delivery takes much longer than planned. */
  delays(): ReadonlyMap<Address, DeliveryDelay>;
}

/** Missed events gather from the start on. */
export function createDrain(needs: Omit<DeliverContext, 'running' | 'openTopics' | 'outcomes'>): Drain {
  const { queues, watchlists, clock, log, topics } = needs;
  const context: DeliverContext = { ...needs, running: clock.now(), openTopics: openTopicsOf(needs), outcomes: new Map() };
  const alerts = createChatRuns({
    name: 'drain',
    queues,
    clock,
    log,
    dueAt: (queue, now) => dueAt(queue, { ...context, now }),
    run: async (address, signal) => deliver(address, context, signal),
    watch(changed) {
      queues.onChange(changed);
      watchlists.onChange(changed);
    },
  });
  const delays = (): ReadonlyMap<Address, DeliveryDelay> => {
    const now = clock.now();
    const found = new Map<Address, DeliveryDelay>();
    for (const [address, runSince] of alerts.running()) {
      const delay = deliveryDelay(queues.read(address), { ...context, now, runSince });
      if (delay !== undefined) found.set(address, delay);
    }
    return found;
  };
  if (topics === undefined) return { ...alerts, delays };
  const edits = createChatRuns({
    name: 'edits',
    queues,
    clock,
    log,
    dueAt: (queue) => revisionDue(queue, context),
    run: async (address, signal, rest) => revise(address, { ...context, rest }, signal),
    watch(changed) {
      queues.onChange(changed);
      watchlists.onChange(changed);
      topics.onChange((topic) => {
        for (const address of queues.followed.by(topic)) changed(address);
      });
    },
  });
  return {
    tick() {
      alerts.tick();
      edits.tick();
    },
    running: () => alerts.running(),
    delays,
    idle: async () => void (await Promise.all([alerts.idle(), edits.idle()])),
    stop: async () => void (await Promise.all([alerts.stop(), edits.stop()])),
  };
}
