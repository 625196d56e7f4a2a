/** This port of the operator view shows every chat, and runs command lines for one. */
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
  /** It gives the reason as the platform said it, or until when it holds. */
  readonly because?: string | undefined;
  readonly entries: number;
  /** These are the short names of the first entries. */
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
  /** It is undefined while the platform does not answer. */
  readonly missing: readonly string[] | undefined;
  /** The newest edit comes first. */
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
  /** It is a sentence with the remedy. */
  readonly says: string;
}

export interface Operator {
  /** Chats are in the order of addresses. */
  chats(query: OperatedChatQuery): Promise<{ readonly total: number; readonly pages: number; readonly chats: readonly OperatedChat[] }>;
  /** It is undefined for a chat that is not known. */
  chat(address: Address): Promise<OperatedChatDetail | undefined>;
  /** The line runs as the operator `by`. It is undefined for an unknown chat. */
  run(address: Address, line: string, by: string): Promise<Reply | undefined>;
  /** It is a gzip file, or a text that says why there is none. */
  exported(): Promise<{ readonly name: string; readonly file: Readable } | string>;
  /** They are the files of WATCHLISTS that are not applied at the moment; a file without a name is the folder. */
  refusedFiles(): readonly RefusedFile[];
}
