/** The active process handles these updates for the process that received them. */

export interface ForwardedUpdate {
  readonly platform: string;
  /** It is the platform's id of the chat. */
  readonly chat: string;
  /** The id consists of digits. It orders the updates of a chat, and recognises a repeated one. */
  readonly id: string;
  /** It is the update in JSON. */
  readonly raw: unknown;
}

/** An update is `known` if it was kept before, or handled within a day. It is `full` if too many of the chat wait. */
export type KeptUpdate = 'kept' | 'known' | 'full' | 'too-large';

export interface Forwarding {
  /** It says whether this process writes, or answers questions for the one that does. */
  readonly role: 'active' | 'answer';
  /** It resolves when durable, and rejects with a `StoreError`. The update is not taken within `heldFor` ms. */
  keep(update: ForwardedUpdate, heldFor?: number): Promise<KeptUpdate>;
  /** It drops an update that was kept with `heldFor` and is answered. */
  drop(update: ForwardedUpdate): Promise<void>;
  /** It says whether later updates of the chat must wait too, and rejects with a `StoreError`. */
  waits(chat: Pick<ForwardedUpdate, 'platform' | 'chat'>): Promise<boolean>;
  /** It is false if the update was begun too often, and true where the engine cannot say. */
  mayTry(update: ForwardedUpdate): Promise<boolean>;
  /** It is true if the update still waits after a while and no process is active. It never rejects. */
  isStuck(update: ForwardedUpdate, signal: AbortSignal): Promise<boolean>;
}

/** It is said while no process is active. */
export const NO_ACTIVE_PROCESS = 'This has to wait: part of me is down. You get the answer here once it is back.';

/** Whoever received the question forwards it. */
export class ActiveOnlyError extends Error {
  override readonly name = 'ActiveOnlyError';
  constructor() {
    super('only the active process can answer this');
  }
}
