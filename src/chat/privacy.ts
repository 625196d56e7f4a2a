/** What is stored about a chat and about a person, and how it is deleted: the port of `/privacy`, and that of a platform's own data. */
import type { Address } from './address.js';
import type { Instant } from '../domain/scalars.js';
import type { Person } from './inbound.js';

/** Owner of data about chats and people that a platform stores itself. */
export interface DataOwner {
  /** What it keeps about this chat, each in words with how long: "120 messages of this conversation; the last 1,000 stay". */
  kept(chat: Address): Promise<readonly string[]>;
  /** Deletes it. What the platform needs to go on working it learns again. */
  forgetChat(chat: Address): Promise<void>;
  /** Deletes what names this person. `person` is `Person.id`. */
  forgetPerson?(person: string): Promise<void>;
}

export interface Stored {
  readonly chat: {
    readonly entries: number;
    /** The settings that somebody chose, in words. */
    readonly settings: readonly string[];
    readonly waiting: number;
    /** Deliveries whose end is remembered, and since when the oldest of them. */
    readonly told: number;
    readonly toldSince?: Instant;
    /** Rules on figures whose state is remembered. */
    readonly levels: number;
    /** What its platform keeps. */
    readonly kept: readonly string[];
  };
  readonly person: {
    /** Entries that bear their name: in this chat, and in others. */
    readonly here: number;
    readonly elsewhere: number;
    /** Entries, in any chat, whose alerts ping them. */
    readonly pinged: number;
  };
}

export interface Privacy {
  stored(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<Stored>;
  /** Takes the person out of every watchlist, as whoever set something up and as who is pinged. Resolves with how many entries that changed. */
  forgetPerson(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<number>;
  /** Deletes everything about the chat. Its alerts stop. */
  forgetChat(chat: Address): Promise<void>;
}
