/** A platform as app sees it: something that connects by itself, keeps trying, and takes nothing else down. */
import type { Address } from './address.js';
import type { Courier } from './courier.js';
import type { Keeper } from './privacy.js';

/** What a platform learns about chats, beside what people ask. */
export type ChatNews =
  /** The chat has another address now (a Telegram group became a supergroup); everything kept under the old one moves along. */
  | { readonly kind: 'moved'; readonly from: Address; readonly to: Address }
  /** We can no longer post there: removed, blocked, deleted. */
  | { readonly kind: 'gone'; readonly chat: Address; readonly because: string }
  /** We were just added there by somebody: the moment to say what can be typed. Told again after a restart it is greeted once. */
  | {
      readonly kind: 'joined';
      readonly chat: Address;
      /** What the chat belongs to, as in `Inbound`, for access lists. Where absent, the chat alone counts. */
      readonly circles?: readonly string[];
    }
  /** We can post there again, or for the first time. */
  | { readonly kind: 'back'; readonly chat: Address };

/** Takes the news durably before it resolves; telling the same twice is harmless. */
export type OnChatNews = (news: ChatNews) => Promise<void>;

export interface Platform {
  readonly courier: Courier;
  /** What it keeps about chats and people by itself. Absent: nothing. */
  readonly keeper?: Keeper;
  /** Begins to connect, in the background. A login that fails is logged with its reason and retried; `courier.diagnose()` says how it stands. */
  start(): void;
  /** Takes no new questions, finishes those in hand, disconnects. Idempotent. */
  stop(): Promise<void>;
}
