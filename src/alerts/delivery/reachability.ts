/** This module tracks whether and where a chat can be reached. A move takes watchlist and queue along, in durable idempotent steps. */
import { isDeepStrictEqual } from 'node:util';
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY, instant, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { addressSchema, circleOf, type Address } from '../../chat/address.js';
import type { ChatEvent, OnChatEvent } from '../../chat/platform.js';
import { EVENTS_KEPT_FOR } from '../queue/event-archive.js';
import type { RuleStates } from '../evaluation/rule-states.js';
import { withoutOldReceipts } from '../queue/receipts.js';
import { withoutOldLive } from '../queue/live-message.js';
import { adopt, leave, release, withLastDigest, type Queue, type Receipt } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import { MAX_ABSENCE } from '../watchlist/absence.js';
import { entryFor, returned, type Chat, type Watchlists } from '../watchlist/watchlists.js';

export interface Reachability {
  readonly take: OnChatEvent;
  /** Returns earlier addresses of a chat, written as in access lists. */
  formerNames(circle: string): readonly string[];
  follow(from: Address, to: Address): Promise<void>;
  sweep(): Promise<void>;
}

interface ReachabilityDeps {
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly rules: Pick<RuleStates, 'forgetChat'>;
  /** Addresses in the access list. The records of their moves are kept. */
  readonly listed: readonly string[];
  /** Resolves when all watchlists and queues are loaded, including those of topics. By default they are. */
  readonly loaded?: Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Number of chats that came back last, of which no request may still be under way. */
const KEPT_BACK = 1_000;

class ChatReachability implements Reachability {
  readonly #deps: ReachabilityDeps;
  readonly #backAt = new RecentMap<Address, Instant>(KEPT_BACK);

  constructor(deps: ReachabilityDeps) {
    this.#deps = deps;
  }

  async follow(from: Address, to: Address): Promise<void> {
    await this.#deps.loaded;
    const [receipts, known] = [await this.#deps.queues.receipts(from), new Set((await this.#deps.queues.receipts(to)).map(({ id }) => id))];
    let old = this.#deps.queues.read(from);
    await this.#deps.queues.change(to, (queue) => {
      // The old queue may have been forgotten since `receipts` were read.
      old = withReceipts(this.#deps.queues.read(from), receipts);
      return adopt(queue, { ...old, receipts: old.receipts.filter(({ id }) => !known.has(id)) });
    });
    await this.#deps.queues.change(from, (queue) => leave(queue, old));
  }

  formerNames(circle: string): readonly string[] {
    return this.#deps.watchlists.formerly(circle).map((address) => circleOf(address));
  }

  async take(event: ChatEvent): Promise<void> {
    // A command loads its own chat, so it must not wait until all chats are loaded.
    if (event.kind !== 'joined' && event.kind !== 'back') await this.#deps.loaded;
    switch (event.kind) {
      case 'moved':
        for (const from of new Set([...this.#known(event.from), ...(this.#isListed(event.from) ? [event.from] : [])]))
          await this.#move(from, addressSchema.parse(event.to + from.slice(event.from.length)));
        return;
      case 'gone':
        for (const chat of this.#known(event.chat)) {
          // The platform answered while the chat came back. The next attempt tells whether it is gone again.
          if (this.#isBackSince(event.asked, chat)) continue;
          await this.#deps.watchlists.change(chat, (before) =>
            before.left === undefined ? { ...before, left: { at: this.#deps.clock.now(), because: event.because } } : before,
          );
          this.#deps.log.info('chat.gone', { chat, because: event.because });
        }
        return;
      case 'back':
        for (const chat of this.#known(event.chat)) {
          this.#backAt.set(chat, this.#deps.clock.now());
          await this.#deps.queues.change(chat, (queue) => release(queue, this.#deps.clock.now()));
          if (this.#deps.watchlists.read(chat).left === undefined) continue;
          await this.#deps.watchlists.change(chat, (before) => returned(before, this.#deps.clock.now()));
          this.#deps.log.info('chat.back', { chat });
        }
        return;
      case 'removed':
        for (const chat of new Set([...this.#known(event.chat), event.chat])) {
          await this.#deps.watchlists.forget(chat);
          await this.#deps.queues.forget(chat);
          await this.#deps.rules.forgetChat(chat);
          this.#deps.log.info('chat.forgotten', { chat, because: 'it was removed' });
        }
        return;
      case 'joined':
        return;
    }
  }

  async sweep(): Promise<void> {
    for (const { address, left } of this.#deps.watchlists.left()) {
      if (left === undefined || this.#deps.clock.now() - left.at < MAX_ABSENCE) continue;
      if (left.movedTo !== undefined && this.#isListed(address)) continue;
      // The chat may have come back during the sweep.
      if (this.#deps.watchlists.read(address).left?.at !== left.at) continue;
      await this.#deps.queues.forget(address);
      await this.#deps.rules.forgetChat(address);
      await this.#deps.watchlists.forget(address);
      this.#deps.log.info('chat.forgotten', { chat: address, because: left.because });
    }
    const old = instant(this.#deps.clock.now() - EVENTS_KEPT_FOR);
    for (const { address, waiting, open, receipts, alertedAt = 0 } of this.#deps.queues.all()) {
      await this.#deps.queues.change(address, (queue) => {
        const chat = this.#deps.watchlists.read(address);
        // The queue of a chat that moved keeps its live messages, because it may still have to be moved.
        const recent = withoutOldReceipts(queue, old);
        return chat.left === undefined ? withoutOldLive(recent, this.#deps.clock.now()) : recent;
      });
      await this.#deps.queues.expirePages(address, old);
      if (this.#deps.watchlists.has(address) || open !== undefined || waiting.length > 0) continue;
      // A chat that watches nothing can get samples. Their queue is kept for a day, so that "Why?" works.
      if (this.#deps.clock.now() - Math.max(receipts[0]?.endedAt ?? 0, alertedAt) >= DAY) await this.#deps.queues.forget(address);
    }
  }

  /** Copies a chat to its new address, durably, before the old address is emptied. */
  async #copied(from: Address, to: Address, before?: Chat): Promise<Chat> {
    const old = this.#deps.watchlists.read(from);
    await this.#deps.watchlists.change(
      to,
      (chat) => merged(returned(notIn(before, chat), this.#deps.clock.now()), returned(old, this.#deps.clock.now())),
      { isMove: true },
    );
    return old;
  }

  /** Empties the old address, so that nothing is routed to it. Returns false if the old chat changed meanwhile. */
  async #emptied(from: Address, to: Address, old: Chat): Promise<boolean> {
    let isSame = false;
    await this.#deps.watchlists.change(from, (chat) => {
      // Both a refused message and the platform's event may report the move.
      isSame = chat.left?.movedTo === to || isDeepStrictEqual(chat, old);
      return isSame
        ? { address: chat.address, entries: [], left: { at: this.#deps.clock.now(), because: 'the chat moved', movedTo: to } }
        : chat;
    });
    return isSame;
  }

  async #move(from: Address, to: Address): Promise<void> {
    // The last digest is copied before the setting: otherwise the new address would send it once more.
    const { digest } = this.#deps.queues.read(from);
    if (digest !== undefined) await this.#deps.queues.change(to, (queue) => withLastDigest(queue, { digest }));
    let old = await this.#copied(from, to);
    // A command at the old address may have changed the chat while it was copied.
    while (!(await this.#emptied(from, to, old))) old = await this.#copied(from, to, old);
    await this.follow(from, to);
    // Platforms report a move more than once.
    if (old.left?.movedTo !== to) this.#deps.log.info('chat.moved', { from, to, entries: old.entries.length });
  }

  /** False if the clock was set back meanwhile, because the next attempts would then not count either. */
  #isBackSince(asked: Instant | undefined, chat: Address): boolean {
    const back = this.#backAt.get(chat);
    return asked !== undefined && back !== undefined && asked <= back && back <= this.#deps.clock.now();
  }

  #isListed(chat: Address): boolean {
    return this.#deps.listed.includes(circleOf(chat));
  }

  #known(chat: Address): readonly Address[] {
    return [...new Set([...this.#deps.watchlists.under(chat), ...this.#deps.queues.under(chat)])];
  }
}

export const createReachability = (deps: ReachabilityDeps): Reachability => new ChatReachability(deps);

function withReceipts(queue: Queue, read: readonly Receipt[]): Queue {
  if (queue.receipts.length === 0 && queue.pages === undefined) return queue;
  const own = new Set(queue.receipts.map(({ id }) => id));
  return { ...queue, receipts: [...queue.receipts, ...read.filter(({ id }) => !own.has(id))] };
}

/** Returns the parts of a chat that have changed since it was copied. */
function notIn(copied: Chat | undefined, { address, entries, ...chat }: Chat): Chat {
  if (copied === undefined) return { address, entries, ...chat };
  const before = new Map(Object.entries(copied));
  return {
    ...Object.fromEntries(Object.entries(chat).filter(([key, value]) => !isDeepStrictEqual(value, before.get(key)))),
    address,
    entries: entries.filter((entry) => !copied.entries.some((one) => isDeepStrictEqual(one, entry))),
  };
}

/** Merges two chats. If both have a value, the new address wins. */
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
