/** The store's interface: durable `get` and `set` of single documents. */
import type { z } from 'zod';

/** Who may write: the process with the lease, whose writes fail once it is lost, or any process. */
export type Writers = 'active' | 'any';

export interface CollectionSpec<T> {
  /** One word, the first part of every key. */
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  /** Raised when old documents no longer fit the schema. */
  readonly version: number;
  /** Converts a document of an older version. If undefined, older documents are unreadable. */
  readonly upgrade?: (document: unknown, from: number) => unknown;
  /** Who may write on a shared engine; `active` by default. */
  readonly writers?: Writers;
}

export interface Listing<T> {
  readonly found: readonly (readonly [key: string, document: T])[];
  /** Unreadable documents stay in the store and must not be treated as absent. */
  readonly unreadable: readonly { readonly key: string; readonly because: string }[];
}

export interface Collection<T> {
  /** Rejects with a `StoreError` if the document is unreadable. */
  get(key: string): Promise<T | undefined>;
  /** Resolves when the document is durable. */
  set(key: string, document: T): Promise<void>;
  /** Resolves with false if the key has a document, readable or not. */
  setIfAbsent(key: string, document: T): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Returns the documents in key order. `under` is a key prefix. */
  list(under?: string): Promise<Listing<T>>;
  /** Reads at most 100 documents per step. A document written between two pages may be missing. */
  scan(under?: string): AsyncIterable<Listing<T>>;
}

/** A document as the database has it, with the collection's prefix. */
export type StoredText = readonly [key: string, text: string];

/** The whole store as texts, for exports and imports. */
export interface Copies {
  /** Reads every document in key order, and rejects while another snapshot is read. */
  snapshot(): AsyncIterable<readonly StoredText[]>;
  isEmpty(): Promise<boolean>;
  /** Replaces all documents. If interrupted, the store can only be opened for another replacement. */
  replaceAll(pages: AsyncIterable<readonly StoredText[]>): Promise<void>;
  /** Tells whether an earlier replacement was interrupted. */
  isInterrupted(): Promise<boolean>;
}

/** What `doctor` shows of a database server. */
export interface ServerFacts {
  readonly version: string;
  /** When a write reaches the disk, in the engine's terms. */
  readonly durability: string;
}

export interface Store {
  /** Undefined if one process owns the database. */
  readonly shared?: SharedEngine;
  /** Set on a database server. */
  readonly inspect?: () => Promise<ServerFacts>;
  readonly copies: Copies;
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Writes a text and reads it back. Rejects with a `StoreError`. */
  check(): Promise<void>;
  /** Moves logged writes into the database file. Not needed for durability. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** `moved`: the database was deleted or replaced; `superseded`: this process lacks the lease; `unreachable`, `denied`: the server does not answer, or refuses the login. */
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

/** For `catch` after a read: an unreadable document counts as missing. Other errors are rethrown. */
export function ifUnreadable(cause: unknown): undefined {
  if (cause instanceof StoreError && cause.trouble === 'unreadable') return undefined;
  throw cause;
}

/** What processes share: a lease whose epoch fences writes, and atomic counters. A store holds one epoch; once that is lost, `acquire` rejects with `superseded`. */
export interface SharedEngine {
  /** Takes a free or expired lease, or extends our own. Resolves with undefined if another process holds it. */
  acquire(holder: string, ttlMs: number): Promise<{ readonly epoch: number } | undefined>;
  /** Releases the lease for the next process, if we still hold it. */
  release(): Promise<void>;
  /** Resolves with the present holder and the remaining time; undefined if nobody holds the lease. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Takes one from an atomic rate (GCRA). Resolves with 0 if granted; otherwise takes nothing and resolves with the wait in ms. */
  take(counter: string, rate: CounterRate): Promise<number>;
  /** Adds to a counter. Resolves with the new sum, or with undefined above `limit`. The counter expires `ttlMs` after its first addition. */
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

/** Returns a rate of `max` in `per` milliseconds. After a burst, requests are evenly spaced, so no span of `per` has more than `max`. */
export function counterRate({ max, per }: { readonly max: number; readonly per: number }): CounterRate {
  const burst = Math.max(1, Math.floor(max * BURST_PART));
  return { intervalMs: per / (max - burst + 1), burst };
}
