/** The port of a store engine: texts under keys. */

export type StoredText = readonly [key: string, text: string];

/** `from <= key < to`, ordered by UTF-8 bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly after?: string;
  readonly limit?: number;
}

/** Above every character a key may have. */
const LAST = '\u{10FFFF}';

export const startingWith = (from: string): KeyRange => ({ from, to: from + LAST });

export interface Backend {
  /** For messages; never contains a password. */
  readonly place: string;
  get(key: string): Promise<string | undefined>;
  /** Resolves when durable. Writes of one key keep the order of the calls. */
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** A consistent snapshot in key order. Fewer than `limit` means the end. */
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** For copies of the file. Not needed for durability. */
  checkpoint(): Promise<void>;
  /** Finishes pending work. Call once. */
  close(): Promise<void>;
}
