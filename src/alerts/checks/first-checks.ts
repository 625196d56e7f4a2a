/** This module keeps first checks still to succeed as `first-check/<feed>/<subject>`: a late one returns events since the watch began. */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Log } from '../../base/log.js';
import type { Store } from '../../store/store.js';

export interface FirstChecks {
  since(key: string): Instant | undefined;
  keys(): readonly string[];
  /** It has no effect if the record exists. */
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
  /** The time is in milliseconds at the pace so far. It is undefined while none has ended. */
  readonly readyIn: number | undefined;
  /** The pending ones wait for the API budget. */
  readonly isDeferred: true | undefined;
}

/** Describes how far the first checks of a watch are. */
export interface FirstCheckProgress {
  /** Until the list of checks is known, finding it counts as pending. */
  total: number;
  done: number;
  failed: number;
  isRunning: boolean;
  isDeferred: boolean;
}
