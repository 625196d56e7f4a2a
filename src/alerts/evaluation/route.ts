/** Enqueues events for the chats that match. Idempotent by event id. */
import { pause } from '../../base/pause.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import { lateAfterAbsence } from '../watchlist/absence.js';
import type { Archive } from '../queue/events.js';
import { targetName } from '../watchlist/entry.js';
import type { MeasuredCheck } from './evaluate.js';
import { evaluateForChat, withCurrentStates, type ChatEvaluation } from './chat-rules.js';
import { withoutEnded, type EndedRule } from '../watchlist/ended-rules.js';
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
  readonly lateBy?: (event: FeedEvent) => Member['late'];
  /** The subject's check before the one that found these events. */
  readonly checkedAt?: Instant | undefined;
}

/** In order, also for chats that are away. Resolves when durable. */
export async function route(all: readonly FeedEvent[], { watchlists, queues, now, lateBy, checkedAt }: Routing & Arriving): Promise<void> {
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
  for (const event of all) {
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

/** Lets the store commit them together, and other work run between groups. */
const AT_ONCE = 100;

/** Rejects with the first failure, after its group has ended. */
async function inGroups<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    if (from > 0) await pause();
    const ends = await Promise.allSettled(all.slice(from, from + AT_ONCE).map(run));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

/** The chat may have been forgotten meanwhile. One that moved keeps the old entries; its queue follows. */
function currentChat(chat: Chat, watchlists: Watchlists): Chat {
  const current = watchlists.read(chat.address);
  return current.left?.movedTo === undefined ? current : chat;
}

/** Evaluates measurements in each chat and enqueues the alerts; an event is stored before a queue names it. Resolves when durable. */
export async function routeMeasurements(
  measuredCheck: Omit<MeasuredCheck, 'now'>,
  { watchlists, queues, archive, now }: Routing & { readonly archive: Archive },
): Promise<void> {
  if (measuredCheck.measurements.length === 0) return;
  const kept = new Set<string>();
  const keeping = new Map<string, Promise<void>>();
  const keep = async (event: FeedEvent): Promise<void> => {
    const end = keeping.get(event.id) ?? archive.keep(event);
    keeping.set(event.id, end);
    await end;
    kept.add(event.id);
  };
  // One object for all chats, so that they share the cache.
  const shared: MeasuredCheck = { ...measuredCheck, now };
  // After the alert is durable: until then its state says that it has alerted.
  const removeEnded = async (address: Address, ended: readonly EndedRule[]): Promise<void> => {
    if (ended.length === 0) return;
    await watchlists.change(address, (chat) => withoutEnded(chat, ended));
    await queues.change(address, (queue) => withCurrentStates(queue, watchlists.read(address), now));
  };
  const evaluateIn = async (chat: Chat): Promise<void> => {
    const evaluateQueue = (queue: Queue): ChatEvaluation => evaluateForChat(queue, currentChat(chat, watchlists), shared);
    const before = queues.read(chat.address);
    const { queue: after, alerts, ended } = evaluateQueue(before);
    // Most measurements change nothing and need no serialised write.
    if (after === before) return removeEnded(chat.address, ended);
    for (const { event } of alerts) await keep(event);
    let isWhole = true;
    await queues.change(chat.address, (queue) => {
      const evaluation = evaluateQueue(queue);
      isWhole = evaluation.alerts.every(({ event }) => kept.has(event.id));
      return isWhole ? evaluation.queue : queue;
    });
    // The queue changed meanwhile and more events alert: store these first.
    if (!isWhole) await evaluateIn(chat);
    else await removeEnded(chat.address, ended);
  };
  const concerned = new Set(measuredCheck.measurements.flatMap(({ event }) => [...watchlists.here.to(event)]));
  await inGroups(
    [...concerned].map((address) => watchlists.read(address)),
    evaluateIn,
  );
}
