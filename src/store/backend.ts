/**
 * The port a place of storage fills: texts under keys, nothing of schemas or versions. A new place (Redis, PostgreSQL) is one file
 * beside `sqlite.ts` and one line in the table of `open.ts`; the contract suite in `test/store/` says what it must keep to.
 */

/** One stored text with its key. */
export type Entry = readonly [key: string, text: string];

export interface Backend {
  /** Where it keeps its texts, as messages name it. Never a password. */
  readonly place: string;
  get(key: string): Promise<string | undefined>;
  /** Resolves when the text is durable. Sets of one key take effect in the order of the calls. */
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** All entries with `from <= key < to`, in the order of their keys' UTF-8 bytes. */
  range(from: string, to: string): Promise<readonly Entry[]>;
  /** Moves recent writes to where a copy of the main file includes them. Everything is durable without it. */
  checkpoint(): Promise<void>;
  /** Finishes what is in hand, then lets go. Called once. */
  close(): Promise<void>;
}
