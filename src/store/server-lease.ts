/** The lease as one process sees it: one epoch in its life. */
import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import type { ServerEngine } from './server-engine.js';
import type { SharedEngine } from './shared.js';
import { StoreError } from './store.js';

export interface ServerLease extends Pick<SharedEngine, 'acquire' | 'release' | 'holder'> {
  /** What the writes of the active process carry. Throws `superseded` without the lease. */
  fence(): { readonly owner: string; readonly epoch: number };
  /** The engine refused the epoch. */
  lost(): StoreError;
}

export function openServerLease(engine: Pick<ServerEngine, 'place' | 'acquire' | 'release' | 'holder'>): ServerLease {
  // Recognised by the engine when the answer to a request was lost.
  const owner = randomUUID();
  const line = new PQueue({ concurrency: 1 });
  let epoch: number | undefined;
  let isOver = false;

  const superseded = (): StoreError =>
    new StoreError(
      'superseded',
      `store: ${
        isOver
          ? `this process no longer holds the lease of ${engine.place}; another may have taken over, so nothing is written; start it again`
          : `this process does not hold the lease of ${engine.place}, so it may not write this`
      }`,
    );
  const lost = (): StoreError => {
    isOver = epoch !== undefined;
    return superseded();
  };

  const acquire = async (request: { readonly holder: string; readonly ttlMs: number }): Promise<{ readonly epoch: number } | undefined> =>
    line.add(async () => {
      if (!(request.ttlMs > 0)) throw new RangeError('a lease lasts some milliseconds');
      if (isOver) throw superseded();
      const got = await engine.acquire({ owner, ...request });
      if (epoch !== undefined && got?.epoch !== epoch) throw lost();
      epoch = got?.epoch;
      return got;
    });

  return {
    fence() {
      if (isOver || epoch === undefined) throw superseded();
      return { owner, epoch };
    },
    lost,
    acquire: async (holder, ttlMs) => acquire({ holder, ttlMs }),
    release: async () =>
      line.add(async () => {
        if (epoch === undefined || isOver) return;
        isOver = true;
        await engine.release(owner);
      }),
    holder: async () => engine.holder(),
  };
}
