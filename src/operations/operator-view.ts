/** The operator view: lists every chat, and runs command lines for a chat, whose document records them. */
import { isDeepStrictEqual } from 'node:util';
import { lastAlert, waitingIn } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { shortName, targetName } from '../alerts/watchlist/entry.js';
import { MAX_EDITS, type Chat, type Watchlists } from '../alerts/watchlist/watchlists.js';
import { SECOND, instant, type Clock } from '../base/clock.js';
import { within } from '../base/deadline.js';
import { whenReady } from '../base/when-ready.js';
import { cut } from '../base/one-line.js';
import { platformOf, type Address } from '../chat/address.js';
import type { Answerer } from '../chat/inbound.js';
import type { Notifier } from '../chat/notifier.js';
import type { OperatedChat, OperatedChatQuery, OperatedState, Operator, RefusedFile } from '../chat/operator-view.js';
import { reply } from '../chat/reply.js';
import { StoreError, type Store } from '../store/store.js';
import { exportName, exportStream } from './backup/export-format.js';

export const CHATS_PER_PAGE = 50;
const MAX_NAMES = 5;
const MAX_LINE_KEPT = 300;
/** The wait for a platform, which may not answer. */
const PROBED_WITHIN = 5 * SECOND;
/** The commands that operators may run; they concern one chat's alerts only. */
const ALLOWED = ['watch', 'unwatch', 'watchlist', 'alerts', 'mute', 'unmute', 'settings', 'digest', 'history', 'why'];

/** A line that posts something without changing the watchlist. */
const POSTS = /^\/?alerts\s+test\b/iu;

/** Tells whether a line only reads. A command without arguments shows its page. */
const isQuestion = (command: string, line: string): boolean => command === 'history' || command === 'why' || !/\s/u.test(line.trim());

export interface OperatorDeps {
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly notifiers: readonly Notifier[];
  /** Returns the chats of which nothing may be stored yet. */
  readonly chats: () => readonly Address[];
  readonly answer: Answerer;
  readonly clock: Clock;
  readonly store: Pick<Store, 'copies'>;
  readonly refusedFiles: () => readonly RefusedFile[];
}

export class OperatorView implements Operator {
  readonly #deps: OperatorDeps;

  constructor(deps: OperatorDeps) {
    this.#deps = deps;
  }

  async chats({ search, state, page }: OperatedChatQuery): ReturnType<Operator['chats']> {
    const words = search.trim().toLowerCase();
    const found = this.#addresses().filter((address) => this.#matches(address, words, state));
    const from = (page - 1) * CHATS_PER_PAGE;
    return {
      total: found.length,
      pages: Math.max(1, Math.ceil(found.length / CHATS_PER_PAGE)),
      chats: found.slice(from, from + CHATS_PER_PAGE).map((address) => this.#seen(address)),
    };
  }

  async chat(address: Address): ReturnType<Operator['chat']> {
    if (!this.#isKnown(address)) return undefined;
    const seen = this.#seen(address);
    const missing = await this.#missingAt(address);
    return { ...seen, missing, edits: this.#deps.watchlists.read(address).edits ?? [] };
  }

  async run(address: Address, line: string, by: string): ReturnType<Operator['run']> {
    if (!this.#isKnown(address)) return undefined;
    const command = /^\/?(\S+)/u.exec(line.trim())?.[1]?.toLowerCase() ?? '';
    if (!ALLOWED.includes(command))
      return reply({
        tone: 'warning',
        finding: [`Only commands about this chat's alerts run here: ${ALLOWED.map((one) => `/${one}`).join(', ')}.`],
      });
    const person = { id: 'console/local', name: 'operator', manages: async () => true };
    const asked = { chat: address, from: person, circles: ['console/operator'], ask: { line: line.trim() }, byOperator: true } as const;
    const run = async () => this.#deps.answer(asked);
    return isQuestion(command, line) ? run() : this.#recorded(address, { line: line.trim(), by }, run);
  }

  refusedFiles(): readonly RefusedFile[] {
    return this.#deps.refusedFiles();
  }

  async exported(): ReturnType<Operator['exported']> {
    const { clock, store } = this.#deps;
    try {
      return { name: exportName(clock.now()), file: await exportStream(store, clock.now()) };
    } catch (error) {
      if (error instanceof StoreError && error.trouble === 'locked') return 'Another export is being made. Wait until it has ended.';
      throw error;
    }
  }

  #addresses(): readonly Address[] {
    const { chats, queues, watchlists } = this.#deps;
    return [...new Set([...chats(), ...watchlists.addresses(), ...queues.all().map(({ address }) => address)])].toSorted((a, b) =>
      a < b ? -1 : 1,
    );
  }

  #isKnown(address: Address): boolean {
    const { chats, queues, watchlists } = this.#deps;
    return watchlists.has(address) || queues.under(address).includes(address) || chats().includes(address);
  }

  #seen(address: Address): OperatedChat {
    const { queues, watchlists } = this.#deps;
    const [chat, queue] = [watchlists.read(address), queues.read(address)];
    const { entries } = chat;
    return {
      ...{ address, platform: platformOf(address), entries: entries.length, ...this.#stateOf(chat) },
      watches: entries.slice(0, MAX_NAMES).map(({ target }) => shortName(target)),
      waiting: waitingIn(queue),
      lastAlertAt: lastAlert(queue),
    };
  }

  #stateOf(chat: Chat): Pick<OperatedChat, 'state' | 'because'> {
    const { clock, queues } = this.#deps;
    const { left, mutedUntil = instant(0), address } = chat;
    if (left !== undefined)
      return left.movedTo === undefined ? { state: 'absent', because: left.because } : { state: 'moved', because: left.movedTo };
    const { open } = queues.read(address);
    if (open?.notPermitted === true) return { state: 'not-permitted', because: open.problem };
    return mutedUntil > clock.now() ? { state: 'muted', because: `until ${new Date(mutedUntil).toISOString()}` } : { state: 'active' };
  }

  #matches(address: Address, words: string, state: OperatedState | undefined): boolean {
    const chat = this.#deps.watchlists.read(address);
    if (state !== undefined && this.#stateOf(chat).state !== state) return false;
    return (
      words === '' ||
      [address, ...chat.entries.flatMap(({ target }) => [targetName(target), shortName(target)])].some((text) =>
        text.toLowerCase().includes(words),
      )
    );
  }

  /** Returns the missing permissions; undefined if the platform does not answer. */
  async #missingAt(address: Address): Promise<readonly string[] | undefined> {
    const { clock, notifiers } = this.#deps;
    const notifier = notifiers.find(({ platform }) => platform === platformOf(address));
    if (notifier === undefined) return [`${platformOf(address)} is not connected`];
    try {
      const probe = await within(clock, PROBED_WITHIN, notifier.probe(address));
      return probe && [...probe.missing, ...(probe.blocked === undefined ? [] : [probe.blocked])];
    } catch {
      return undefined;
    }
  }

  /** Records the line before it runs, and removes the record if nothing changed. */
  async #recorded<T>(address: Address, { line, by }: { readonly line: string; readonly by: string }, run: () => Promise<T>): Promise<T> {
    const { clock, watchlists } = this.#deps;
    const edit = { at: clock.now(), by, line: cut(line, MAX_LINE_KEPT) };
    const before = watchlists.read(address);
    await watchlists.change(address, (chat) => ({ ...chat, edits: [edit, ...(chat.edits ?? [])].slice(0, MAX_EDITS) }));
    const result = await run();
    await watchlists.change(address, (chat) => {
      const [{ edits = [], ...now }, { edits: earlier, ...then }] = [chat, before];
      if (!isDeepStrictEqual(now, then) || POSTS.test(line)) return chat;
      return earlier === undefined ? now : { ...now, edits: edits.filter((one) => one !== edit) };
    });
    return result;
  }
}

/** Waits until all chats are loaded, because others are not listed. */
export function operatorAfter(ready: Promise<unknown>, operator: Operator): Operator {
  const wait = whenReady(ready);
  return {
    chats: wait(async (query: OperatedChatQuery) => operator.chats(query)),
    chat: wait(async (address: Address) => operator.chat(address)),
    run: wait(async (address: Address, line: string, by: string) => operator.run(address, line, by)),
    exported: async () => operator.exported(),
    refusedFiles: () => operator.refusedFiles(),
  };
}
