/** Describes questions from a chat: a line, a button, which is also a line, or filled-in options. */
import type { Address } from './address.js';
import type { PingRoles } from './ping-roles.js';
import type { Mention, Reply } from './reply.js';

/** `read` resolves with UTF-8 text, and rejects with `UnreadableFile`. */
export interface SentFile {
  readonly name: string;
  readonly size: number;
  readonly read: () => Promise<string>;
}

/** A file that cannot be read. `says` is the remedy. */
export class UnreadableFile extends Error {
  readonly says: string;

  constructor(says: string) {
    super(says);
    this.name = 'UnreadableFile';
    this.says = says;
  }
}

export const LARGEST_FILE = 262_144;

/** The most characters of a question with its options; Telegram's limit of a message. */
export const MAX_LINE = 4_096;

export interface Person {
  /** The id is `<platform>/<id>` and is never shown. */
  readonly id: string;
  readonly name: string;
  /** Tells whether the person may change the watchlist. May need a request to the platform. */
  readonly manages: () => Promise<boolean>;
  /** Absent if the platform cannot ping. */
  readonly mayMention?: (mention: Mention) => Promise<boolean>;
  /** Returns the person's private chat with the bot; undefined if they take no messages. */
  readonly direct?: () => Promise<Address | undefined>;
  /** Tells whether the person is in a server or channel, by its name in `circles`. Never rejects. */
  readonly isIn?: (circle: string) => Promise<boolean>;
  /** Reads what the person may do in another channel, without a cache. Never rejects. */
  readonly inChannel?: (channel: string) => Promise<OtherChannel>;
  /** Absent outside of servers whose roles the bot can assign. */
  readonly pingRoles?: PingRoles;
  /** The chats that the person set up from this private chat. Absent if chats cannot be chosen. */
  readonly managed?: ManagedChats;
}

/** A chat that a person manages from a private chat with the bot. `channel` is what `inChannel` takes. */
export interface ManagedChat {
  readonly channel: string;
  readonly name: string;
}

/** The chats that a person manages. Rights are not stored: each change asks the platform again. All methods reject with the store's error. */
export interface ManagedChats {
  /** Returns the known chats, the last used one first. */
  read(): Promise<{ readonly known: readonly ManagedChat[]; readonly chosen?: ManagedChat | undefined }>;
  /** Makes typed commands concern this chat, until `leave` or some hours after the last command. */
  choose(chat: ManagedChat): Promise<void>;
  leave(): Promise<void>;
}

/** The channel, or why it cannot be chosen: the person must manage it. `says` is the reason and the remedy. */
export type OtherChannel =
  | ({
      readonly kind: 'managed';
      readonly chat: Address;
      /** A name such as `#treasury`. */
      readonly name: string;
      readonly circles: readonly string[];
      /** The name to show for the person there, if their own must not be shown. */
      readonly author?: string;
    } & Pick<Person, 'mayMention'>)
  | { readonly kind: 'refused'; readonly says: string };

/** How a group message was addressed to the bot. Most group messages are for people, so only a mention is certain. */
export type Addressing = 'mention' | 'reply to answer' | 'reply to alert';

export interface Inbound {
  readonly chat: Address;
  readonly from: Person;
  /** A typed line, or a command with named options from a form or slash command. If `exact`, a value is never split into several options. */
  readonly ask:
    { readonly line: string } | { readonly command: string; readonly options: Readonly<Record<string, string>>; readonly isExact?: true };
  /** How a question without a command was addressed to the bot in a group. Absent for commands, buttons and private chats. */
  readonly addressing?: Addressing;
  /** A circle is `discord/guild/<id>`, `discord/user/<id>`, `telegram/chat/<id>` or `telegram/user/<id>`. */
  readonly circles: readonly string[];
  /** Set if the question concerns another channel, which `chat` then is. The answer is shown in `askedIn`. */
  readonly elsewhere?: { readonly channel: string; readonly name: string; readonly askedIn: Address };
  /** The chat that the person manages from here. Typed commands about watching, and buttons of earlier answers, concern it. */
  readonly chosen?: ManagedChat & { readonly isTyped: boolean };
  /** Set if the bot is not in this chat and cannot post. */
  readonly outside?: true;
  readonly withoutButtons?: true;
  /** Set for a line that an operator runs. It does not show that the chat is reachable. */
  readonly byOperator?: true;
  /** Shows an interim reply in place of the answer. Never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /** Lets later questions begin before this one is answered. Absent if questions do not wait for each other. */
  readonly endTurn?: () => void;
  /** The files, the oldest first. */
  readonly files?: readonly SentFile[];
  readonly signal?: AbortSignal;
}

/** The length that `MAX_LINE` limits. */
export const lengthOf = (ask: Inbound['ask']): number =>
  'line' in ask
    ? ask.line.length
    : Object.entries(ask.options).reduce((sum, [name, value]) => sum + name.length + value.length, ask.command.length);

/** Tells whether the message does not name the bot. The bot then answers only if it is sure that it is meant. */
export const isOverheard = ({ addressing }: Pick<Inbound, 'addressing'>): boolean =>
  addressing === 'reply to answer' || addressing === 'reply to alert';

/** Answers a question. Never rejects. A reply for nobody is not sent. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
