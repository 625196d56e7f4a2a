/** Brings news to the queues of the chats that want it. Idempotent by event id, so an interrupted routing is simply done again. */
import { pause } from '../../base/pause.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import { lateAfterAbsence } from '../watchlist/absence.js';
import type { Archive } from '../queue/events.js';
import { targetName } from '../watchlist/entry.js';
import type { MeasuredCheck } from './evaluate.js';
import { evaluateForChat, type ChatEvaluation } from './chat-rules.js';
import { begun, match } from './match.js';
import { enqueue, type Member, type Queue } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';

interface Routing {
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly now: Instant;
}

interface Arriving {
  /** Why an event was seen late. */
  readonly lateBy?: (event: FeedEvent) => Member['late'];
  /** When the subject was last checked before these events were found. */
  readonly checkedAt?: Instant | undefined;
}

/** Queues each event for each chat that is to be told, in the order given; also for those that are away. Resolves when all of it is durable. */
export async function route(news: readonly FeedEvent[], { watchlists, queues, now, lateBy, checkedAt }: Routing & Arriving): Promise<void> {
  const membersOf = (chat: Chat, events: readonly FeedEvent[]): readonly Member[] => {
    const asOfNow = begun(chat, now);
    const afterAbsence = lateAfterAbsence(chat, checkedAt, now);
    return events.flatMap((event): Member[] => {
      const verdict = match(event, asOfNow);
      if (!verdict.matched) return [];
      const late = afterAbsence ?? lateBy?.(event);
      return [
        {
          ...{ event: event.id, entry: targetName(verdict.entry.target), queuedAt: now },
          ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
          ...(late === undefined ? {} : { late }),
        },
      ];
    });
  };
  const concerned = new Map<Address, { readonly chat: Chat; readonly events: FeedEvent[] }>();
  for (const event of news) {
    for (const address of watchlists.kept.to(event)) {
      const one = concerned.get(address) ?? { chat: watchlists.read(address), events: [] };
      one.events.push(event);
      concerned.set(address, one);
    }
  }
  await inGroups([...concerned.values()], async ({ chat, events }) => {
    if (membersOf(chat, events).length === 0) return;
    await queues.change(chat.address, (queue) => {
      const current = currentChat(chat, watchlists);
      return enqueue(queue, membersOf(current, events), current.left?.at);
    });
  });
}

/** So many chats are written at once, since a store commits together what waits; between two groups others who wait for the process get their turn. */
const AT_ONCE = 100;

/** Resolves when all are done. Rejects with the first failure, after those that began with it have ended. */
async function inGroups<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    if (from > 0) await pause();
    const ends = await Promise.allSettled(all.slice(from, from + AT_ONCE).map(run));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

/**
 * The chat as it stands when its turn comes: it may have been forgotten while others were written, and then it watches nothing. What is on its way to
 * one that moved meanwhile goes by what it watched there, and follows.
 */
function currentChat(chat: Chat, watchlists: Watchlists): Chat {
  const current = watchlists.read(chat.address);
  return current.left?.movedTo === undefined ? current : chat;
}

/**
 * Judges what one look read of figures in each chat, and queues what is an alert there. Such an event is kept before any queue names it; one that
 * is an alert nowhere is not kept. Resolves when all of it is durable.
 */
export async function routeMeasurements(
  measuredCheck: Omit<MeasuredCheck, 'now'>,
  { watchlists, queues, archive, now }: Routing & { readonly archive: Archive },
): Promise<void> {
  if (measuredCheck.measurements.length === 0) return;
  const kept = new Set<string>();
  const keeping = new Map<string, Promise<void>>();
  /** Once, however many chats are alerted. */
  const keep = async (event: FeedEvent): Promise<void> => {
    const end = keeping.get(event.id) ?? archive.keep(event);
    keeping.set(event.id, end);
    await end;
    kept.add(event.id);
  };
  // One object for all chats: what one of them needs worked out, the others share.
  const shared: MeasuredCheck = { ...measuredCheck, now };
  const judgeIn = async (chat: Chat): Promise<void> => {
    const heardBy = (queue: Queue): ChatEvaluation => evaluateForChat(queue, currentChat(chat, watchlists), shared);
    const before = queues.read(chat.address);
    const { queue: after, alerts } = heardBy(before);
    // Most measurements change nothing, and then nobody has to wait for a turn.
    if (after === before) return;
    for (const { event } of alerts) await keep(event);
    let isWhole = true;
    await queues.change(chat.address, (queue) => {
      const heard = heardBy(queue);
      isWhole = heard.alerts.every(({ event }) => kept.has(event.id));
      return isWhole ? heard.queue : queue;
    });
    // The queue changed meanwhile, so that more is an alert: that is kept first.
    if (!isWhole) await judgeIn(chat);
  };
  const concerned = new Set(measuredCheck.measurements.flatMap(({ event }) => [...watchlists.here.to(event)]));
  await inGroups(
    [...concerned].map((address) => watchlists.read(address)),
    judgeIn,
  );
}
