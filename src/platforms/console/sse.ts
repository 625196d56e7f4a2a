/** A chat's messages as server-sent events. The client's position is read from the log, so a slow or returning client misses nothing. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { SECOND, type Clock } from '../../base/clock.js';
import { remember } from '../../base/remember.js';
import { forApi, isoText, type ConsoleMessage } from './message.js';
import { renderMessage } from './render.js';
import type { ConversationLog } from './conversation-log.js';

/** So often a silent stream shows that it is alive; the page takes three missed beats for a dead line. */
const BEAT = 15 * SECOND;
/** Messages that a new client gets; it requests earlier ones. */
const ON_ARRIVAL = 100;
const AT_ONCE = 50;

interface StreamDeps {
  readonly conversations: ConversationLog;
  readonly clock: Clock;
  readonly chat: string;
  readonly after: number | undefined;
  readonly closing: AbortSignal;
  /** Called once, when the client has left. */
  readonly ended: () => void;
}

/**
 * Streams a chat: `hello` with the server's time and the chat's highest id, then a `message` each (its id is the event's id), and a `beat`
 * with the server's time when nothing is said. `after` undefined means a newcomer. Ends when the reader goes or `closing` aborts.
 */
export function streamChat(c: Context, { conversations, clock, chat, after, closing, ended }: StreamDeps): Response {
  // Without this a proxy may hold events back.
  c.header('X-Accel-Buffering', 'no');
  return streamSSE(c, async (stream) => {
    try {
      const left = new AbortController();
      stream.onAbort(() => {
        left.abort();
      });
      const over = AbortSignal.any([left.signal, closing]);
      const last = conversations.last(chat);
      // A position beyond the end belongs to another store: the page sees it in `hello` and starts over.
      let cursor = after === undefined ? (conversations.messages(chat, { limit: ON_ARRIVAL })[0]?.id ?? 1) - 1 : Math.min(after, last);
      const now = () => isoText(clock.now()) ?? '';
      await stream.writeSSE({ event: 'hello', data: JSON.stringify({ now: now(), last }), retry: 2_000 });
      while (!over.aborted) {
        const fresh = conversations.messages(chat, { after: cursor, limit: AT_ONCE });
        for (const message of fresh) {
          await stream.writeSSE({ event: 'message', id: String(message.id), data: await dataOf(message) });
          cursor = message.id;
        }
        if (fresh.length === 0 && (await pause({ conversations, clock, chat, over })) === 'beat')
          await stream.writeSSE({ event: 'beat', data: now() });
      }
    } finally {
      ended();
    }
  });
}

/** The message with its rendering, as the page shows it. */
export const forPage = async (message: ConsoleMessage) => ({ ...forApi(message), html: await renderMessage(message) });

/** Rendering is what a stream costs, and many readers arrive at the same messages. Each of the latest is rendered once. */
const rendered = remember<Promise<string>>(2 * ON_ARRIVAL);
const dataOf = async (message: ConsoleMessage): Promise<string> => rendered(message, async () => JSON.stringify(await forPage(message)));

/** Waits for a message, the next heartbeat or the end, and cancels the other two. */
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
}): Promise<'news' | 'beat' | 'over'> {
  const turn = new AbortController();
  const signal = AbortSignal.any([turn.signal, over]);
  try {
    return await Promise.race([
      conversations.next(chat, signal).then(() => 'news' as const),
      clock.sleep(BEAT, signal).then(() => 'beat' as const),
    ]);
  } catch (error) {
    if (over.aborted) return 'over';
    throw error;
  } finally {
    turn.abort();
  }
}
