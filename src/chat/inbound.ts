/** What comes in from a chat, on any platform: a typed line, a pressed button (which is a line too) or filled-in options. */
import type { Address } from './address.js';
import type { Reply } from './reply.js';

export interface Person {
  /** `<platform>/<id>`; stable, never shown. */
  readonly id: string;
  readonly name: string;
  /** Whether they may change this chat's watchlist. Asked only when a command needs it, because a platform may have to ask in turn. */
  readonly manages: () => Promise<boolean>;
}

export interface Inbound {
  readonly chat: Address;
  readonly from: Person;
  /** A line as typed (`/premium tide 3M`) or a command with named options, as a form or slash command gives them. */
  readonly ask: { readonly line: string } | { readonly command: string; readonly options: Readonly<Record<string, string>> };
  /** What the chat and the person belong to, for access lists: `discord/guild/<id>`, `discord/user/<id>`, `telegram/chat/<id>`, `telegram/user/<id>`. */
  readonly circles: readonly string[];
  /** Shows an interim reply where the answer will stand. Absent where a platform cannot. Never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Answers anything: every failure comes back as a reply too, so a platform needs no error handling of its own for questions. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
