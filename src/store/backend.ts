/** Store engine: texts under keys. */
import type { SharedEngine } from './shared.js';
import type { ServerFacts, StoredText, Writers } from './store.js';

export type { StoredText };

/** `from <= key < to`, by UTF-8 bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly after?: string;
  readonly limit?: number;
}

/** Above every character of a key. */
const LAST = '\u{10FFFF}';

export const startingWith = (from: string): KeyRange => ({ from, to: from + LAST });

/** JavaScript compares UTF-16 units, which differ outside the basic plane. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export interface Backend {
  /** Never contains a password. */
  readonly place: string;
  /** Undefined: one process owns the database. */
  readonly shared?: SharedEngine;
  get(key: string): Promise<string | undefined>;
  /** Writes of one key keep their order. Those of `active` writers fail on a shared engine without the lease. */
  set(key: string, text: string, writers?: Writers): Promise<void>;
  /** Whether it was written. */
  setIfAbsent(key: string, text: string, writers?: Writers): Promise<boolean>;
  delete(key: string, writers?: Writers): Promise<void>;
  /** A snapshot in key order. Fewer than `limit` means the end. */
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** Not needed for durability. */
  checkpoint(): Promise<void>;
  /** Of an engine on a database server. */
  readonly inspect?: () => Promise<ServerFacts>;
  /** Finishes pending work. Call once. */
  close(): Promise<void>;
}
