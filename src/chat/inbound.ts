/** Request from a chat: a line, a button (also a line) or filled-in options. */
import type { Address } from './address.js';
import type { Mention, Reply } from './reply.js';

/** `read` resolves with UTF-8 text; rejects with `UnreadableFile`. */
export interface SentFile {
  readonly name: string;
  readonly size: number;
  readonly read: () => Promise<string>;
}

/** `says`: the remedy. */
export class UnreadableFile extends Error {
  readonly says: string;

  constructor(says: string) {
    super(says);
    this.name = 'UnreadableFile';
    this.says = says;
  }
}

export const LARGEST_FILE = 262_144;

/** Of a request with its options; Telegram's limit. */
export const MAX_LINE = 4_096;

export interface Person {
  /** `<platform>/<id>`; never shown. */
  readonly id: string;
  readonly name: string;
  /** May need a request. */
  readonly manages: () => Promise<boolean>;
  /** Absent where the platform cannot ping. */
  readonly mayMention?: (mention: Mention) => Promise<boolean>;
  /** Their private chat with the bot; undefined for who takes no messages. */
  readonly direct?: () => Promise<Address | undefined>;
  /** In a server or channel, by its name in `circles`. Never rejects. */
  readonly isIn?: (circle: string) => Promise<boolean>;
}

export interface Inbound {
  readonly chat: Address;
  readonly from: Person;
  /** A command with named options comes from a form or slash command. */
  readonly ask: { readonly line: string } | { readonly command: string; readonly options: Readonly<Record<string, string>> };
  /** `discord/guild/<id>`, `discord/user/<id>`, `telegram/chat/<id>`, `telegram/user/<id>`. */
  readonly circles: readonly string[];
  /** The bot is not in this chat and cannot post. */
  readonly outside?: true;
  readonly withoutButtons?: true;
  /** Says nothing about whether the chat can be reached. */
  readonly byOperator?: true;
  /** In place of the answer. Never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /** Later questions begin before this one is answered. Absent where questions do not wait for each other. */
  readonly endTurn?: () => void;
  /** Oldest first. */
  readonly files?: readonly SentFile[];
  readonly signal?: AbortSignal;
}

/** As `MAX_LINE` counts. */
export const lengthOf = (ask: Inbound['ask']): number =>
  'line' in ask
    ? ask.line.length
    : Object.entries(ask.options).reduce((sum, [name, value]) => sum + name.length + value.length, ask.command.length);

/** Never rejects. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
