/** Connects and reconnects on its own; its failures do not affect others. */
import type { Hono } from 'hono';
import type { Routes } from '../base/routes.js';
import type { Address } from './address.js';
import type { Notifier } from './notifier.js';
import type { DataOwner } from './privacy.js';
import type { Link } from './reply.js';

export type ChatEvent =
  /** A Telegram group became a supergroup. */
  | { readonly kind: 'moved'; readonly from: Address; readonly to: Address }
  /** Removed, blocked, deleted. */
  | { readonly kind: 'gone'; readonly chat: Address; readonly because: string }
  /** Greeted once, even if repeated. */
  | {
      readonly kind: 'joined';
      readonly chat: Address;
      /** Default: the chat alone. */
      readonly circles?: readonly string[];
    }
  | { readonly kind: 'back'; readonly chat: Address }
  /** Nothing of it is kept. */
  | { readonly kind: 'removed'; readonly chat: Address };

/** Resolves when durable. Idempotent. */
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
  /** Received by another process. Resolves when answered; later ones may begin from `endTurn` on. Rejects where it cannot be kept. */
  takeForwarded?(raw: unknown, endTurn?: () => void): Promise<void>;
  /** For the operator, behind the page's token. */
  readonly page?: OperatorPage;
  /** That exist though nothing is stored of them. */
  chats?(): readonly Address[];
  /** None before it is connected. */
  inviteLinks?(chat: Address): readonly Link[];
  /** Rejects with the store's error. */
  sweep?(): Promise<void>;
  /** In the background. A failed login is retried; `notifier.diagnose()` reports it. */
  start(): void;
  /** Finishes running requests. Idempotent. */
  stop(): Promise<void>;
}
