/** Group commit: writes during a statement wait and share one transaction. */

/** A `delete` if `text` is undefined. */
export interface Write {
  readonly key: string;
  readonly text: string | undefined;
  /** Leaves a document that is there alone. */
  readonly ifAbsent?: boolean;
}

/** Results by index of the write: undefined if durable, false if `ifAbsent` found a document. */
export type WriteResults = readonly (Error | false | undefined)[];

export interface GroupCommit {
  /** Tells whether it was written. Rejects with its own failure. */
  add(write: Write): Promise<boolean>;
  /** Later writes stay out of the waiting batch: a read called now does not see them. */
  readsKey(key: string): void;
  readsAll(): void;
}

/** Two parameters per write stay below 32,766: https://sqlite.org/limits.html#max_variable_number */
export const MAX_BATCH_WRITES = 500;
export const MAX_BATCH_CHARACTERS = 1_000_000;

interface Batch {
  readonly writes: Write[];
  readonly keysRead: Set<string>;
  /** That `ifAbsent` must not join, and that nothing may join. */
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

/** `queue` runs jobs serially; keys of a batch may repeat, except with `ifAbsent`. */
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
    // An idle queue starts the job inside its call.
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
