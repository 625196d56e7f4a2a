/** Stored data about a chat or a person, and its deletion. */
import type { Address } from './address.js';
import type { Instant } from '../domain/scalars.js';
import type { Person } from './inbound.js';

export interface DataOwner {
  /** In words: "120 messages of this conversation; the last 1,000 stay". */
  kept(chat: Address): Promise<readonly string[]>;
  forgetChat(chat: Address): Promise<void>;
  /** `person` is `Person.id`. */
  forgetPerson?(person: string): Promise<void>;
}

export interface Stored {
  readonly chat: {
    readonly entries: number;
    /** In words. */
    readonly settings: readonly string[];
    readonly waiting: number;
    /** With a stored receipt. */
    readonly sent: number;
    readonly sentSince?: Instant;
    /** Threshold rules with stored state. */
    readonly levels: number;
    /** Kept up to date, or ended within a week. */
    readonly live?: number;
    readonly edits: number;
    /** Snapshots of replies. */
    readonly sources: number;
    readonly kept: readonly string[];
  };
  readonly person: {
    /** Entries with their name: in this chat, and in others. */
    readonly here: number;
    readonly elsewhere: number;
    readonly pinged: number;
  };
}

export interface Privacy {
  stored(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<Stored>;
  /** As author and as pinged person. Resolves with the number of changed entries. */
  forgetPerson(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<number>;
  forgetChat(chat: Address): Promise<void>;
}
