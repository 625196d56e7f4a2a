/** Group commit: writes during a statement wait and share one transaction. */

/** A `delete` if `text` is undefined. */
export interface Write {
  readonly key: string;
  readonly text: string | undefined;
}

/** By index of the write; undefined if durable. */
export type Failures = readonly (Error | undefined)[];

export interface GroupCommit {
  /** Rejects with its own failure. */
  add(write: Write): Promise<void>;
  /** Later writes of the key stay out of the waiting batch: a read called now does not see them. */
  readsKey(key: string): void;
  readsAll(): void;
}

/** Two parameters per write stay below 32,766: https://sqlite.org/limits.html#max_variable_number */
export const MAX_BATCH_WRITES = 500;
export const MAX_BATCH_CHARACTERS = 1_000_000;

interface Batch {
  readonly writes: Write[];
  readonly keysRead: Set<string>;
  characters: number;
}

const charactersOf = ({ key, text = '' }: Write): number => key.length + text.length;

function takes({ writes, keysRead, characters }: Batch, write: Write): boolean {
  const isRoomy = writes.length < MAX_BATCH_WRITES && characters + charactersOf(write) <= MAX_BATCH_CHARACTERS;
  return isRoomy && !keysRead.has(write.key);
}

/** `queue` runs jobs serially; keys of a batch may repeat. */
export function openGroupCommit({
  queue,
  commit,
}: {
  readonly queue: (job: () => Promise<Failures>) => Promise<Failures>;
  readonly commit: (writes: readonly Write[]) => Promise<Failures>;
}): GroupCommit {
  let waiting: { readonly batch: Batch; readonly failures: Promise<Failures> } | undefined;

  const begin = (write: Write): Promise<Failures> => {
    const batch: Batch = { writes: [write], keysRead: new Set(), characters: charactersOf(write) };
    let isStarted = false;
    const failures = queue(async () => {
      isStarted = true;
      if (waiting?.batch === batch) waiting = undefined;
      return commit(batch.writes);
    });
    // An idle queue starts the job inside its call.
    waiting = isStarted ? undefined : { batch, failures };
    return failures;
  };

  return {
    async add(write) {
      let index = 0;
      let failures: Promise<Failures>;
      if (waiting !== undefined && takes(waiting.batch, write)) {
        index = waiting.batch.writes.push(write) - 1;
        waiting.batch.characters += charactersOf(write);
        failures = waiting.failures;
      } else failures = begin(write);
      const failure = (await failures)[index];
      if (failure !== undefined) throw failure;
    },
    readsKey: (key) => void waiting?.batch.keysRead.add(key),
    readsAll: () => {
      waiting = undefined;
    },
  };
}
