/** Streams a chat's messages as server-sent events. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { boundedCache } from '../../base/bounded-cache.js';
import { SECOND, type Clock } from '../../base/clock.js';
import { forApi, isoText, type ConsoleMessage, type ConversationLog } from './conversation-log.js';
import { renderMessage } from './render.js';

/** The time between beats. The page reconnects after three missed ones. */
const BEAT = 15 * SECOND;
/** How many messages are sent when a client connects. */
const ON_ARRIVAL = 100;
const AT_ONCE = 50;

interface StreamDeps {
  readonly conversations: ConversationLog;
  readonly clock: Clock;
  readonly chat: string;
  readonly after: number | undefined;
  readonly closing: AbortSignal;
  readonly ended: () => void;
}

/** Streams `hello`, messages, edits and beats. Without `after` it begins with the latest messages. */
export function streamChat(c: Context, { conversations, clock, chat, after, closing, ended }: StreamDeps): Response {
  // Keeps proxies from buffering events.
  c.header('X-Accel-Buffering', 'no');
  return streamSSE(c, async (stream) => {
    try {
      const left = new AbortController();
      stream.onAbort(() => {
        left.abort();
      });
      const over = AbortSignal.any([left.signal, closing]);
      const last = conversations.last(chat);
      // A position beyond the end comes from another store. The page sees that in `hello` and starts over.
      let cursor = after === undefined ? (conversations.messages(chat, { limit: ON_ARRIVAL })[0]?.id ?? 1) - 1 : Math.min(after, last);
      const now = () => isoText(clock.now()) ?? '';
      // The edits that the client missed, among the messages that it may show.
      const missed = conversations
        .messages(chat, { limit: ON_ARRIVAL })
        .filter(({ id, editedAt }) => id <= cursor && editedAt !== undefined);
      let { count: edits } = conversations.edits(chat, Number.POSITIVE_INFINITY);
      const edit = async (message: ConsoleMessage): Promise<void> => stream.writeSSE({ event: 'edit', data: await dataOf(message) });
      await stream.writeSSE({ event: 'hello', data: JSON.stringify({ now: now(), last }), retry: 2_000 });
      for (const message of missed) await edit(message);
      while (!over.aborted) {
        const changed = conversations.edits(chat, edits);
        edits = changed.count;
        for (const message of changed.messages.filter(({ id }) => id <= cursor)) await edit(message);
        const fresh = conversations.messages(chat, { after: cursor, limit: AT_ONCE });
        for (const message of fresh) {
          await stream.writeSSE({ event: 'message', id: String(message.id), data: await dataOf(message) });
          cursor = message.id;
        }
        if (fresh.length + changed.messages.length === 0 && (await pause({ conversations, clock, chat, over })) === 'beat')
          await stream.writeSSE({ event: 'beat', data: now() });
      }
    } finally {
      ended();
    }
  });
}

export const forPage = async (message: ConsoleMessage) => ({ ...forApi(message), html: await renderMessage(message) });

/** Caches rendered messages, so that each is rendered once for all clients. */
const rendered = boundedCache<Promise<string>>(2 * ON_ARRIVAL);
const dataOf = async (message: ConsoleMessage): Promise<string> => rendered(message, async () => JSON.stringify(await forPage(message)));

async function pause({
  conversations,
  clock,
  chat,
  over,
}: {
  conversations: ConversationLog;
  clock: Clock;
  chat: string;
  over: AbortSignal;
}): Promise<'message' | 'beat' | 'over'> {
  const turn = new AbortController();
  const signal = AbortSignal.any([turn.signal, over]);
  try {
    return await Promise.race([
      conversations.next(chat, signal).then(() => 'message' as const),
      clock.sleep(BEAT, signal).then(() => 'beat' as const),
    ]);
  } catch (error) {
    if (over.aborted) return 'over';
    throw error;
  } finally {
    turn.abort();
  }
}
