/** The port that describes and deletes stored data about a chat or a person. */
import type { Address } from './address.js';
import type { Instant } from '../domain/scalars.js';
import type { Person } from './inbound.js';

export interface DataOwner {
  /** Describes the stored data, such as "120 messages of this conversation; the last 1,000 stay". */
  kept(chat: Address): Promise<readonly string[]>;
  forgetChat(chat: Address): Promise<void>;
  /** Describes what is stored about a person, wherever they ask. `person` is `Person.id`, here and below. */
  keptOf?(person: string): Promise<readonly string[]>;
  forgetPerson?(person: string): Promise<void>;
}

export interface Stored {
  readonly chat: {
    readonly entries: number;
    /** The number of projects that are excepted from the entry for all projects. */
    readonly exceptions: number;
    /** The settings, in words. */
    readonly settings: readonly string[];
    readonly waiting: number;
    /** The number of messages with a stored receipt. */
    readonly sent: number;
    readonly sentSince?: Instant;
    /** The number of threshold rules with stored state. */
    readonly ruleStates: number;
    /** The number of live messages: those that are kept up to date, and those that ended within a week. */
    readonly live?: number;
    readonly edits: number;
    /** The number of stored source records of replies. */
    readonly sources: number;
    readonly kept: readonly string[];
  };
  readonly person: {
    /** The number of entries with the person's name, in this chat and in others. */
    readonly here: number;
    readonly elsewhere: number;
    readonly pinged: number;
    /** What is stored about them besides entries, in words. */
    readonly kept: readonly string[];
  };
}

export interface Privacy {
  stored(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<Stored>;
  /** Removes the person as author and as pinged person. Resolves with the number of changed entries. */
  forgetPerson(chat: Address, person: Pick<Person, 'id' | 'name'>): Promise<number>;
  /** Resolves with the file that set the chat's list. Its hashes stay stored, so that the file is applied again only if it is forced. */
  forgetChat(chat: Address): Promise<ForgottenChat>;
}

export interface ForgottenChat {
  readonly file?: { readonly name: string; readonly isForced: boolean };
}
