/**
 * Where a chat is found, and whether anything can be posted there. A chat that is gone is left alone and its list kept for a while; one that has
 * another address takes everything along: its list, what waits for it, and what it was told.
 *
 * Each step is durable by itself and harmless to repeat. What a crash leaves at an old address is found by its `movedTo` and follows later.
 */
import { DAY, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { addressSchema, circleOf, type Address } from '../../chat/address.js';
import type { ChatEvent, OnChatEvent } from '../../chat/platform.js';
import { withCurrentStates } from '../evaluation/chat-rules.js';
import { adopt, leave, release, type Queue, type Receipt } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import { entryFor, returned, type Chat, type Watchlists } from './watchlists.js';

/** How long the list of a chat that is gone is kept. */
export const KEPT_AFTER = 30 * DAY;

export interface Reachability {
  readonly take: OnChatEvent;
  /** What access lists called a chat before it moved, by what they would call it now. */
  formerNames(circle: string): readonly string[];
  /** Brings what still stands at an old address to the new one. */
  follow(from: Address, to: Address): Promise<void>;
  /** Forgets chats that have been gone for long, and queues that nobody's list belongs to. */
  sweep(): Promise<void>;
}

interface Needs {
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  /** Circles that the operator listed: where such a chat moved to is remembered for good. */
  readonly listed: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export function createReachability({ watchlists, queues, listed, clock, log }: Needs): Reachability {
  const follow = async (from: Address, to: Address): Promise<void> => {
    const [receipts, known] = [await queues.receipts(from), new Set((await queues.receipts(to)).map(({ id }) => id))];
    let old = queues.read(from);
    await queues.change(to, (queue) => {
      // It may have been forgotten while this waited for its turn.
      old = withReceipts(queues.read(from), receipts);
      return adopt(queue, { ...old, receipts: old.receipts.filter(({ id }) => !known.has(id)) });
    });
    await queues.change(from, (queue) => leave(queue, old));
  };

  const move = async (from: Address, to: Address): Promise<void> => {
    const old = watchlists.read(from);
    await watchlists.change(to, (chat) => merged(returned(chat, clock.now()), returned(old, clock.now())));
    // Nothing is routed to the old address from here on; what was, follows.
    await watchlists.change(from, ({ address }) => ({
      address,
      entries: [],
      left: { at: clock.now(), because: 'the chat moved', movedTo: to },
    }));
    await follow(from, to);
    // A platform says it more than once.
    if (old.left?.movedTo !== to) log.info('chat.moved', { from, to, entries: old.entries.length });
  };

  const isListed = (chat: Address): boolean => listed.includes(circleOf(chat));

  return {
    follow,

    formerNames: (circle) => watchlists.formerly(circle).map((address) => circleOf(address)),

    async take(news: ChatEvent) {
      switch (news.kind) {
        case 'moved':
          for (const from of new Set([...known(news.from), ...(isListed(news.from) ? [news.from] : [])]))
            await move(from, addressSchema.parse(news.to + from.slice(news.from.length)));
          return;
        case 'gone':
          for (const chat of known(news.chat)) {
            await watchlists.change(chat, (before) =>
              before.left === undefined ? { ...before, left: { at: clock.now(), because: news.because } } : before,
            );
            log.info('chat.gone', { chat, because: news.because });
          }
          return;
        case 'back':
          for (const chat of known(news.chat)) {
            await queues.change(chat, (queue) => release(queue, clock.now()));
            if (watchlists.read(chat).left === undefined) continue;
            await watchlists.change(chat, (before) => returned(before, clock.now()));
            log.info('chat.back', { chat });
          }
          return;
        case 'joined':
          return;
      }
    },

    async sweep() {
      for (const { address, left } of watchlists.left()) {
        if (left === undefined || clock.now() - left.at < KEPT_AFTER) continue;
        if (left.movedTo !== undefined && isListed(address)) continue;
        // It may have come back while others were forgotten.
        if (watchlists.read(address).left?.at !== left.at) continue;
        await queues.forget(address);
        await watchlists.forget(address);
        log.info('chat.forgotten', { chat: address, because: left.because });
      }
      for (const { address, waiting, open, receipts, alertedAt = 0 } of queues.all()) {
        // No check of what the chat watched once visits it again.
        await queues.change(address, (queue) => {
          const chat = watchlists.read(address);
          // What stands at an address that a chat left may still follow it.
          return chat.left === undefined ? withCurrentStates(queue, chat, clock.now()) : queue;
        });
        if (watchlists.has(address) || open !== undefined || waiting.length > 0) continue;
        // Samples are told where nothing is watched, and asked about for a while.
        if (clock.now() - Math.max(receipts[0]?.endedAt ?? 0, alertedAt) >= DAY) await queues.forget(address);
      }
    },
  };

  /** The chats behind an address: itself, and its topics where it has some. Only what is kept here; strangers leave no trace. */
  function known(chat: Address): readonly Address[] {
    return [...new Set([...watchlists.under(chat), ...queues.under(chat)])];
  }
}

/** A queue with the receipts that stood in its pages as well; one that was forgotten meanwhile has none. */
function withReceipts(queue: Queue, read: readonly Receipt[]): Queue {
  if (queue.receipts.length === 0 && queue.pages === undefined) return queue;
  const own = new Set(queue.receipts.map(({ id }) => id));
  return { ...queue, receipts: [...queue.receipts, ...read.filter(({ id }) => !own.has(id))] };
}

/** Both lists as one; where both have an entry for the same target or say the same thing differently, what stands there stays. */
function merged(chat: Chat, old: Chat): Chat {
  const { left: _, ...there } = chat;
  const { left: _left, ...before } = old;
  const [absence] = [chat.absence, old.absence].filter((one) => one !== undefined).toSorted((a, b) => b.to - a.to);
  return {
    ...before,
    ...there,
    ...(absence === undefined ? {} : { absence }),
    entries: [...chat.entries, ...old.entries.filter((entry) => entryFor(chat, entry.target) === undefined)],
  };
}
