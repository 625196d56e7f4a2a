/** The interface of a store engine, which stores texts under keys and marks its database. */
import type { DeserializedData, KeyvOptions } from 'keyv';
import type { ServerFacts, SharedEngine, StoredText, Writers } from './store.js';

export type { StoredText };

/** The keys with `from <= key < to`, by UTF-8 bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly after?: string;
  readonly limit?: number;
}

/** A character above every character of a key. */
const LAST = '\u{10FFFF}';

export const startingWith = (from: string): KeyRange => ({ from, to: from + LAST });

/** Compares by UTF-8 bytes. JavaScript compares UTF-16 units, whose order differs outside the basic plane. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export interface Backend {
  /** The engine's name for people, without a password. */
  readonly place: string;
  /** Undefined if one process owns the database. */
  readonly shared?: SharedEngine;
  get(key: string): Promise<string | undefined>;
  /** Writes of one key keep their order. Those of `active` writers fail on a shared engine without the lease. */
  set(key: string, text: string, writers?: Writers): Promise<void>;
  /** Resolves with false if the key has a text already. */
  setIfAbsent(key: string, text: string, writers?: Writers): Promise<boolean>;
  delete(key: string, writers?: Writers): Promise<void>;
  /** Reads a snapshot in key order; fewer than `limit` means the end. */
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** Moves logged writes into the database file. Not needed for durability. */
  checkpoint(): Promise<void>;
  /** Set for an engine on a database server. */
  readonly inspect?: () => Promise<ServerFacts>;
  /** Finishes pending work. May be called once. */
  close(): Promise<void>;
}

function unwrapped<Value>(data: DeserializedData<Value>): string {
  if (typeof data.value !== 'string') throw new TypeError('only texts are stored');
  return data.value;
}

// Keyv's type requires the overload; the value is always text.
function wrapped<Value>(text: string): DeserializedData<Value>;
function wrapped(text: string): DeserializedData<string> {
  return { value: text };
}

/** Makes Keyv store our texts unchanged. Without `throwOnErrors` a failed `get` would look like an absent document. */
export const plainTexts = {
  throwOnErrors: true,
  useKeyPrefix: false,
  serialize: unwrapped,
  deserialize: wrapped,
} satisfies KeyvOptions;

/** The mark that every engine leaves in its database. */

/** "Navw" in ASCII. */
export const APPLICATION = 0x4e617677;

/** Raised with any collection's version. A database of a newer format is refused. */
export const FORMAT = 1;
