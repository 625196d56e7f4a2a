/** A platform as app uses it: it connects and reconnects on its own, and its failures do not affect others. */
import type { Address } from './address.js';
import type { Notifier } from './notifier.js';
import type { DataOwner } from './privacy.js';
import type { Link } from './reply.js';

export type ChatEvent =
  /** The address changed (a Telegram group became a supergroup); stored data moves along. */
  | { readonly kind: 'moved'; readonly from: Address; readonly to: Address }
  /** The bot can no longer post there: removed, blocked, deleted. */
  | { readonly kind: 'gone'; readonly chat: Address; readonly because: string }
  /** The bot was added. The chat is greeted once, even if this is reported again. */
  | {
      readonly kind: 'joined';
      readonly chat: Address;
      /** As in `Inbound`; the chat alone where absent. */
      readonly circles?: readonly string[];
    }
  /** The bot can post there, again or for the first time. */
  | { readonly kind: 'back'; readonly chat: Address };

/** Resolves when the event is durable. Idempotent. */
export type OnChatEvent = (news: ChatEvent) => Promise<void>;

export interface Platform {
  readonly notifier: Notifier;
  readonly dataOwner?: DataOwner;
  /** Links that add the bot to other chats, for the greeting in this chat; none before it is connected. */
  inviteLinks?(chat: Address): readonly Link[];
  /** Deletes what the platform no longer needs. Rejects with the store's error. */
  sweep?(): Promise<void>;
  /** Connects in the background. A failed login is logged and retried; `notifier.diagnose()` reports it. */
  start(): void;
  /** Refuses new requests, finishes running ones and disconnects. Idempotent. */
  stop(): Promise<void>;
}
