/** A platform connects and reconnects on its own, and its failures do not affect others. */
import type { Hono } from 'hono';
import type { Routes } from '../base/http.js';
import type { Address } from './address.js';
import type { ManagedChat } from './inbound.js';
import type { Notifier } from './notifier.js';
import type { DataOwner } from './privacy.js';
import type { Link } from './reply.js';

export type ChatEvent =
  /** A Telegram group became a supergroup. */
  | { readonly kind: 'moved'; readonly from: Address; readonly to: Address }
  /** The bot was removed or blocked, or the chat was deleted. */
  | { readonly kind: 'gone'; readonly chat: Address; readonly because: string }
  /** A new chat is greeted once, even if the event is repeated. */
  | {
      readonly kind: 'joined';
      readonly chat: Address;
      /** By default there is the chat alone. */
      readonly circles?: readonly string[];
      /** Who added the bot can set it up from this private chat, and is greeted there instead of all readers of the new chat. */
      readonly adder?: ManagedChat & { readonly chat: Address; readonly circle: string };
    }
  | { readonly kind: 'back'; readonly chat: Address }
  /** Nothing of it is kept. */
  | { readonly kind: 'removed'; readonly chat: Address };

/** It resolves when the event is durable, and is idempotent. */
export type OnChatEvent = (event: ChatEvent) => Promise<void>;

/** `files` are mounted at `/operator/<platform>`, `api` at `/api/operator/<platform>`. */
export interface OperatorPage {
  readonly title: string;
  readonly files: Hono;
  readonly api: Hono;
}

export interface Platform {
  readonly notifier: Notifier;
  readonly dataOwner?: DataOwner;
  readonly routes?: Routes;
  /** Another process received the update. It resolves when it is answered, and rejects where it cannot be kept. Later ones may begin from `endTurn` on. */
  takeForwarded?(raw: unknown, endTurn?: () => void): Promise<void>;
  /** The page is for the operator, behind its token. */
  readonly page?: OperatorPage;
  /** These chats exist though nothing is stored of them. */
  chats?(): readonly Address[];
  /** There are none before the platform is connected. */
  inviteLinks?(chat: Address): readonly Link[];
  /** It rejects with the store's error. */
  sweep?(): Promise<void>;
  /** It starts in the background. A failed login is retried, and `notifier.diagnose()` reports it. */
  start(): void;
  /** It finishes running requests, and is idempotent. */
  stop(): Promise<void>;
}
