/** Handles inbound records in the active process, in order within a chat. */
import { SECOND, type Clock } from '../base/clock.js';
import { signalOnce } from '../base/when-ready.js';
import type { Log } from '../base/log.js';
import type { Notifier } from '../chat/notifier.js';
import type { Platform } from '../chat/platform.js';
import type { InboundRecord, InboundRecords } from './records.js';

export interface InboundConsumerDeps {
  readonly records: InboundRecords;
  readonly platforms: () => readonly (Pick<Platform, 'takeForwarded'> & { readonly notifier: Pick<Notifier, 'platform'> })[];
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY = SECOND / 4;
/** How many chats are answered at once. */
const MAX_CHATS = 16;
const RETRY_AFTER = SECOND;

export class InboundConsumer {
  readonly #deps: InboundConsumerDeps;
  readonly #end = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  /** Records under way whose turn has ended, by key. Later records of their chats may be handled meanwhile. */
  readonly #passed = new Map<string, Promise<void>>();
  readonly #failing = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(deps: InboundConsumerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops taking records. Those under way stay stored. Idempotent. */
  async stop(): Promise<void> {
    this.#end.abort(new Error('the bot is stopping'));
    await this.#running;
    await Promise.all([...this.#busy.values(), ...this.#passed.values()]);
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    while (!this.#end.signal.aborted) {
      await this.#pass().catch((error: unknown) => log.warn('inbound.not-read', { error }));
      await clock.sleep(EVERY, this.#end.signal).catch(() => undefined);
    }
  }

  async #pass(): Promise<void> {
    if (this.#busy.size >= MAX_CHATS) return;
    const chats = new Map<string, InboundRecord[]>();
    for (const record of await this.#deps.records.waiting()) {
      if (this.#passed.has(record.key)) continue;
      const before = chats.get(record.chat);
      if (before === undefined) chats.set(record.chat, [record]);
      else before.push(record);
    }
    for (const [chat, all] of chats) {
      if (this.#busy.size >= MAX_CHATS || this.#end.signal.aborted) return;
      if (this.#busy.has(chat)) continue;
      this.#busy.set(
        chat,
        this.#inOrder(chat, all).finally(() => this.#busy.delete(chat)),
      );
    }
  }

  async #inOrder(chat: string, all: readonly InboundRecord[]): Promise<void> {
    const { clock, log } = this.#deps;
    try {
      for (const record of all) {
        if (this.#end.signal.aborted || record.isHeld) return;
        await this.#turnOf(record);
        this.#failing.delete(chat);
      }
    } catch (error) {
      log[this.#failing.has(chat) ? 'debug' : 'warn']('inbound.not-handled', { chat, error });
      this.#failing.add(chat);
      await clock.sleep(RETRY_AFTER, this.#end.signal).catch(() => undefined);
    }
  }

  /** Handles a record. Resolves when the chat's next one may begin; rejects if this one failed before that. */
  async #turnOf(record: InboundRecord): Promise<void> {
    const { done: endsTurn, signal: endTurn } = signalOnce();
    const handling = this.#handle(record, endTurn);
    const first = await Promise.race([handling.then(() => 'handled' as const), endsTurn]);
    if (first === 'handled') return;
    this.#passed.set(
      record.key,
      handling
        .catch((error: unknown) => this.#deps.log.warn('inbound.not-handled', { chat: record.chat, error }))
        .finally(() => this.#passed.delete(record.key)),
    );
  }

  async #handle(record: InboundRecord, endTurn: () => void): Promise<void> {
    const { platforms, records } = this.#deps;
    if (!(await records.isHandled(record))) {
      const platform = platforms().find(({ notifier }) => notifier.platform === record.platform);
      if (platform?.takeForwarded === undefined) throw new Error(`inbound: no platform here handles ${record.platform}`);
      await platform.takeForwarded(record.raw, endTurn);
    }
    // A record that a stop cut off stays, so that the next process handles it again.
    if (!this.#end.signal.aborted) await records.finish(record);
  }
}
