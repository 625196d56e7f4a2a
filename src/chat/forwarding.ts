/** The port for updates that one process received and the active process handles. */

export interface ForwardedUpdate {
  readonly platform: string;
  /** The platform's id of the chat. */
  readonly chat: string;
  /** Consists of digits. Orders the updates of a chat and identifies a repeated one. */
  readonly id: string;
  /** The update as JSON. */
  readonly raw: unknown;
}

/** `known` means that the update was kept before or handled within a day; `full`, that too many updates of the chat wait. */
export type KeptUpdate = 'kept' | 'known' | 'full' | 'too-large';

export interface Forwarding {
  /** Tells whether this process is active, or only answers questions. */
  readonly role: 'active' | 'answer';
  /** Stores an update. The active process does not take it within `heldFor` ms. Rejects with a `StoreError`. */
  keep(update: ForwardedUpdate, heldFor?: number): Promise<KeptUpdate>;
  /** Drops an update that was kept with `heldFor` and has been answered. */
  drop(update: ForwardedUpdate): Promise<void>;
  /** Tells whether later updates of the chat must wait too. Rejects with a `StoreError`. */
  waits(chat: Pick<ForwardedUpdate, 'platform' | 'chat'>): Promise<boolean>;
  /** Tells whether the update was not begun too often; true if the engine does not answer. */
  mayTry(update: ForwardedUpdate): Promise<boolean>;
  /** Resolves with true if the update still waits after a while and no process is active. Never rejects. */
  isStuck(update: ForwardedUpdate, signal: AbortSignal): Promise<boolean>;
}

/** The answer while no process is active. */
export const NO_ACTIVE_PROCESS = 'This has to wait: part of me is down. You get the answer here once it is back.';

/** Thrown if only the active process can answer. The process that received the question then forwards it. */
export class ActiveOnlyError extends Error {
  override readonly name = 'ActiveOnlyError';
  constructor() {
    super('only the active process can answer this');
  }
}
