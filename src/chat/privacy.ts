/** This file describes stored data about a chat or a person, and deletes it. */
import type { Address } from './address.js';
import type { Instant } from '../domain/scalars.js';
import type { Person } from './inbound.js';

export interface DataOwner {
  /** It says it in words, such as "120 messages of this conversation; the last 1,000 stay". */
  kept(chat: Address): Promise<readonly string[]>;
  forgetChat(chat: Address): Promise<void>;
  /** `person` is `Person.id`. */
  forgetPerson?(person: string): Promise<void>;
}

export interface Stored {
  readonly chat: {
    readonly entries: number;
    /** So many projects are excepted from the entry for all projects. */
    readonly exceptions: number;
    /** The settings are in words. */
    readonly settings: readonly string[];
    readonly waiting: number;
    /** So many messages have a stored receipt. */
    readonly sent: number;
    readonly sentSince?: Instant;
    /** So many threshold rules have stored state. */
    readonly ruleStates: number;
    /** So many messages are kept up to date, or ended within a week. */
    readonly live?: number;
    readonly edits: number;
    /** So many snapshots of replies are stored. */
    readonly sources: number;
    readonly kept: readonly string[];
  };
  readonly person: {
    /** It counts the entries with their name in this chat, and in others. */
    readonly here: number;
    readonly elsewhere: number;
    readonly pinged: number;
  };
}

export interface Privacy {
  stored(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<Stored>;
  /** It forgets them as author and as pinged person, and resolves with the number of changed entries. */
  forgetPerson(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<number>;
  /** It resolves with the file that set the chat's list: its hashes stay, so that it is not applied anew unless it is forced. */
  forgetChat(chat: Address): Promise<ForgottenChat>;
}

export interface ForgottenChat {
  readonly file?: { readonly name: string; readonly isForced: boolean };
}
