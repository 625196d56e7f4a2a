/**
 * The store's port. It offers a durable `get` and `set` of one document and nothing more: no transaction spans two keys, so what must
 * change together is one document, and each document has one writer. The schema of a document lives in the room that writes it.
 */
import type { z } from 'zod';

export interface CollectionSpec<T> {
  /** The first part of every key, a plain word: `chat`, `mark`. */
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  /** Raised whenever the schema changes in a way old documents do not fit. */
  readonly version: number;
  /** Brings a document of an older version to this one. Without it an older document is unreadable. */
  readonly upgrade?: (document: unknown, from: number) => unknown;
}

export interface Listing<T> {
  readonly found: readonly (readonly [key: string, document: T])[];
  /** Documents that stand there and cannot be read: left alone, never treated as absent. */
  readonly unreadable: readonly { readonly key: string; readonly because: string }[];
}

export interface Collection<T> {
  /** Undefined when nothing stands there. Rejects with a `StoreError` when something does and cannot be read. */
  get(key: string): Promise<T | undefined>;
  /** Resolves when the document is durable. */
  set(key: string, document: T): Promise<void>;
  delete(key: string): Promise<void>;
  /** All documents whose key begins with `under` (default: all), in the order of their keys. */
  list(under?: string): Promise<Listing<T>>;
  /**
   * The same in pages of at most 500 documents, each read when it is asked for. What is written between two pages may be in a later page or
   * not; every other document is in exactly one.
   */
  scan(under?: string): AsyncIterable<Listing<T>>;
}

export interface Store {
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Proves that the store still takes writes; rejects with a `StoreError` when it does not. */
  check(): Promise<void>;
  /** Moves recent writes to where a copy of the main file includes them. Everything is durable without it. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** `moved`: the file that is open was deleted or replaced. */
export type StoreTrouble = 'locked' | 'full' | 'unreadable' | 'read-only' | 'newer' | 'moved' | 'failed';

/** What an operator does about each, in sentences that name no path and can be shown to anybody. */
const REMEDIES = {
  locked: 'Another program has the database open. Stop it.',
  full: 'The disk of the database is full. Free some space.',
  unreadable: 'The database is damaged. Restore a backup.',
  'read-only': 'The database cannot be written. Give the bot write access to its file and folder.',
  newer: 'The database was written by a newer Navwatch. Run that version.',
  moved: 'The database file was deleted or replaced while it was open. Put it back or restore a backup, then restart the bot.',
  failed: 'The database cannot be read or written. The log says why.',
} satisfies Record<StoreTrouble, string>;

/** What to do about a failure of the store. */
export const remedyOf = (cause: unknown): string => REMEDIES[cause instanceof StoreError ? cause.trouble : 'failed'];

/** Every failure of the store. The message names the place and the remedy. */
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
