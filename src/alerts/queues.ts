/** The queue documents and their one writer. */
import { lanes } from '../base/lanes.js';
import type { Address } from '../chat/address.js';
import type { Store } from '../store/store.js';
import { createAddresses } from './addresses.js';
import { emptyQueue, queueSchema, type Queue } from './queue.js';

export interface Queues {
  read(address: Address): Queue;
  /** Changes a chat's queue; concurrent changes run one after another. Resolves, durable, with the queue as it is then. */
  change(address: Address, edit: (before: Queue) => Queue): Promise<Queue>;
  all(): readonly Queue[];
  /** The addresses with a queue behind this one: itself and its topics. */
  under(address: Address): readonly Address[];
  /** Calls back with each address whose queue was changed or forgotten, once that is durable. */
  onChange(listener: (address: Address) => void): void;
  /** Forgets a chat's queue with its receipts. */
  forget(address: Address): Promise<void>;
}

/** Reads every queue. Rejects when one cannot be read: going on without it would lose what waits there, or tell it twice. */
export async function openQueues(store: Store): Promise<Queues> {
  const documents = store.collection({ prefix: 'queue', schema: queueSchema, version: 1 });
  const { found, unreadable } = await documents.list();
  const [broken] = unreadable;
  if (broken)
    throw new Error(
      `alerts: the queue ${broken.key} cannot be read (${broken.because}); restore a backup of the store, or remove that document`,
    );
  const queues = new Map<Address, Queue>(found.map(([, queue]) => [queue.address, queue]));
  const addresses = createAddresses(queues.keys());
  const writer = lanes();
  const listeners: ((address: Address) => void)[] = [];
  const announce = (address: Address): void => {
    for (const listener of listeners) listener(address);
  };
  const read = (address: Address): Queue => queues.get(address) ?? emptyQueue(address);
  return {
    read,
    all: () => [...queues.values()],
    under: (address) => addresses.under(address),
    onChange: (listener) => void listeners.push(listener),
    change: async (address, edit) =>
      writer.run(address, async () => {
        const before = read(address);
        const after = edit(before);
        if (after === before) return before;
        await documents.set(address, after);
        queues.set(address, after);
        addresses.add(address);
        announce(address);
        return after;
      }),
    forget: async (address) =>
      writer.run(address, async () => {
        await documents.delete(address);
        queues.delete(address);
        addresses.delete(address);
        announce(address);
      }),
  };
}
