/** The active process takes inbound records, in order within a chat. */
import { SECOND, type Clock } from '../base/clock.js';
import { signalOnce } from '../base/when-ready.js';
import type { Log } from '../base/log.js';
import type { Notifier } from '../chat/notifier.js';
import type { Platform } from '../chat/platform.js';
import type { InboundRecord, InboundRecords } from './records.js';

export interface InboundConsumer {
  start(): void;
  /** Records under way stay. Idempotent. */
  stop(): Promise<void>;
}

export interface InboundConsumerDeps {
  readonly records: InboundRecords;
  readonly platforms: () => readonly (Pick<Platform, 'takeForwarded'> & { readonly notifier: Pick<Notifier, 'platform'> })[];
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY = SECOND / 4;
/** Chats at once. */
const MAX_CHATS = 16;
const RETRY_AFTER = SECOND;

export function openInboundConsumer({ records, platforms, clock, log }: InboundConsumerDeps): InboundConsumer {
  const end = new AbortController();
  const busy = new Map<string, Promise<void>>();
  /** Their turn has ended before they were handled: later records of their chats may pass. By key. */
  const passed = new Map<string, Promise<void>>();
  const failing = new Set<string>();

  async function handle(record: InboundRecord, endTurn: () => void): Promise<void> {
    if (!(await records.isHandled(record))) {
      const platform = platforms().find(({ notifier }) => notifier.platform === record.platform);
      if (platform?.takeForwarded === undefined) throw new Error(`inbound: no platform here handles ${record.platform}`);
      await platform.takeForwarded(record.raw, endTurn);
    }
    // What a stop cut off is known to the platform and begins again in the next process, which waits for it.
    if (!end.signal.aborted) await records.finish(record);
  }

  /** Resolves when the next one may begin; rejects where it failed before. */
  async function turnOf(record: InboundRecord): Promise<void> {
    const { done: endsTurn, signal: endTurn } = signalOnce();
    const handling = handle(record, endTurn);
    const first = await Promise.race([handling.then(() => 'handled' as const), endsTurn]);
    if (first === 'handled') return;
    passed.set(
      record.key,
      handling
        .catch((error: unknown) => log.warn('inbound.not-handled', { chat: record.chat, error }))
        .finally(() => passed.delete(record.key)),
    );
  }

  async function inOrder(chat: string, all: readonly InboundRecord[]): Promise<void> {
    try {
      for (const record of all) {
        if (end.signal.aborted || record.isHeld) return;
        await turnOf(record);
        failing.delete(chat);
      }
    } catch (error) {
      log[failing.has(chat) ? 'debug' : 'warn']('inbound.not-handled', { chat, error });
      failing.add(chat);
      await clock.sleep(RETRY_AFTER, end.signal).catch(() => undefined);
    }
  }

  async function pass(): Promise<void> {
    if (busy.size >= MAX_CHATS) return;
    const chats = new Map<string, InboundRecord[]>();
    for (const record of await records.waiting()) {
      if (passed.has(record.key)) continue;
      const before = chats.get(record.chat);
      if (before === undefined) chats.set(record.chat, [record]);
      else before.push(record);
    }
    for (const [chat, all] of chats) {
      if (busy.size >= MAX_CHATS || end.signal.aborted) return;
      if (busy.has(chat)) continue;
      busy.set(
        chat,
        inOrder(chat, all).finally(() => busy.delete(chat)),
      );
    }
  }

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      await pass().catch((error: unknown) => log.warn('inbound.not-read', { error }));
      await clock.sleep(EVERY, end.signal).catch(() => undefined);
    }
  }

  let running: Promise<void> | undefined;
  return {
    start: () => void (running ??= run()),
    async stop() {
      end.abort(new Error('the bot is stopping'));
      await running;
      await Promise.all([...busy.values(), ...passed.values()]);
    },
  };
}
