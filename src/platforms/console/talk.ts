/**
 * The conversations, kept in the store and mirrored in memory: one document a message, one writer a chat. A message is visible only once it
 * is durable. An alert carries the id of its delivery, so posting the same delivery again, after a crash too, finds it and adds nothing.
 */
import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import type { Instant } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import { messageSchema, type Draft, type Message } from './message.js';

/** So many messages of a chat are shown and kept; older ones go, a batch at a time, so that most posts cost one write. */
export const KEPT = 1_000;
const BATCH = 100;
/** So many messages of a chat keep their files: they may be large, and can be asked for again. */
export const KEPT_FILES = 10;
/**
 * So many delivery ids outlive their pruned messages. A chat's deliveries go out in order and each is repeated only until it is settled, so
 * a repeat comes within the few that were open at a crash: thousands of later alerts lie between it and the first id forgotten.
 */
export const REMEMBERED = 2_000;

const prunedSchema = z.object({ deliveries: z.array(z.tuple([z.string(), z.int()])).readonly() });

interface Room {
  messages: readonly Message[];
  last: number;
  /** Message ids by delivery id, for those still standing and those pruned. */
  readonly told: Map<string, number>;
  pruned: readonly (readonly [deliveryId: string, id: number])[];
}

export interface Page {
  readonly after?: number;
  readonly before?: number;
  readonly limit?: number;
}

export interface Talk {
  /** `main`, and every other chat that has messages, by name. */
  chats(): readonly { readonly name: string; readonly last: number; readonly at?: Instant }[];
  /** The highest id of a chat; 0 where nothing was said. */
  last(chat: string): number;
  /** Messages by ascending id. With `after` alone a `limit` takes the first ones; else it takes the latest. */
  messages(chat: string, page?: Page): readonly Message[];
  /** Adds a message; resolves when it is durable. */
  post(chat: string, draft: Draft): Promise<Message>;
  /** Adds an alert once: the id of the message that this delivery became, now or earlier. */
  tell(chat: string, draft: Draft & { readonly deliveryId: string }): Promise<number>;
  /** Deletes what was said in a chat, and which deliveries were told there. Ids go on from where they were while the bot runs. */
  forget(chat: string): Promise<void>;
  /** Resolves at the next message in the chat; rejects when the signal aborts. */
  next(chat: string, signal: AbortSignal): Promise<void>;
  /** Waits for what is being written. */
  idle(): Promise<void>;
}

/** Loads every conversation from the store. Rejects with the store's error when it cannot be read. */
export async function openTalk({ store, log }: { store: Store; log: Log }): Promise<Talk> {
  const documents = store.collection({ prefix: 'conversation', schema: messageSchema, version: 1 });
  const pruned = store.collection({ prefix: 'conversation-pruned', schema: prunedSchema, version: 1 });
  const rooms = await load();
  const writing = lanes();
  const news = new EventEmitter().setMaxListeners(0);

  async function load(): Promise<Map<string, Room>> {
    const all = new Map<string, { messages: Message[]; last: number; deliveries: readonly (readonly [string, number])[] }>();
    const at = (chat: string) => {
      const known = all.get(chat) ?? { messages: [], last: 0, deliveries: [] };
      all.set(chat, known);
      return known;
    };
    const kept = await documents.list();
    for (const [key, message] of kept.found) {
      const room = at(chatOf(key));
      room.messages.push(message);
      room.last = Math.max(room.last, message.id);
    }
    // What cannot be read is left alone, and its id is not given away again.
    for (const { key, because } of kept.unreadable) {
      const room = at(chatOf(key));
      room.last = Math.max(room.last, Number(key.slice(key.indexOf('/') + 1)) || 0);
      log.warn('console.message-unreadable', { key, because });
    }
    const old = await pruned.list();
    for (const [chat, document] of old.found) at(chat).deliveries = document.deliveries;
    for (const { key, because } of old.unreadable) log.warn('console.pruned-unreadable', { key, because });
    return new Map(
      [...all].map(([chat, { messages, last, deliveries }]) => {
        const told = new Map([
          ...deliveries,
          ...messages.flatMap(({ deliveryId, id }) => (deliveryId === undefined ? [] : [[deliveryId, id] as const])),
        ]);
        return [chat, { messages: messages.toSorted((a, b) => a.id - b.id), last, told, pruned: deliveries }];
      }),
    );
  }

  function room(chat: string): Room {
    const known = rooms.get(chat) ?? { messages: [], last: 0, told: new Map<string, number>(), pruned: [] };
    rooms.set(chat, known);
    return known;
  }

  /** Runs in the chat's lane. A write that failed used no id: if it did reach the store after all, the next message replaces it. */
  async function write(chat: string, draft: Draft): Promise<Message> {
    const known = room(chat);
    const message = { ...draft, id: known.last + 1 };
    await documents.set(keyOf(chat, message.id), message);
    known.last = message.id;
    known.messages = [...known.messages, message];
    if (message.deliveryId !== undefined) known.told.set(message.deliveryId, message.id);
    news.emit(chat);
    await dropFiles(chat, known).catch((error: unknown) => {
      log.warn('console.files-not-dropped', { chat, error });
    });
    if (known.messages.length >= KEPT + BATCH) {
      await prune(chat, known).catch((error: unknown) => {
        log.warn('console.prune-failed', { chat, error });
      });
    }
    return message;
  }

  async function dropFiles(chat: string, known: Room): Promise<void> {
    for (const message of known.messages.filter(({ reply }) => (reply?.files.length ?? 0) > 0).slice(0, -KEPT_FILES)) {
      const bare = { ...message, reply: message.reply && { ...message.reply, files: [] } };
      await documents.set(keyOf(chat, message.id), bare);
      known.messages = known.messages.map((one) => (one.id === bare.id ? bare : one));
    }
  }

  /** Remembers the deliveries first, then deletes: a crash between leaves a message too many, never a forgotten delivery. */
  async function prune(chat: string, known: Room): Promise<void> {
    const gone = known.messages.slice(0, -KEPT);
    const ids = gone.flatMap(({ deliveryId, id }) => (deliveryId === undefined ? [] : [[deliveryId, id] as const]));
    const all = [...known.pruned, ...ids];
    const deliveries = all.slice(-REMEMBERED);
    await pruned.set(chat, { deliveries: deliveries.map(([deliveryId, id]) => [deliveryId, id]) });
    for (const { id } of gone) await documents.delete(keyOf(chat, id));
    for (const [deliveryId] of all.slice(0, -REMEMBERED)) known.told.delete(deliveryId);
    known.pruned = deliveries;
    known.messages = known.messages.slice(gone.length);
  }

  return {
    chats: () =>
      ['main', ...[...rooms.keys()].filter((name) => name !== 'main').toSorted()].map((name) => {
        const latest = rooms.get(name)?.messages.at(-1);
        return { name, last: rooms.get(name)?.last ?? 0, ...(latest === undefined ? {} : { at: latest.at }) };
      }),
    last: (chat) => rooms.get(chat)?.last ?? 0,
    messages(chat, { after, before, limit = KEPT } = {}) {
      const within = (rooms.get(chat)?.messages ?? []).slice(-KEPT).filter(({ id }) => id > (after ?? 0) && id < (before ?? Infinity));
      return after === undefined ? within.slice(-limit) : within.slice(0, limit);
    },
    post: async (chat, draft) => writing.run(chat, async () => write(chat, draft)),
    tell: async (chat, draft) => writing.run(chat, async () => room(chat).told.get(draft.deliveryId) ?? (await write(chat, draft)).id),
    forget: async (chat) =>
      writing.run(chat, async () => {
        const known = room(chat);
        for (const { id } of known.messages) await documents.delete(keyOf(chat, id));
        await pruned.delete(chat);
        known.messages = [];
        known.pruned = [];
        known.told.clear();
      }),
    async next(chat, signal) {
      await once(news, chat, { signal });
    },
    idle: async () => writing.idle(),
  };
}

/** Padded, so that the order of the keys is the order of the ids. */
const keyOf = (chat: string, id: number): string => `${chat}/${String(id).padStart(10, '0')}`;
const chatOf = (key: string): string => key.slice(0, key.indexOf('/'));
