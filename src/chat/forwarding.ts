/** Updates that the active process handles for the process that received them. */

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
  /** Whether this process writes, or answers questions for the one that does. */
  readonly role: 'active' | 'answer';
  /** Resolves when durable. Not taken within `heldFor` ms. Rejects with a `StoreError`. */
  keep(update: ForwardedUpdate, heldFor?: number): Promise<KeptUpdate>;
  /** Kept with `heldFor`, and answered. */
  drop(update: ForwardedUpdate): Promise<void>;
  /** Whether later updates of the chat must wait too. Rejects with a `StoreError`. */
  waits(chat: Pick<ForwardedUpdate, 'platform' | 'chat'>): Promise<boolean>;
  /** False: it was begun too often. Where the engine cannot say: true. */
  mayTry(update: ForwardedUpdate): Promise<boolean>;
  /** True if it still waits after a while and no process is active. Never rejects. */
  isStuck(update: ForwardedUpdate, signal: AbortSignal): Promise<boolean>;
}

/** While no process is active. */
export const NO_ACTIVE_PROCESS = 'This has to wait: part of me is down. You get the answer here once it is back.';

/** Whoever received the question forwards it. */
export class ActiveOnlyError extends Error {
  override readonly name = 'ActiveOnlyError';
  constructor() {
    super('only the active process can answer this');
  }
}
