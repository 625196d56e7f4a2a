/** A chat requests by a line, a button (also a line) or filled-in options. */
import type { Address } from './address.js';
import type { PingRoles } from './ping-roles.js';
import type { Mention, Reply } from './reply.js';

/** `read` resolves with UTF-8 text, and rejects with `UnreadableFile`. */
export interface SentFile {
  readonly name: string;
  readonly size: number;
  readonly read: () => Promise<string>;
}

/** `says` is the remedy. */
export class UnreadableFile extends Error {
  readonly says: string;

  constructor(says: string) {
    super(says);
    this.name = 'UnreadableFile';
    this.says = says;
  }
}

export const LARGEST_FILE = 262_144;

/** It limits a request with its options, as Telegram does. */
export const MAX_LINE = 4_096;

export interface Person {
  /** The id is `<platform>/<id>` and is never shown. */
  readonly id: string;
  readonly name: string;
  /** It may need a request. */
  readonly manages: () => Promise<boolean>;
  /** It is absent where the platform cannot ping. */
  readonly mayMention?: (mention: Mention) => Promise<boolean>;
  /** It gives their private chat with the bot, or undefined for who takes no messages. */
  readonly direct?: () => Promise<Address | undefined>;
  /** It tells whether the person is in a server or channel, by its name in `circles`. It never rejects. */
  readonly isIn?: (circle: string) => Promise<boolean>;
  /** Reads what the person may do in another channel, newly each time. It never rejects. */
  readonly inChannel?: (channel: string) => Promise<OtherChannel>;
  /** It is absent outside of servers whose roles the bot can give. */
  readonly pingRoles?: PingRoles;
  /** The chats that the person set up from this private chat. It is absent where they cannot be chosen. */
  readonly managed?: ManagedChats;
}

/** A chat that a person manages from a private chat with the bot. `channel` is what `inChannel` takes. */
export interface ManagedChat {
  readonly channel: string;
  readonly name: string;
}

/** What is remembered holds no right: each change asks the platform again. Each rejects with the store's error. */
export interface ManagedChats {
  /** The known chat that was used last comes first. */
  read(): Promise<{ readonly known: readonly ManagedChat[]; readonly chosen?: ManagedChat | undefined }>;
  /** From now on typed commands concern it, until they are left or some hours after the last of them. */
  choose(chat: ManagedChat): Promise<void>;
  leave(): Promise<void>;
}

/** Only a channel that the person manages can be chosen; `says` is the reason and the remedy. */
export type OtherChannel =
  | ({
      readonly kind: 'managed';
      readonly chat: Address;
      /** It reads like `#treasury`. */
      readonly name: string;
      readonly circles: readonly string[];
      /** The person is called so there, where their name must not be shown. */
      readonly author?: string;
    } & Pick<Person, 'mayMention'>)
  | { readonly kind: 'refused'; readonly says: string };

/** In a group most messages are for people: only a mention is surely for the bot. */
export type Addressing = 'mention' | 'reply to answer' | 'reply to alert';

export interface Inbound {
  readonly chat: Address;
  readonly from: Person;
  /** A command with named options comes from a form or slash command. Where it is exact, a value is never read as several options. */
  readonly ask:
    { readonly line: string } | { readonly command: string; readonly options: Readonly<Record<string, string>>; readonly isExact?: true };
  /** How plain words of a group reached the bot. It is absent for commands, buttons and private chats. */
  readonly addressing?: Addressing;
  /** A circle is `discord/guild/<id>`, `discord/user/<id>`, `telegram/chat/<id>` or `telegram/user/<id>`. */
  readonly circles: readonly string[];
  /** The question concerns another channel, which `chat` is then. `askedIn` is where the answer is shown. */
  readonly elsewhere?: { readonly channel: string; readonly name: string; readonly askedIn: Address };
  /** The person manages this chat from here: typed commands about watching concern it, and so do buttons of other answers. */
  readonly chosen?: ManagedChat & { readonly isTyped: boolean };
  /** The bot is not in this chat and cannot post. */
  readonly outside?: true;
  readonly withoutButtons?: true;
  /** Such a request says nothing about whether the chat can be reached. */
  readonly byOperator?: true;
  /** It shows a reply in place of the answer, and never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /** It lets later questions begin before this one is answered. It is absent where questions do not wait for each other. */
  readonly endTurn?: () => void;
  /** The oldest file comes first. */
  readonly files?: readonly SentFile[];
  readonly signal?: AbortSignal;
}

/** It counts as `MAX_LINE` does. */
export const lengthOf = (ask: Inbound['ask']): number =>
  'line' in ask
    ? ask.line.length
    : Object.entries(ask.options).reduce((sum, [name, value]) => sum + name.length + value.length, ask.command.length);

/** Nobody asked the bot by name, so it is silent unless it is sure. */
export const isOverheard = ({ addressing }: Pick<Inbound, 'addressing'>): boolean =>
  addressing === 'reply to answer' || addressing === 'reply to alert';

/** It never rejects. A reply for nobody is not sent. */
export type Answerer = (inbound: Inbound) => Promise<Reply>;
