/** What comes in from a chat, on any platform: a typed line, a pressed button (which is a line too) or filled-in options. */
import type { Address } from './address.js';
import type { Mention, Reply } from './reply.js';

/** A file somebody sent along. `read` resolves with its text (UTF-8), and rejects with an `UnreadableFile` when it is too large, no text, or cannot be had. */
export interface SentFile {
  readonly name: string;
  /** In bytes, as the platform says. */
  readonly size: number;
  readonly read: () => Promise<string>;
}

/** `says` is a sentence with the remedy. */
export class UnreadableFile extends Error {
  readonly says: string;

  constructor(says: string) {
    super(says);
    this.name = 'UnreadableFile';
    this.says = says;
  }
}

/** The most a sent file may hold, in bytes: a watchlist takes a few thousand. */
export const LARGEST_FILE = 262_144;

/** The most characters of one question on any platform, its options counted together; Telegram's own limit. A file has its own. */
export const MAX_LINE = 4_096;

export interface Person {
  /** `<platform>/<id>`; stable, never shown. */
  readonly id: string;
  readonly name: string;
  /** Whether they may change this chat's watchlist. Asked only when a command needs it, because a platform may have to ask in turn. */
  readonly manages: () => Promise<boolean>;
  /** Whether they may ping this role or person here themselves. Absent where the platform cannot ping. */
  readonly mayMention?: (mention: Mention) => Promise<boolean>;
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
  /** Files that came with the question, oldest first. */
  readonly files?: readonly SentFile[];
  readonly signal?: AbortSignal;
}

/** How many characters were asked, which `MAX_LINE` limits. Pure. */
export const lengthOf = (ask: Inbound['ask']): number =>
  'line' in ask
    ? ask.line.length
    : Object.entries(ask.options).reduce((sum, [name, value]) => sum + name.length + value.length, ask.command.length);

/** Answers anything: every failure comes back as a reply too, so a platform needs no error handling of its own for questions. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
