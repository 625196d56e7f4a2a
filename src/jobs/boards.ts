/** This module keeps boards up to date: one message in a chat with current values. It makes no request to the service. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { NOT_PERMITTED_WAIT } from '../alerts/delivery/after-attempt.js';
import { MAX_SENDING, notifierOf } from '../alerts/delivery/deliver.js';
import { edit, takeDeparture, waitAfter } from '../alerts/delivery/edit-message.js';
import type { Reachability } from '../alerts/delivery/reachability.js';
import { datesOf, type CheckRecords } from '../alerts/checks/check-records.js';
import { prepare, type Queue } from '../alerts/queue/queue.js';
import type { Receipt } from '../alerts/queue/receipts.js';
import type { Queues } from '../alerts/queue/queues.js';
import { covering } from '../alerts/watchlist/match.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import { DAY, HOUR, MINUTE, SECOND, later, type Clock, type Instant } from '../base/clock.js';
import { withDeadline } from '../base/deadline.js';
import { DueIndex } from '../base/due-index.js';
import type { Log } from '../base/log.js';
import { yieldToEventLoop } from '../base/yield.js';
import { addressSchema, type Address } from '../chat/address.js';
import { endSlot, type EditOutcome, type Notifier } from '../chat/notifier.js';
import type { DataOwner } from '../chat/privacy.js';
import { inZone, type Reply } from '../chat/reply.js';
import type { WatchedProjects } from '../chat/watched-projects.js';
import { instantSchema } from '../domain/scalars.js';
import type { Collection, Store } from '../store/store.js';
import { composeBoard, endedBoard, versionOf } from './board/compose.js';

const boardSchema = z.object({
  /** When the board was switched on. A board with another time gets a new message. */
  since: instantSchema,
  /** Number of messages begun for the board; part of each message's id. */
  attempt: z.int(),
  messageId: z.string().optional(),
  isPinned: z.literal(true).optional(),
  /** When a failed pin is tried again. Edits go on meanwhile. */
  pinAfter: instantSchema.optional(),
  version: z.string().optional(),
  shownAt: instantSchema.optional(),
  notBefore: instantSchema.optional(),
});
type Board = z.infer<typeof boardSchema>;

const collectionIn = (store: Store): Collection<Board> => store.collection({ prefix: 'board', schema: boardSchema, version: 1 });

export interface BoardsDeps {
  readonly store: Store;
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly notifiers: readonly Notifier[];
  readonly projects: WatchedProjects;
  readonly checkRecords: Pick<CheckRecords, 'all'>;
  readonly reachability: Pick<Reachability, 'take'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Interval between checks of a board. Edits are at least `EDIT_PAUSE` apart. */
const LOOK_EVERY = 30 * SECOND;
export const EDIT_PAUSE = 3 * MINUTE;
/** Interval at which the shown age of unchanged values is renewed. */
const AGE_PAUSE = HOUR;
const RETRY = MINUTE;
/** Pause before a message is posted again that failed or was deleted soon after it was posted. */
const REPOST_PAUSE = 10 * MINUTE;
/** Time after which the queue drops the message. */
const MAX_WAITING = DAY;

const boardId = (address: Address, { since, attempt }: Pick<Board, 'since' | 'attempt'>): string =>
  createHash('sha256')
    .update(JSON.stringify(['board', address, since, attempt]))
    .digest('base64url')
    .slice(0, 22);

export class Boards implements DataOwner {
  readonly #deps: BoardsDeps;
  readonly #documents: Collection<Board>;
  readonly #index = new DueIndex<Address>();
  readonly #stopping = new AbortController();
  #begun = false;
  #running: Promise<void> | undefined;

  constructor(deps: BoardsDeps) {
    this.#deps = deps;
    this.#documents = collectionIn(deps.store);
    deps.watchlists.onChange((address) => this.#index.set(address, deps.clock.now()));
  }

  /** Starts the update of boards without waiting for it. */
  tick(): void {
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined));
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async kept(chat: Address): Promise<readonly string[]> {
    return (await this.#documents.get(chat)) === undefined ? [] : ['the message of the board'];
  }

  async forgetChat(chat: Address): Promise<void> {
    await this.#documents.delete(chat);
  }

  async #runAll(): Promise<void> {
    const { clock, watchlists, log } = this.#deps;
    if (!this.#begun) {
      this.#begun = true;
      const now = clock.now();
      for (const address of watchlists.withBoard()) this.#index.set(address, now);
      for await (const { found } of this.#documents.scan()) for (const [key] of found) this.#index.set(addressSchema.parse(key), now);
    }
    for (const address of this.#index.take(clock.now())) {
      if (this.#stopping.signal.aborted) return;
      try {
        this.#index.set(address, await this.#look(address));
      } catch (cause) {
        log.error('board.failed', { address, cause });
        this.#index.set(address, later(clock.now(), RETRY));
      }
      await yieldToEventLoop();
    }
  }

  /** Updates a chat's board. Returns when to check again, or undefined for a chat without a board. */
  async #look(address: Address): Promise<Instant | undefined> {
    const { clock, watchlists, notifiers } = this.#deps;
    const [chat, now] = [watchlists.read(address), clock.now()];
    const known = await this.#documents.get(address);
    if (chat.left !== undefined) {
      // Message ids do not move with a group: its board is posted at the new address.
      if (chat.left.movedTo !== undefined && known !== undefined) await this.#documents.delete(address);
      return undefined;
    }
    if (chat.board === undefined) return known === undefined ? undefined : this.#end(address, known);
    const notifier = notifierOf(address, { notifiers });
    if (notifier?.revise === undefined || notifier.toPrograms === true) return later(now, HOUR);
    // The board was switched off and on again at once.
    if (known !== undefined && known.since !== chat.board.since) return (await this.#end(address, known)) ?? now;
    const board = known ?? { since: chat.board.since, attempt: 1 };
    if (board.notBefore !== undefined && board.notBefore > now) return board.notBefore;
    const next = board.messageId === undefined ? await this.#posted(chat, board) : await this.#updated(chat, board, notifier);
    // The chat may have been forgotten, or the board switched off, during the update.
    if (watchlists.read(address).board?.since !== board.since) return now;
    if (next !== known) await this.#documents.set(address, next);
    return later(now, LOOK_EVERY);
  }

  /** Queues the message of a board. Its id is the same after a restart, so that the queue posts it once. */
  async #posted(chat: Chat, board: Board): Promise<Board> {
    const { clock, queues } = this.#deps;
    const { address } = chat;
    const now = clock.now();
    const id = boardId(address, board);
    const receipt = (await queues.receipts(address)).find((one) => one.id === id);
    if (receipt !== undefined) return afterReceipt(board, receipt, now);
    if (isKnown(queues.read(address), id)) return board;
    const { reply, version } = await this.#composed(chat, id);
    const message = { id, summary: 'Board', reply, queuedAt: now, until: later(now, MAX_WAITING), silent: true as const };
    await queues.change(address, (queue) => (isKnown(queue, id) ? queue : prepare(queue, message)));
    return { ...board, version };
  }

  async #updated(chat: Chat, board: Board, notifier: Notifier): Promise<Board> {
    const { clock, log } = this.#deps;
    const { address } = chat;
    const { messageId = '' } = board;
    const now = clock.now();
    const isPinDue = chat.board?.pin === true && board.isPinned !== true && (board.pinAfter ?? 0) <= now;
    if (isPinDue && notifier.pin !== undefined) {
      const outcome = await this.#inSlot(address, notifier, async () => (await notifier.pin?.(address, messageId)) ?? LOST);
      log.debug('board.pinned', { address, outcome: outcome.kind });
      if (outcome.kind === 'edited') return { ...board, isPinned: true };
      if (outcome.kind === 'lost') return afterEdit(board, outcome, now);
      return { ...board, pinAfter: later(now, outcome.kind === 'later' ? waitAfter(outcome, RETRY) : NOT_PERMITTED_WAIT) };
    }
    const since = now - (board.shownAt ?? 0);
    if (since < EDIT_PAUSE) return board;
    const { reply, version } = await this.#composed(chat, boardId(address, board));
    if (version === board.version && since < AGE_PAUSE) return board;
    const outcome = await this.#revised(address, notifier, { messageId, reply, id: `${boardId(address, board)}/${now}` });
    log.debug('board.edited', { address, outcome: outcome.kind });
    return outcome.kind === 'edited' ? { ...withoutWait(board), version, shownAt: now } : afterEdit(board, outcome, now);
  }

  /** Ends a board with a last edit that says so, if the message can be edited. */
  async #end(address: Address, { messageId, ...board }: Board): Promise<Instant | undefined> {
    const { clock, notifiers, watchlists } = this.#deps;
    const now = clock.now();
    if (board.notBefore !== undefined && board.notBefore > now) return board.notBefore;
    const notifier = notifierOf(address, { notifiers });
    if (messageId !== undefined && notifier?.revise !== undefined && watchlists.has(address)) {
      const outcome = await this.#revised(address, notifier, { messageId, reply: endedBoard(), id: `${boardId(address, board)}/end` });
      if (outcome.kind === 'later') {
        const waiting = { ...board, messageId, notBefore: later(now, waitAfter(outcome, RETRY)) };
        await this.#documents.set(address, waiting);
        return waiting.notBefore;
      }
    }
    await this.#documents.delete(address);
    return undefined;
  }

  async #composed(chat: Chat, id: string): Promise<{ readonly reply: Reply; readonly version: string }> {
    const { checkRecords, clock, projects } = this.#deps;
    const now = clock.now();
    const watched = await projects.read(chat.address, '');
    const dates = datesOf(checkRecords.all())
      .filter((date) => date.at > now && (date.what === 'end' || date.what === 'close') && covering(date, chat).length > 0)
      .toSorted((a, b) => a.at - b.at);
    const reply = inZone(composeBoard({ ...watched, dates, now }, id), chat.timezone);
    return { reply, version: versionOf(reply) };
  }

  async #revised(
    address: Address,
    notifier: Notifier,
    request: { readonly messageId: string; readonly reply: Reply; readonly id: string },
  ): Promise<EditOutcome> {
    const { clock, log } = this.#deps;
    const onThrow = (cause: unknown): void => log.error('edit.threw', { address, cause });
    return this.#inSlot(address, notifier, async () => edit(notifier, { ...request, address, clock, onThrow }));
  }

  /** Edits a board in a slot of the rate limiter. Alerts have priority, so a board that would wait long is tried later. */
  async #inSlot(address: Address, notifier: Notifier, run: () => Promise<EditOutcome>): Promise<EditOutcome> {
    const { clock } = this.#deps;
    const paused = (notifier.pausedUntil?.(address) ?? 0) - clock.now();
    if (paused > 0) return { kind: 'later', because: 'rate-limited', afterMs: paused };
    const { signal } = this.#stopping;
    const waiting = new AbortController();
    const slot =
      notifier.slot === undefined
        ? undefined
        : await withDeadline({ clock, milliseconds: MAX_SENDING }, async () =>
            notifier.slot?.(address, { kind: 'edit', since: clock.now() }, AbortSignal.any([signal, waiting.signal])),
          ).catch(() => undefined);
    waiting.abort();
    if (signal.aborted || (slot === undefined && notifier.slot !== undefined)) {
      slot?.unused();
      return { kind: 'later', because: 'rate-limited' };
    }
    try {
      const outcome = await run();
      endSlot(slot, outcome);
      await takeDeparture(address, outcome, this.#deps.reachability);
      return outcome;
    } finally {
      slot?.unused();
    }
  }
}

const LOST: EditOutcome = { kind: 'lost', because: 'not-editable' };

const isKnown = ({ open, prepared = [], receipts }: Queue, id: string): boolean =>
  open?.id === id || prepared.some((one) => one.id === id) || receipts.some((one) => one.id === id);

function withoutWait(board: Board): Board {
  const { notBefore: _, ...rest } = board;
  return rest;
}

function afterReceipt(board: Board, { end, messageId }: Receipt, now: Instant): Board {
  if (end === 'sent' && messageId !== undefined) return { ...board, messageId, shownAt: now };
  // The message was not sent, or its id is unknown.
  return again(board, now);
}

const again = ({ since, attempt }: Board, now: Instant): Board => ({ since, attempt: attempt + 1, notBefore: later(now, REPOST_PAUSE) });

/** Returns the board after an edit that failed. */
function afterEdit(board: Board, outcome: Exclude<EditOutcome, { kind: 'edited' }>, now: Instant): Board {
  const waiting = (wait: number): Board => ({ ...board, notBefore: later(now, wait) });
  switch (outcome.kind) {
    case 'later':
      return waiting(waitAfter(outcome, RETRY));
    case 'lost':
      // A message that was shown for long enough is posted again at once.
      return now - (board.shownAt ?? 0) < REPOST_PAUSE ? again(board, now) : withoutWait(again(board, now));
    case 'not-permitted':
      return waiting(NOT_PERMITTED_WAIT);
    // The move or departure is recorded with the chat: the board waits for its return, or begins at the new address.
    case 'moved':
    case 'gone':
      return waiting(RETRY);
    case 'refused':
      return waiting(HOUR);
  }
}
