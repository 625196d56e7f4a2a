/** Chat's messages as server-sent events. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { SECOND, type Clock } from '../../base/clock.js';
import { boundedCache } from '../../base/bounded-cache.js';
import { forApi, isoText, type ConsoleMessage } from './message.js';
import { renderMessage } from './render.js';
import type { ConversationLog } from './conversation-log.js';

/** Three missed beats are a dead connection. */
const BEAT = 15 * SECOND;
/** Messages. */
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

/** `hello`, then messages (event id = message id) and beats. `after` undefined: a new client. */
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

export const forPage = async (message: ConsoleMessage) => ({ ...forApi(message), html: await renderMessage(message) });

/** Once for all clients. */
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
