/** This module enqueues events for matching chats. Idempotent by event id. */
import { yieldToEventLoop } from '../../base/yield.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import { lateAfterAbsence } from '../watchlist/absence.js';
import { LAUNCHES_FEED, marketIn, targetName, type Target } from '../watchlist/entry.js';
import { isResult } from '../rules/kinds.js';
import { livePart, begun, match } from '../watchlist/match.js';
import { correctionsFor } from '../queue/who-was-alerted.js';
import { enqueue, type Member } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import type { CompactChat, SharedEntry } from '../watchlist/compact-chat.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';

export interface Routing {
  /** After a stop, events that are not routed yet stay pending, as after a crash. */
  readonly signal?: AbortSignal | undefined;
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly now: Instant;
}

interface Arriving {
  readonly lateBy?: (event: FeedEvent) => Member['late'];
  readonly checkedAt?: Instant | undefined;
}

/** Enqueues events for all matching chats, including those that are away. Resolves when everything is durable. */
export async function route(
  all: readonly FeedEvent[],
  { watchlists, queues, now, lateBy, checkedAt, signal }: Routing & Arriving,
): Promise<void> {
  const membersOf = (chat: Chat, events: readonly FeedEvent[]): readonly Member[] => {
    const asOfNow = begun(chat, now);
    const afterAbsence = lateAfterAbsence(chat, checkedAt, now);
    return events.flatMap((event): Member[] => {
      const verdict = match(event, asOfNow);
      if (!verdict.matched) return [];
      const late = afterAbsence ?? lateBy?.(event);
      const live = livePart(verdict.entry, event);
      return [
        {
          event: event.id,
          entry: targetName(verdict.entry.target),
          ...(event.feed === LAUNCHES_FEED && event.project !== undefined ? { project: event.project } : {}),
          queuedAt: now,
          ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
          ...(late === undefined ? {} : { late }),
          ...(live === undefined ? {} : { live }),
        },
      ];
    });
  };
  // Only the loaded queues know which chats got the corrected event.
  if (all.some(({ corrects }) => corrects !== undefined)) await queues.loaded;
  await inGroups(
    await concernedBy(all, watchlists),
    async ({ chat: compact, events }) => {
      const chat = watchlists.expand(compact);
      const isCorrected = events.some(({ corrects }) => corrects !== undefined);
      const { members, others } = isCorrected ? await correctionsFor(chat, events, { queues, now }) : { members: [], others: events };
      if (members.length + membersOf(chat, others).length === 0) return;
      await queues.change(chat.address, (queue) => {
        const current = currentChat(compact, watchlists);
        return enqueue(queue, [...members, ...membersOf(current, others)], current.left?.at);
      });
      const over = others.filter(({ feed, stage }) => isResult(feed, stage)).flatMap((event) => marketIn(event) ?? []);
      // The followed proposal or launch is over. Its entry stays until queued events are sent, but needs no more checks.
      if (chat.entries.some(({ target }) => isGoing(target, over)))
        await watchlists.change(chat.address, (current) => withEndedMarkets(current, over, now));
    },
    signal,
  );
}

const isGoing = (target: Target, topics: readonly string[]): boolean =>
  target.kind === 'market' && target.endedAt === undefined && topics.includes(target.topic);

const withEndedMarkets = (chat: Chat, topics: readonly string[], now: Instant): Chat =>
  chat.entries.some(({ target }) => isGoing(target, topics))
    ? {
        ...chat,
        entries: chat.entries.map((entry) =>
          isGoing(entry.target, topics) && entry.target.kind === 'market' ? { ...entry, target: { ...entry.target, endedAt: now } } : entry,
        ),
      }
    : chat;

const READ_AT_ONCE = 5_000;

/**
 * Finds the concerned chats as they are now; one that moves meanwhile still gets its events. A chat's entries are expanded only in its
 * turn.
 */
async function concernedBy(events: readonly FeedEvent[], watchlists: Watchlists): Promise<readonly Concerned[]> {
  const concerned = new Map<Address, { readonly chat: CompactChat<Chat>; readonly events: FeedEvent[] }>();
  const only: Concerned[] = [];
  for (const event of events) {
    let read = 0;
    for (const address of watchlists.kept.to(event)) {
      if ((read += 1) % READ_AT_ONCE === 0) await yieldToEventLoop();
      const chat = watchlists.compact(address);
      if (chat === undefined) continue;
      if (events.length === 1) {
        only.push({ chat, events });
        continue;
      }
      const one = concerned.get(address) ?? { chat, events: [] };
      one.events.push(event);
      concerned.set(address, one);
    }
  }
  return events.length === 1 ? only : [...concerned.values()];
}

interface Concerned {
  readonly chat: CompactChat<Chat>;
  readonly events: readonly FeedEvent[];
}

const AT_ONCE = 100;

/** Runs for all in groups. Rejects with the first failure once its group has ended. */
export async function inGroups<T>(all: readonly T[], run: (one: T) => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    if (from > 0) await yieldToEventLoop();
    // A stop does not interrupt a group, so that an event of few chats is always routed completely.
    if (from > 0) signal?.throwIfAborted();
    const ends = await Promise.allSettled(all.slice(from, from + AT_ONCE).map(run));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

export function currentChat(chat: CompactChat<Chat>, watchlists: Watchlists, isConcerned?: (entry: SharedEntry) => boolean): Chat {
  const { address } = chat.bare;
  const current = isConcerned === undefined ? watchlists.read(address) : watchlists.readOnly(address, isConcerned);
  return current.left?.movedTo === undefined ? current : watchlists.expand(chat);
}
