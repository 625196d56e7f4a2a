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
}

export interface Store {
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Proves that the store still takes writes; rejects with a `StoreError` when it does not. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export type StoreTrouble = 'locked' | 'full' | 'unreadable' | 'read-only' | 'newer' | 'failed';

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
