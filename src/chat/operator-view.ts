/** The port of the operator view: every chat, and command lines run for one. */
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
  /** As the platform said it, or until when. */
  readonly because?: string | undefined;
  readonly entries: number;
  /** Short names of the first entries. */
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
  /** Undefined while the platform does not answer. */
  readonly missing: readonly string[] | undefined;
  /** Newest first. */
  readonly edits: readonly OperatorEdit[];
}

export interface OperatedChatQuery {
  readonly search: string;
  readonly state?: OperatedState | undefined;
  /** From 1. */
  readonly page: number;
}

export interface Operator {
  /** In the order of addresses. */
  chats(query: OperatedChatQuery): Promise<{ readonly total: number; readonly pages: number; readonly chats: readonly OperatedChat[] }>;
  /** Undefined for a chat that is not known. */
  chat(address: Address): Promise<OperatedChatDetail | undefined>;
  /** As the operator `by`. Undefined for an unknown chat. */
  run(address: Address, line: string, by: string): Promise<Reply | undefined>;
  /** A gzip file; a text says why not. */
  exported(): Promise<{ readonly name: string; readonly file: Readable } | string>;
}
