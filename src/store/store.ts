/** Durable `get` and `set` of single documents. */
import type { z } from 'zod';

export interface CollectionSpec<T> {
  /** One word, the first part of every key. */
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  /** For documents that no longer fit the schema. */
  readonly version: number;
  /** Without it, older documents are unreadable. */
  readonly upgrade?: (document: unknown, from: number) => unknown;
}

export interface Listing<T> {
  readonly found: readonly (readonly [key: string, document: T])[];
  /** Left alone, never treated as absent. */
  readonly unreadable: readonly { readonly key: string; readonly because: string }[];
}

export interface Collection<T> {
  /** Rejects with a `StoreError` if unreadable. */
  get(key: string): Promise<T | undefined>;
  /** Resolves when durable. */
  set(key: string, document: T): Promise<void>;
  delete(key: string): Promise<void>;
  /** In key order. `under`: a key prefix. */
  list(under?: string): Promise<Listing<T>>;
  /** At most 100 documents. One written between two pages may be missing; every other occurs once. */
  scan(under?: string): AsyncIterable<Listing<T>>;
}

export interface Store {
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Writes and reads back. Rejects with a `StoreError`. */
  check(): Promise<void>;
  /** Not needed for durability. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** `moved`: the open file was deleted or replaced. */
export type StoreTrouble = 'locked' | 'full' | 'unreadable' | 'read-only' | 'newer' | 'moved' | 'failed';

const REMEDIES = {
  locked: 'Another program has the database open. Stop it.',
  full: 'The disk of the database is full. Free some space.',
  unreadable: 'The database is damaged. Restore a backup.',
  'read-only': 'The database cannot be written. Give the bot write access to its file and folder.',
  newer: 'The database was written by a newer Navwatch. Run that version.',
  moved: 'The database file was deleted or replaced while it was open. Put it back or restore a backup, then restart the bot.',
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
