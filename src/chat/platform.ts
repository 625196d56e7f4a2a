/** The port of a platform. It connects and reconnects on its own, and its failures do not affect other platforms. */
import type { Hono } from 'hono';
import type { Routes } from '../base/http.js';
import type { Instant } from '../base/clock.js';
import type { Address } from './address.js';
import type { ManagedChat } from './inbound.js';
import type { Notifier } from './notifier.js';
import type { DataOwner } from './privacy.js';
import type { Link } from './reply.js';

export type ChatEvent =
  /** A Telegram group became a supergroup. */
  | { readonly kind: 'moved'; readonly from: Address; readonly to: Address }
  /** The bot was removed or blocked, or the chat was deleted. `asked` is set where the answer to a request says so: when that began. */
  | { readonly kind: 'gone'; readonly chat: Address; readonly because: string; readonly asked?: Instant }
  /** A new chat is greeted once, even if the event is repeated. */
  | {
      readonly kind: 'joined';
      readonly chat: Address;
      /** The circles of the chat, by default only the chat. */
      readonly circles?: readonly string[];
      /** The private chat of the person who added the bot. They are greeted there, instead of all readers of the new chat, and can set it up from there. */
      readonly adder?: ManagedChat & { readonly chat: Address; readonly circle: string };
    }
  | { readonly kind: 'back'; readonly chat: Address }
  /** The chat was removed, so its data is deleted. */
  | { readonly kind: 'removed'; readonly chat: Address };

/** Reports an event. Idempotent. Resolves when the event is stored. */
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
  /** Handles an update that another process received. Resolves when it is answered, and rejects if it cannot be kept. Calls `endTurn` when later ones may begin. */
  takeForwarded?(raw: unknown, endTurn?: () => void): Promise<void>;
  /** A page for the operator, behind the operator's login. */
  readonly page?: OperatorPage;
  /** Returns chats that exist even if nothing about them is stored. */
  chats?(): readonly Address[];
  /** Returns no links before the platform is connected. */
  inviteLinks?(chat: Address): readonly Link[];
  /** Deletes old records. Rejects with the store's error. */
  sweep?(): Promise<void>;
  /** Starts in the background. A failed login is retried, and `notifier.diagnose()` reports it. */
  start(): void;
  /** Finishes running requests and stops. Idempotent. */
  stop(): Promise<void>;
}
