/** This module holds queue documents and is their only writer. */
import type { Address } from '../../chat/address.js';
import type { Instant } from '../../domain/scalars.js';
import type { Collection, Store } from '../../store/store.js';
import { Addresses, ChatDocuments, type When } from '../watchlist/chat-documents.js';
import { emptyQueue, lastAlert, queueSchema, waitingIn, type Queue } from './queue.js';
import { ReceiptPages, type Receipt } from './receipts.js';

export interface Queues {
  /**
   * Resolves when all queues are loaded; until then only changed ones are known. Rejects if one is unreadable: alerts would be lost or
   * repeated.
   */
  readonly loaded: Promise<void>;
  /** Reads a queue. An idle one may have only its newest receipt in memory. */
  read(address: Address): Queue;
  /** Changes a queue, one change at a time; resolves when durable. */
  change(address: Address, edit: (before: Queue) => Queue): Promise<Queue>;
  /** Deletes pages whose receipts all ended before `before`. */
  expirePages(address: Address, before: Instant): Promise<void>;
  all(): readonly Queue[];
  /** Returns the chats whose queue has something waiting, being sent or shown by a live message, without a scan. */
  busy(): Iterable<Address>;
  under(address: Address): readonly Address[];
  /** Returns all receipts, including those in pages, newest first. */
  receipts(address: Address): Promise<readonly Receipt[]>;
  /** Must be called before a check's events are routed, and with no events when that is done. */
  routing(from: string, events: readonly string[]): void;
  /** Must be called once all events of a crash are routed: ids of routed events can then be trimmed. */
  recovered(): void;
  readonly followed: Pick<FollowedTopics, 'has' | 'by'>;
  onChange(listener: (address: Address) => void): void;
  forget(address: Address): Promise<void>;
}

export const MAX_WHOLE_IDLE = 1_000;

export const queueCollection = (store: Store): Collection<Queue> => store.collection({ prefix: 'queue', schema: queueSchema, version: 1 });

interface LoadingQueues extends Queues, Pick<ChatDocuments<Queue>, 'fetch'> {}

/** Opens queues and loads all. Rejects if one is unreadable. */
export async function openQueues(store: Store): Promise<Queues> {
  const queues = startQueues(store);
  await queues.loaded;
  return queues;
}

/**
 * Opens queues and loads them in the background. Until `loaded` resolves, only fetched or changed ones are known. Busy ones call
 * `onChange`.
 */
export function startQueues(store: Store, when: When = {}): LoadingQueues {
  const collection = queueCollection(store);
  const memory = new QueueMemory(async (address) => collection.get(address));
  const documents: ChatDocuments<Queue> = new ChatDocuments({
    ...{ collection, name: 'queue', ...when },
    memory: {
      read: async (address) => memory.readWhole(address),
      keep: (queue) => memory.keep(queue),
      delete: (address) => memory.delete(address),
      load(queue) {
        memory.keep(queue);
        if (memory.busy.has(queue.address)) documents.announce(queue.address);
      },
    },
  });
  const pages = new ReceiptPages(store);
  const routings = new Routings();
  const edit = async (address: Address, change: (before: Queue) => Promise<Queue>): Promise<Queue> =>
    documents.change(address, change, async (before, after) => {
      if (after.pages !== before.pages) await pages.release(address, before, after);
    });
  return {
    ...{ loaded: documents.loaded, fetch: documents.fetch, onChange: documents.onChange, followed: memory.followed },
    read: (address) => memory.read(address),
    all: () => memory.all(),
    busy: () => memory.busy,
    under: (address) => memory.addresses.under(address),
    receipts: async (address) => pages.read(address, await memory.readWhole(address)),
    routing: (from, events) => routings.set(from, events),
    recovered: () => void (routings.isRecovered = true),
    change: async (address, change) =>
      edit(address, async (before) => {
        const after = change(before);
        return after === before ? before : pages.moved(address, routings.trimmed(after));
      }),
    expirePages: async (address, before) =>
      expireAll(memory.read(address), before, async () => edit(address, async (whole) => pages.expired(address, whole, before))),
    forget: async (address) => documents.forget(address, async () => pages.release(address, memory.read(address))),
  };
}

const mayExpire = ({ pages: { first, next, firstEndedAt } = NO_PAGES }: Queue, before: Instant): boolean =>
  first < next && (firstEndedAt === undefined || firstEndedAt < before);

/** Expires page after page, until the first one is not old enough or none was expired. */
async function expireAll(first: Queue, before: Instant, expire: () => Promise<Queue>): Promise<void> {
  for (let queue = first; mayExpire(queue, before);) {
    const after = await expire();
    if (after.pages?.first === queue.pages?.first) return;
    queue = after;
  }
}

/** Knows which events are being routed. Ids of routed events are kept in a queue only while a crash could route them again. */
class Routings {
  readonly #routings = new Map<string, ReadonlySet<string>>();
  isRecovered = false;

  set(from: string, events: readonly string[]): void {
    if (events.length === 0) this.#routings.delete(from);
    else this.#routings.set(from, new Set(events));
  }

  trimmed(queue: Queue): Queue {
    if (!this.isRecovered || queue.routed.length === 0) return queue;
    const routed = queue.routed.filter((id) => [...this.#routings.values()].some((ids) => ids.has(id)));
    return routed.length === queue.routed.length ? queue : { ...queue, routed };
  }
}

/** Holds the queues of all chats; those that have been idle longest keep only their newest receipt. */
class QueueMemory {
  readonly busy = new Set<Address>();
  readonly followed = new FollowedTopics();
  readonly addresses = new Addresses();
  readonly #stored: (address: Address) => Promise<Queue | undefined>;
  readonly #queues = new Map<Address, Queue>();
  readonly #shortened = new WeakSet<Queue>();
  readonly #whole = new Set<Address>();

  constructor(stored: (address: Address) => Promise<Queue | undefined>) {
    this.#stored = stored;
  }

  read(address: Address): Queue {
    return this.#queues.get(address) ?? emptyQueue(address);
  }

  all(): readonly Queue[] {
    return [...this.#queues.values()];
  }

  /** Reads a queue with all its receipts. */
  async readWhole(address: Address): Promise<Queue> {
    const queue = this.read(address);
    return this.#shortened.has(queue) ? ((await this.#stored(address)) ?? queue) : queue;
  }

  keep(queue: Queue): void {
    const { address } = queue;
    this.#queues.set(address, queue);
    this.addresses.add(address);
    if (isBusy(queue)) this.busy.add(address);
    else this.busy.delete(address);
    this.followed.put(queue);
    this.#whole.delete(address);
    this.#whole.add(address);
    const [oldest] = this.#whole;
    if (this.#whole.size > MAX_WHOLE_IDLE && oldest !== undefined) this.#shorten(oldest);
  }

  #shorten(address: Address): void {
    this.#whole.delete(address);
    const idle = this.read(address);
    // A busy queue is shortened after a later change, once it is idle.
    if (idle.waiting.length > 0 || idle.open !== undefined || idle.receipts.length < 2) return;
    const short = withNewestReceipt(idle);
    this.#shortened.add(short);
    this.#queues.set(address, short);
  }

  delete(address: Address): void {
    this.#queues.delete(address);
    this.busy.delete(address);
    this.#whole.delete(address);
    this.addresses.delete(address);
    this.followed.delete(address);
  }
}

const NO_PAGES: NonNullable<Queue['pages']> = { first: 0, next: 0 };

const isBusy = (queue: Queue): boolean => queue.open !== undefined || queue.live !== undefined || waitingIn(queue) > 0;

function withNewestReceipt(queue: Queue): Queue {
  const alertedAt = lastAlert(queue);
  return { ...queue, receipts: queue.receipts.slice(0, 1), ...(alertedAt === undefined ? {} : { alertedAt }) };
}

const NONE: ReadonlySet<string> = new Set();

/** Knows which topics each chat shows in live messages, or will show. */
class FollowedTopics {
  readonly #topics = new Map<Address, ReadonlySet<string>>();
  readonly #chats = new Map<string, Set<Address>>();

  put(queue: Queue): void {
    this.#replace(queue.address, topicsOf(queue));
  }

  delete(address: Address): void {
    this.#replace(address, NONE);
  }

  readonly has = (topic: string): boolean => this.#chats.has(topic);

  by(topic: string): Iterable<Address> {
    return this.#chats.get(topic) ?? [];
  }

  #replace(address: Address, after: ReadonlySet<string>): void {
    const before = this.#topics.get(address) ?? NONE;
    if (after.size === 0) this.#topics.delete(address);
    else this.#topics.set(address, after);
    for (const topic of before) {
      if (after.has(topic)) continue;
      const rest = this.#chats.get(topic);
      rest?.delete(address);
      if (rest?.size === 0) this.#chats.delete(topic);
    }
    for (const topic of after) if (!before.has(topic)) this.#chats.set(topic, (this.#chats.get(topic) ?? new Set()).add(address));
  }
}

function topicsOf({ live = {}, open, waiting }: Queue): ReadonlySet<string> {
  const shown = Object.entries(live).flatMap(([topic, { ended }]) => (ended === true ? [] : [topic]));
  const members = [...waiting, ...(open?.members ?? [])].flatMap((member) => (member.live === undefined ? [] : [member.live.topic]));
  return shown.length + members.length === 0 ? NONE : new Set([...shown, ...members]);
}
