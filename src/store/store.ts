/** Durable `get` and `set` of single documents. */
import type { z } from 'zod';

/** The one with the lease, in writes that fail once it is lost, or any. */
export type Writers = 'active' | 'any';

export interface CollectionSpec<T> {
  /** The prefix is one word and the first part of every key. */
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  /** It is raised when documents no longer fit the schema. */
  readonly version: number;
  /** Without it, older documents are unreadable. */
  readonly upgrade?: (document: unknown, from: number) => unknown;
  /** This matters on shared engines; the default is `active`. */
  readonly writers?: Writers;
}

export interface Listing<T> {
  readonly found: readonly (readonly [key: string, document: T])[];
  /** Unreadable documents are left alone, and never treated as absent. */
  readonly unreadable: readonly { readonly key: string; readonly because: string }[];
}

export interface Collection<T> {
  /** Rejects with a `StoreError` if unreadable. */
  get(key: string): Promise<T | undefined>;
  /** Resolves when durable. */
  set(key: string, document: T): Promise<void>;
  /** Tells whether it was written; false: the key has a document, readable or not. */
  setIfAbsent(key: string, document: T): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** The documents are in key order, and `under` is a key prefix. */
  list(under?: string): Promise<Listing<T>>;
  /** A step reads at most 100 documents; one written between two pages may be missing. */
  scan(under?: string): AsyncIterable<Listing<T>>;
}

/** A document as the database has it, with the collection's prefix. */
export type StoredText = readonly [key: string, text: string];

/** The whole store as texts, for exports and imports. */
export interface Copies {
  /** Reads every document in key order, and rejects while another snapshot is read. */
  snapshot(): AsyncIterable<readonly StoredText[]>;
  isEmpty(): Promise<boolean>;
  /** An interrupted store can only be opened for another replacement. */
  replaceAll(pages: AsyncIterable<readonly StoredText[]>): Promise<void>;
  /** An earlier replacement was interrupted. */
  isInterrupted(): Promise<boolean>;
}

/** Describes what `doctor` shows of a database server. */
export interface ServerFacts {
  readonly version: string;
  /** When a write is on disk, in the engine's words. */
  readonly durability: string;
}

export interface Store {
  /** It is undefined where one process owns the database. */
  readonly shared?: SharedEngine;
  /** It is present on a database server. */
  readonly inspect?: () => Promise<ServerFacts>;
  readonly copies: Copies;
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Writes and reads back. Rejects with a `StoreError`. */
  check(): Promise<void>;
  /** Tidies the database. It is not needed for durability. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** It is `moved` if the database was deleted or replaced, `superseded` if this process lacks the lease, and `unreachable` or `denied` if the server does not answer or refuses the login. */
export type StoreTrouble =
  'locked' | 'full' | 'unreadable' | 'read-only' | 'newer' | 'moved' | 'superseded' | 'unreachable' | 'denied' | 'failed';

const REMEDIES = {
  locked: 'Another program has the database open. Stop it.',
  full: 'The disk of the database is full. Free some space.',
  unreadable: 'The database is damaged. Restore a backup.',
  'read-only': 'The database cannot be written. Give the bot write access to its file and folder.',
  newer: 'The database was written by a newer Navwatch. Run that version.',
  moved: 'The database was deleted or replaced while it was open. Put it back or restore a backup, then restart the bot.',
  superseded: 'Another process of the bot has taken over. This one must be restarted.',
  unreachable: 'The database server does not answer. Start it, or check the network and its load.',
  denied: 'The database server refuses the login or what the bot does. Check the user and the password in STORE_URL.',
  failed: 'The database cannot be read or written. The log says why.',
} satisfies Record<StoreTrouble, string>;

export const remedyOf = (cause: unknown): string => REMEDIES[cause instanceof StoreError ? cause.trouble : 'failed'];

export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    readonly trouble: StoreTrouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** For `catch` after a read: an unreadable document counts as missing, other troubles are thrown. */
export function ifUnreadable(cause: unknown): undefined {
  if (cause instanceof StoreError && cause.trouble === 'unreadable') return undefined;
  throw cause;
}

/** What several processes share: a lease whose epoch fences writes, and atomic counters. One epoch per opened store: afterwards `acquire` rejects (`superseded`). */
export interface SharedEngine {
  /** Takes a free or expired lease, or extends one's own; undefined: another holds it. */
  acquire(holder: string, ttlMs: number): Promise<{ readonly epoch: number } | undefined>;
  /** Frees the lease at once for the next process, if it is still held. */
  release(): Promise<void>;
  /** Says who holds it now and for how long yet; it is undefined if nobody does. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Takes from an atomic rate (GCRA). It resolves with 0 if granted; otherwise nothing is taken, and it resolves with the wait in ms. */
  take(counter: string, rate: CounterRate): Promise<number>;
  /** Returns the new sum, or undefined above `limit`. The counter is forgotten `ttlMs` after its first addition. */
  add(counter: string, amount: number, options: CounterLimit): Promise<number | undefined>;
}

export interface LeaseHolder {
  readonly holder: string;
  readonly epoch: number;
  readonly remainingMs: number;
}

export interface CounterRate {
  readonly intervalMs: number;
  readonly burst: number;
}

export interface CounterLimit {
  readonly limit: number;
  readonly ttlMs: number;
}

const BURST_PART = 1 / 8;

/** Allows `max` in `per` milliseconds. After the burst the others follow evenly, so no span of `per` has more than `max`. */
export function counterRate({ max, per }: { readonly max: number; readonly per: number }): CounterRate {
  const burst = Math.max(1, Math.floor(max * BURST_PART));
  return { intervalMs: per / (max - burst + 1), burst };
}
