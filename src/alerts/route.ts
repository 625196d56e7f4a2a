/** Brings news to the queues of the chats that want it. Idempotent by event id, so an interrupted routing is simply done again. */
import type { NewsEvent } from '../domain/event.js';
import type { Instant } from '../domain/scalars.js';
import { targetName } from './entry.js';
import { match } from './match.js';
import { enqueue, type Member } from './queue.js';
import type { Queues } from './queues.js';
import type { Watchlists } from './watchlists.js';

/** Queues each event for each chat that is to be told, in the order given. Resolves when all of it is durable. */
export async function route(
  news: readonly NewsEvent[],
  { watchlists, queues, now }: { watchlists: Watchlists; queues: Queues; now: Instant },
): Promise<void> {
  for (const chat of watchlists.all()) {
    const members = news.flatMap((event): Member[] => {
      const verdict = match(event, chat);
      return verdict.told ? [{ event: event.id, entry: targetName(verdict.entry.target), queuedAt: now }] : [];
    });
    if (members.length > 0) await queues.change(chat.address, (queue) => enqueue(queue, members));
  }
}
