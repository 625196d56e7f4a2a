/** Updates that the active process handles for the process that received them. */
import type { Inbound } from './inbound.js';

/** A platform's update as it came. */
export interface ForwardedUpdate {
  readonly platform: string;
  /** The platform's id of the chat. */
  readonly chat: string;
  /** Digits. Orders the updates of a chat, and recognises a repeated one. */
  readonly id: string;
  /** JSON. */
  readonly raw: unknown;
}

/** `known`: kept before, or handled within a day. `full`: too many of the chat wait. */
export type KeptUpdate = 'kept' | 'known' | 'full' | 'too-large';

export interface Forwarding {
  /** Resolves when durable. Rejects with a `StoreError`. */
  keep(update: ForwardedUpdate): Promise<KeptUpdate>;
  /** Later updates of the chat keep their order behind those that wait. Rejects with a `StoreError`. */
  waits(chat: Pick<ForwardedUpdate, 'platform' | 'chat'>): Promise<boolean>;
  /** Whether only the active process can answer. Undefined: this is the active process. */
  readonly isChange?: (inbound: Inbound) => Promise<boolean>;
}
