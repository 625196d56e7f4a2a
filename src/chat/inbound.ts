/** A request from a chat on any platform: a line, a button (also a line) or filled-in options. */
import type { Address } from './address.js';
import type { Mention, Reply } from './reply.js';

/** `read` resolves with the text (UTF-8); rejects with `UnreadableFile`. */
export interface SentFile {
  readonly name: string;
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

export const LARGEST_FILE = 262_144;

/** Maximum characters of a request including options; Telegram's limit. Files are limited separately. */
export const MAX_LINE = 4_096;

export interface Person {
  /** `<platform>/<id>`; stable, never shown. */
  readonly id: string;
  readonly name: string;
  /** Whether they may change this chat's watchlist. A function, because the platform may need a request. */
  readonly manages: () => Promise<boolean>;
  /** Whether they may ping this role or person. Absent where the platform cannot ping. */
  readonly mayMention?: (mention: Mention) => Promise<boolean>;
  /** Opens their private chat with the bot; undefined for who takes no messages. Absent where the platform cannot. */
  readonly direct?: () => Promise<Address | undefined>;
}

export interface Inbound {
  readonly chat: Address;
  readonly from: Person;
  /** A typed line, or a command with named options from a form or slash command. */
  readonly ask: { readonly line: string } | { readonly command: string; readonly options: Readonly<Record<string, string>> };
  /** For access lists: `discord/guild/<id>`, `discord/user/<id>`, `telegram/chat/<id>`, `telegram/user/<id>`. */
  readonly circles: readonly string[];
  /** The bot is not in this chat: it answers there, and cannot post. */
  readonly outside?: true;
  /** Shows an interim reply in place of the answer. Never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /** Oldest first. */
  readonly files?: readonly SentFile[];
  readonly signal?: AbortSignal;
}

/** The length that `MAX_LINE` limits. Pure. */
export const lengthOf = (ask: Inbound['ask']): number =>
  'line' in ask
    ? ask.line.length
    : Object.entries(ask.options).reduce((sum, [name, value]) => sum + name.length + value.length, ask.command.length);

/** Never rejects: failures are replies too. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
