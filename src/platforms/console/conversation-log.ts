/** Stores the messages of the console by chat. A message becomes visible once it is stored. */
import { EventEmitter, once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { replySchema } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';

/** How many kinds and projects a message stores for the timeline's filter; further ones are not found by it. */
export const MAX_ABOUT = 50;

const messageSchema = z.object({
  /** Unique within its chat and never reused. */
  id: z.int().positive(),
  at: instantSchema,
  kind: z.enum(['question', 'reply', 'alert']),
  text: z.string(),
  reply: replySchema.optional(),
  /** The files of a question. `size` is in bytes; their content is not stored. */
  sent: z
    .array(z.object({ name: z.string(), size: z.int() }))
    .readonly()
    .optional(),
  /** The message that this one answers. */
  answers: z.int().positive().optional(),
  editedAt: instantSchema.optional(),
  deliveryId: z.string().optional(),
  /** Set if the page shows no notification for the message. */
  silent: z.literal(true).optional(),
  /** The alert is a sample that somebody asked for, with invented figures. */
  sample: z.literal(true).optional(),
  /** The kinds and projects that an alert reports. Absent for greetings and digests. */
  about: z
    .array(z.object({ kind: z.string(), project: z.string().optional() }))
    .max(MAX_ABOUT)
    .readonly()
    .optional(),
});
export type ConsoleMessage = z.infer<typeof messageSchema>;

type Draft = Omit<ConsoleMessage, 'id'>;

/** Returns undefined for a moment outside a Date's range. */
export function isoText(at: Instant): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const forApi = ({ id, at, editedAt, reply, ...rest }: ConsoleMessage) => ({
  id,
  at: isoText(at) ?? '',
  ...(editedAt === undefined ? {} : { editedAt: isoText(editedAt) ?? '' }),
  ...rest,
  ...(reply === undefined
    ? {}
    : { reply: { ...reply, files: reply.files.map(({ name, type, text }) => ({ name, type, bytes: Buffer.byteLength(text) })) } }),
});

/** How many messages a chat keeps. Older ones are deleted in batches. */
export const MAX_MESSAGES = 1_000;
const BATCH = 100;
/** How many messages of a chat keep their files, which may be large and can be requested again. */
export const MAX_MESSAGES_WITH_FILES = 10;
/** How many delivery ids are kept; a repeated delivery is always among the latest few. */
export const MAX_DELIVERY_IDS = 2_000;
/** How many edits are listed. A page that was away longer rereads its messages. */
const MAX_LATEST_EDITS = 100;

const prunedSchema = z.object({ deliveries: z.array(z.tuple([z.string(), z.int()])).readonly() });

interface Conversation {
  messages: readonly ConsoleMessage[];
  last: number;
  readonly byDelivery: Map<string, number>;
  pruned: readonly (readonly [deliveryId: string, id: number])[];
}

export interface MessageRange {
  readonly after?: number;
  readonly before?: number;
  readonly limit?: number;
}

const collectionsOf = (store: Store) => ({
  documents: store.collection({ prefix: 'conversation', schema: messageSchema, version: 1 }),
  pruned: store.collection({ prefix: 'conversation-pruned', schema: prunedSchema, version: 1 }),
});

interface LogDeps extends ReturnType<typeof collectionsOf> {
  readonly conversations: Map<string, Conversation>;
  readonly log: Log;
}

/** Opens the log from the store. Rejects with the store's error. */
export async function openConversationLog({ store, log }: { store: Store; log: Log }): Promise<ConversationLog> {
  const collections = collectionsOf(store);
  return new ConversationLog({ ...collections, conversations: await load({ ...collections, log }), log });
}

async function load({ documents, pruned, log }: Omit<LogDeps, 'conversations'>): Promise<Map<string, Conversation>> {
  const all = new Map<string, { messages: ConsoleMessage[]; last: number; deliveries: readonly (readonly [string, number])[] }>();
  const at = (chat: string) => {
    const known = all.get(chat) ?? { messages: [], last: 0, deliveries: [] };
    all.set(chat, known);
    return known;
  };
  const kept = await documents.list();
  for (const [key, message] of kept.found) {
    const known = at(chatOf(key));
    known.messages.push(message);
    known.last = Math.max(known.last, message.id);
  }
  // An unreadable message stays in the store, and its id is not reused.
  for (const { key, because } of kept.unreadable) {
    const known = at(chatOf(key));
    known.last = Math.max(known.last, Number(key.slice(key.indexOf('/') + 1)) || 0);
    log.warn('console.message-unreadable', { key, because });
  }
  const old = await pruned.list();
  for (const [chat, document] of old.found) at(chat).deliveries = document.deliveries;
  for (const { key, because } of old.unreadable) log.warn('console.pruned-unreadable', { key, because });
  return new Map(
    [...all].map(([chat, { messages, last, deliveries }]) => {
      const byDelivery = new Map([
        ...deliveries,
        ...messages.flatMap(({ deliveryId, id }) => (deliveryId === undefined ? [] : [[deliveryId, id] as const])),
      ]);
      return [chat, { messages: messages.toSorted((a, b) => a.id - b.id), last, byDelivery, pruned: deliveries }];
    }),
  );
}

export class ConversationLog {
  readonly #deps: LogDeps;
  readonly #writing = lanes();
  readonly #posted = new EventEmitter().setMaxListeners(0);
  readonly #edited = new Map<string, { readonly count: number; readonly latest: readonly number[] }>();

  constructor(deps: LogDeps) {
    this.#deps = deps;
  }

  chats(): readonly { readonly name: string; readonly last: number; readonly at?: Instant }[] {
    const { conversations } = this.#deps;
    return ['main', ...[...conversations.keys()].filter((name) => name !== 'main').toSorted()].map((name) => {
      const latest = conversations.get(name)?.messages.at(-1);
      return omitUndefined({ name, last: conversations.get(name)?.last ?? 0, at: latest?.at });
    });
  }

  /** The id of the latest message; 0 without messages. */
  last(chat: string): number {
    return this.#deps.conversations.get(chat)?.last ?? 0;
  }

  /** Returns messages in the order of their ids. With `after`, `limit` takes the first ones after it, and otherwise the latest. */
  messages(chat: string, { after, before, limit = MAX_MESSAGES }: MessageRange = {}): readonly ConsoleMessage[] {
    const within = (this.#deps.conversations.get(chat)?.messages ?? [])
      .slice(-MAX_MESSAGES)
      .filter(({ id }) => id > (after ?? 0) && id < (before ?? Infinity));
    return after === undefined ? within.slice(-limit) : within.slice(0, limit);
  }

  /** Adds a message. Resolves when it is stored. */
  async post(chat: string, draft: Draft): Promise<ConsoleMessage> {
    return this.#writing.run(chat, async () => this.#write(chat, draft));
  }

  /** Adds a delivery's message once. A repeat adds nothing and resolves with the same id. */
  async postOnce(chat: string, draft: Draft & { readonly deliveryId: string }): Promise<number> {
    return this.#writing.run(
      chat,
      async () => this.#conversation(chat).byDelivery.get(draft.deliveryId) ?? (await this.#write(chat, draft)).id,
    );
  }

  /** Edits a message. Resolves with false if it no longer exists. Equal content changes nothing. */
  async revise(chat: string, id: number, changes: Required<Pick<ConsoleMessage, 'text' | 'reply' | 'editedAt'>>): Promise<boolean> {
    return this.#writing.run(chat, async () => {
      const known = this.#conversation(chat);
      const before = known.messages.find((message) => message.id === id);
      if (before === undefined) return false;
      if (before.text === changes.text && isDeepStrictEqual(before.reply, changes.reply)) return true;
      const after = { ...before, ...changes };
      await this.#deps.documents.set(keyOf(chat, id), after);
      known.messages = known.messages.map((message) => (message === before ? after : message));
      const { count, latest } = this.#edited.get(chat) ?? { count: 0, latest: [] };
      this.#edited.set(chat, { count: count + 1, latest: [...latest, id].slice(-MAX_LATEST_EDITS) });
      this.#posted.emit(chat);
      return true;
    });
  }

  /** Returns the messages that were edited after this process's `after`-th edit, and the number of edits so far. */
  edits(chat: string, after: number): { readonly count: number; readonly messages: readonly ConsoleMessage[] } {
    const { count, latest } = this.#edited.get(chat) ?? { count: 0, latest: [] };
    const fresh = new Set(after >= count ? [] : latest.slice(after - count));
    return { count, messages: (this.#deps.conversations.get(chat)?.messages ?? []).filter(({ id }) => fresh.has(id)) };
  }

  /** Deletes a chat's messages. Its ids continue while the bot runs. */
  async forget(chat: string): Promise<void> {
    const { documents, pruned } = this.#deps;
    return this.#writing.run(chat, async () => {
      const known = this.#conversation(chat);
      for (const { id } of known.messages) await documents.delete(keyOf(chat, id));
      await pruned.delete(chat);
      known.messages = [];
      known.pruned = [];
      known.byDelivery.clear();
    });
  }

  /** Resolves when a message is posted in the chat. Rejects when the signal aborts. */
  async next(chat: string, signal: AbortSignal): Promise<void> {
    await once(this.#posted, chat, { signal });
  }

  async idle(): Promise<void> {
    return this.#writing.idle();
  }

  #conversation(chat: string): Conversation {
    const { conversations } = this.#deps;
    const known = conversations.get(chat) ?? { messages: [], last: 0, byDelivery: new Map<string, number>(), pruned: [] };
    conversations.set(chat, known);
    return known;
  }

  /** Writes a message. If that fails, its id is reused. */
  async #write(chat: string, draft: Draft): Promise<ConsoleMessage> {
    const { documents, log } = this.#deps;
    const known = this.#conversation(chat);
    const message = { ...draft, id: known.last + 1 };
    await documents.set(keyOf(chat, message.id), message);
    known.last = message.id;
    known.messages = [...known.messages, message];
    if (message.deliveryId !== undefined) known.byDelivery.set(message.deliveryId, message.id);
    this.#posted.emit(chat);
    await this.#dropFiles(chat, known).catch((error: unknown) => {
      log.warn('console.files-not-dropped', { chat, error });
    });
    if (known.messages.length >= MAX_MESSAGES + BATCH) {
      await this.#prune(chat, known).catch((error: unknown) => {
        log.warn('console.prune-failed', { chat, error });
      });
    }
    return message;
  }

  async #dropFiles(chat: string, known: Conversation): Promise<void> {
    for (const message of known.messages.filter(({ reply }) => (reply?.files.length ?? 0) > 0).slice(0, -MAX_MESSAGES_WITH_FILES)) {
      const bare = { ...message, reply: message.reply && { ...message.reply, files: [] } };
      await this.#deps.documents.set(keyOf(chat, message.id), bare);
      known.messages = known.messages.map((one) => (one.id === bare.id ? bare : one));
    }
  }

  /** Deletes old messages. Their delivery ids are stored first, so that a kill in between does not allow a duplicate. */
  async #prune(chat: string, known: Conversation): Promise<void> {
    const { pruned, documents } = this.#deps;
    const gone = known.messages.slice(0, -MAX_MESSAGES);
    const ids = gone.flatMap(({ deliveryId, id }) => (deliveryId === undefined ? [] : [[deliveryId, id] as const]));
    const all = [...known.pruned, ...ids];
    const deliveries = all.slice(-MAX_DELIVERY_IDS);
    await pruned.set(chat, { deliveries: deliveries.map(([deliveryId, id]) => [deliveryId, id]) });
    for (const { id } of gone) await documents.delete(keyOf(chat, id));
    for (const [deliveryId] of all.slice(0, -MAX_DELIVERY_IDS)) known.byDelivery.delete(deliveryId);
    known.pruned = deliveries;
    known.messages = known.messages.slice(gone.length);
  }
}

/** Builds a key. The number is padded so that keys sort like ids. */
const keyOf = (chat: string, id: number): string => `${chat}/${String(id).padStart(10, '0')}`;
const chatOf = (key: string): string => key.slice(0, key.indexOf('/'));
