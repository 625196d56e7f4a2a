/** Group commit: writes that arrive during a statement wait and share the next transaction. */

/** A write; a deletion if `text` is undefined. */
export interface Write {
  readonly key: string;
  readonly text: string | undefined;
  /** True to keep a document that exists already. */
  readonly ifAbsent?: boolean;
}

/** The result of each write, by index: undefined if durable, false if `ifAbsent` found a document, or the error. */
export type WriteResults = readonly (Error | false | undefined)[];

export interface GroupCommit {
  /** Adds a write. Resolves with whether it was written; rejects with the error of this write only. */
  add(write: Write): Promise<boolean>;
  /** Closes the waiting batch for later writes of the key, so that a read called now does not see them. */
  readsKey(key: string): void;
  readsAll(): void;
}

/** Two parameters per write stay below 32,766: https://sqlite.org/limits.html#max_variable_number */
export const MAX_BATCH_WRITES = 500;
export const MAX_BATCH_CHARACTERS = 1_000_000;

interface Batch {
  readonly writes: Write[];
  readonly keysRead: Set<string>;
  /** The keys that a write with `ifAbsent` must not join, and those that no write may join. */
  readonly keysWritten: Set<string>;
  readonly keysIfAbsent: Set<string>;
  characters: number;
}

const charactersOf = ({ key, text = '' }: Write): number => key.length + text.length;

function takes({ writes, keysRead, keysWritten, keysIfAbsent, characters }: Batch, write: Write): boolean {
  const isRoomy = writes.length < MAX_BATCH_WRITES && characters + charactersOf(write) <= MAX_BATCH_CHARACTERS;
  const isOrdered = !keysIfAbsent.has(write.key) && !(write.ifAbsent === true && keysWritten.has(write.key));
  return isRoomy && isOrdered && !keysRead.has(write.key);
}

function join(batch: Batch, write: Write): number {
  batch.characters += charactersOf(write);
  (write.ifAbsent === true ? batch.keysIfAbsent : batch.keysWritten).add(write.key);
  return batch.writes.push(write) - 1;
}

/** Opens a group commit. `queue` runs jobs one after another. Keys of a batch may repeat, except with `ifAbsent`. */
export function openGroupCommit({
  queue,
  commit,
}: {
  readonly queue: (job: () => Promise<WriteResults>) => Promise<WriteResults>;
  readonly commit: (writes: readonly Write[]) => Promise<WriteResults>;
}): GroupCommit {
  let waiting: { readonly batch: Batch; readonly results: Promise<WriteResults> } | undefined;

  const begin = (write: Write): Promise<WriteResults> => {
    const batch: Batch = { writes: [], keysRead: new Set(), keysWritten: new Set(), keysIfAbsent: new Set(), characters: 0 };
    join(batch, write);
    let isStarted = false;
    const results = queue(async () => {
      isStarted = true;
      if (waiting?.batch === batch) waiting = undefined;
      return commit(batch.writes);
    });
    // An idle queue starts the job synchronously, so the batch may have started already.
    waiting = isStarted ? undefined : { batch, results };
    return results;
  };

  return {
    async add(write) {
      let index = 0;
      let results: Promise<WriteResults>;
      if (waiting !== undefined && takes(waiting.batch, write)) {
        index = join(waiting.batch, write);
        results = waiting.results;
      } else results = begin(write);
      const result = (await results)[index];
      if (result instanceof Error) throw result;
      return result !== false;
    },
    readsKey: (key) => void waiting?.batch.keysRead.add(key),
    readsAll: () => {
      waiting = undefined;
    },
  };
}
