/** What comes in from a chat, on any platform: a typed line, a pressed button (which is a line too) or filled-in options. */
import type { Address } from './address.js';
import type { Reply } from './reply.js';

export interface Person {
  /** `<platform>/<id>`; stable, never shown. */
  readonly id: string;
  readonly name: string;
  /** Whether they may change this chat's watchlist. */
  readonly manages: boolean;
}

export interface Inbound {
  readonly chat: Address;
  readonly from: Person;
  /** A line as typed (`/premium tide 3M`) or a command with named options, as a form or slash command gives them. */
  readonly ask: { readonly line: string } | { readonly command: string; readonly options: Readonly<Record<string, string>> };
  readonly signal?: AbortSignal;
}

/** Answers anything: every failure comes back as a reply too, so a platform needs no error handling of its own for questions. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
