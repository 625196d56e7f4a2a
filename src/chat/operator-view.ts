/** The port of the operator view, which lists every chat and runs command lines for one. */
import type { Address } from './address.js';
import type { Reply } from './reply.js';
import type { Readable } from 'node:stream';
import type { Instant } from '../domain/scalars.js';

export const OPERATED_STATES = ['active', 'muted', 'not-permitted', 'absent', 'moved'] as const;
export type OperatedState = (typeof OPERATED_STATES)[number];

export interface OperatedChat {
  readonly address: Address;
  readonly platform: string;
  readonly state: OperatedState;
  /** The platform's reason for the state, or until when the state lasts. */
  readonly because?: string | undefined;
  readonly entries: number;
  /** The short names of the first entries. */
  readonly watches: readonly string[];
  readonly waiting: number;
  readonly lastAlertAt?: Instant | undefined;
}

export interface OperatorEdit {
  readonly at: Instant;
  readonly by: string;
  readonly line: string;
}

export interface OperatedChatDetail extends OperatedChat {
  /** The missing permissions; undefined while the platform does not answer. */
  readonly missing: readonly string[] | undefined;
  /** The operators' edits, the newest first. */
  readonly edits: readonly OperatorEdit[];
}

export interface OperatedChatQuery {
  readonly search: string;
  readonly state?: OperatedState | undefined;
  /** Pages count from 1. */
  readonly page: number;
}

export interface RefusedFile {
  readonly file: string;
  /** A sentence with the remedy. */
  readonly says: string;
}

export interface Operator {
  /** Lists chats, ordered by address. */
  chats(query: OperatedChatQuery): Promise<{ readonly total: number; readonly pages: number; readonly chats: readonly OperatedChat[] }>;
  /** Resolves with undefined for an unknown chat. */
  chat(address: Address): Promise<OperatedChatDetail | undefined>;
  /** Runs a line as the operator `by`. Resolves with undefined for an unknown chat. */
  run(address: Address, line: string, by: string): Promise<Reply | undefined>;
  /** Resolves with a gzip file, or with the reason why there is none. */
  exported(): Promise<{ readonly name: string; readonly file: Readable } | string>;
  /** Returns the WATCHLISTS files that are not applied at the moment. A file without a name stands for the folder. */
  refusedFiles(): readonly RefusedFile[];
}
