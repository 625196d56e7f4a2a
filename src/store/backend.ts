/** The port of a store engine: texts under keys, without schemas or versions. A new engine is a file here and an entry in `open.ts`. */

/** One stored text with its key. */
export type StoredText = readonly [key: string, text: string];

/** The keys with `from <= key < to`, in the order of their UTF-8 bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  /** Only keys that follow this one. */
  readonly after?: string;
  /** The greatest number of entries. Default: all. */
  readonly limit?: number;
}

export interface Backend {
  /** Where it keeps its texts, as messages name it. Never a password. */
  readonly place: string;
  get(key: string): Promise<string | undefined>;
  /** Resolves when the text is durable. Sets of one key take effect in the order of the calls. */
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** The entries of a range, in the order of their keys, as they were at one moment. Fewer than `limit` are the last. */
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** Moves recent writes to where a copy of the main file includes them. Everything is durable without it. */
  checkpoint(): Promise<void>;
  /** Finishes what is in hand, then lets go. Called once. */
  close(): Promise<void>;
}
