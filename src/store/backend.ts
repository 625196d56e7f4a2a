/** The port of a store engine, which keeps texts under keys and leaves a mark in its database. */
import type { DeserializedData, KeyvOptions } from 'keyv';
import type { ServerFacts, SharedEngine, StoredText, Writers } from './store.js';

export type { StoredText };

/** A key is in the range if `from <= key < to`, by UTF-8 bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly after?: string;
  readonly limit?: number;
}

/** The character is above every character of a key. */
const LAST = '\u{10FFFF}';

export const startingWith = (from: string): KeyRange => ({ from, to: from + LAST });

/** JavaScript compares UTF-16 units, which differ outside the basic plane. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export interface Backend {
  /** It never contains a password. */
  readonly place: string;
  /** It is undefined where one process owns the database. */
  readonly shared?: SharedEngine;
  get(key: string): Promise<string | undefined>;
  /** Writes of one key keep their order. Those of `active` writers fail on a shared engine without the lease. */
  set(key: string, text: string, writers?: Writers): Promise<void>;
  /** Tells whether it was written. */
  setIfAbsent(key: string, text: string, writers?: Writers): Promise<boolean>;
  delete(key: string, writers?: Writers): Promise<void>;
  /** Reads a snapshot in key order; fewer than `limit` means the end. */
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** Tidies the database. It is not needed for durability. */
  checkpoint(): Promise<void>;
  /** It is present on an engine on a database server. */
  readonly inspect?: () => Promise<ServerFacts>;
  /** Finishes pending work; it may be called once. */
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

/** Makes Keyv store our texts as they are. Without `throwOnErrors` a failing `get` would be an absent document. */
export const plainTexts = {
  throwOnErrors: true,
  useKeyPrefix: false,
  serialize: unwrapped,
  deserialize: wrapped,
} satisfies KeyvOptions;

/** The mark that every engine leaves in its database. */

/** The number is "Navw" in ASCII. */
export const APPLICATION = 0x4e617677;

/** It is raised with any collection's version. A database of a newer format is refused. */
export const FORMAT = 1;
