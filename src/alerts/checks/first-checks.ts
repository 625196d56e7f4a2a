/** This module stores pending first checks as `first-check/<feed>/<subject>`, so that a late one reports events since the watch began. */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Log } from '../../base/log.js';
import type { Store } from '../../store/store.js';

export interface FirstChecks {
  since(key: string): Instant | undefined;
  keys(): readonly string[];
  /** Records that a first check is pending. No effect if the record exists. */
  begin(key: string, at: Instant): Promise<void>;
  end(key: string): Promise<void>;
}

export async function openFirstChecks({ store, log }: { store: Store; log: Log }): Promise<FirstChecks> {
  const documents = store.collection({ prefix: 'first-check', schema: z.object({ since: instantSchema }), version: 1 });
  const wanted = new Map<string, Instant>();
  for await (const { found } of documents.scan()) for (const [key, { since }] of found) wanted.set(key, since);
  const tried = async (key: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (cause) {
      log.warn('first-check.unwritten', { check: key, cause });
    }
  };
  return {
    since: (key) => wanted.get(key),
    keys: () => [...wanted.keys()],
    async begin(key, at) {
      if (wanted.has(key)) return;
      wanted.set(key, at);
      await tried(key, async () => documents.set(key, { since: at }));
    },
    async end(key) {
      if (wanted.delete(key)) await tried(key, async () => documents.delete(key));
    },
  };
}

export interface FirstCheckResult {
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
  /** Milliseconds at the pace so far; undefined until the first one ends. */
  readonly readyIn: number | undefined;
  /** The pending checks wait for the API budget. */
  readonly isDeferred: true | undefined;
}

/** The progress of the first checks of a watch. */
export interface FirstCheckProgress {
  /** Number of first checks; 1 until the list of checks is known. */
  total: number;
  done: number;
  failed: number;
  isRunning: boolean;
  isDeferred: boolean;
}
