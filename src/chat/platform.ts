/** A platform as app sees it: it connects by itself, keeps trying, and its failures stop nothing else. */
import type { Address } from './address.js';
import type { Notifier } from './notifier.js';
import type { DataOwner } from './privacy.js';

/** What a platform learns about a chat, apart from questions. */
export type ChatEvent =
  /** The chat has another address now (a Telegram group became a supergroup); everything kept under the old one moves along. */
  | { readonly kind: 'moved'; readonly from: Address; readonly to: Address }
  /** The bot can no longer post there: removed, blocked, deleted. */
  | { readonly kind: 'gone'; readonly chat: Address; readonly because: string }
  /** Somebody has just added the bot there. Reported again after a restart, the chat is still greeted once. */
  | {
      readonly kind: 'joined';
      readonly chat: Address;
      /** What the chat belongs to, as in `Inbound`, for access lists. Where absent, the chat alone counts. */
      readonly circles?: readonly string[];
    }
  /** The bot can post there again, or for the first time. */
  | { readonly kind: 'back'; readonly chat: Address };

/** Resolves when the event is durable. Reporting the same event twice is harmless. */
export type OnChatEvent = (news: ChatEvent) => Promise<void>;

export interface Platform {
  readonly notifier: Notifier;
  /** The data about chats and people that it stores itself. Absent: none. */
  readonly dataOwner?: DataOwner;
  /** Begins to connect, in the background. A login that fails is logged with its reason and retried; `notifier.diagnose()` reports it. */
  start(): void;
  /** Takes no new questions, finishes those under way, disconnects. Idempotent. */
  stop(): Promise<void>;
}
