/** Redis errors as failures with a remedy: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
import { z } from 'zod';
import { StoreError, type StoreTrouble } from './store.js';

type Explain = readonly [trouble: StoreTrouble, sentence: (place: string, why: string) => string];

const denied: Explain = [
  'denied',
  (place, why) => `Redis at ${place} refuses this user or password (${why}); correct them in STORE_URL, or see ACL LIST in Redis`,
];
const notReady: Explain = [
  'unreachable',
  (place, why) => `Redis at ${place} cannot answer now (${why}); wait until it has started, or see its log`,
];

const explained: Readonly<Record<string, Explain>> = {
  WRONGPASS: denied,
  NOAUTH: denied,
  NOPERM: [
    'denied',
    (place) =>
      `Redis at ${place} does not let this user do what Navwatch needs; allow it +@read +@write +@scripting +@connection, and +config|get, +info`,
  ],
  LOADING: notReady,
  BUSY: notReady,
  MASTERDOWN: notReady,
  TRYAGAIN: notReady,
  OOM: ['full', (place) => `Redis at ${place} has reached its maxmemory; raise it, or free memory (what was stored before is safe)`],
  MISCONF: [
    'full',
    (place) => `Redis at ${place} cannot write to its disk; free some space on it, see its log (what was stored before is safe)`,
  ],
  READONLY: ['read-only', (place) => `Redis at ${place} is a replica; name the master in STORE_URL`],
  MOVED: ['failed', (place) => `Redis at ${place} is part of a cluster, which Navwatch does not use; name a single server in STORE_URL`],
};
const cluster = explained['MOVED'];

const failing: Explain = ['failed', (place, why) => `Redis at ${place} failed (${why}); see its log, then start again`];
const away: Explain = [
  'unreachable',
  (place, why) => `Redis at ${place} cannot be reached (${why}); start it, or correct the host and port in STORE_URL`,
];

/** Of `ERR`, which says more in words. */
const WORDED: readonly (readonly [RegExp, Explain])[] = [
  [
    /DB index is out of range|SELECT is not allowed/u,
    ['failed', (place) => `Redis at ${place} has no database of that number; correct it in STORE_URL (usually 0 to 15)`],
  ],
  [/AUTH|invalid password/u, denied],
  [
    /max number of clients/u,
    ['unreachable', (place) => `Redis at ${place} has no connection left; raise its maxclients, or end other programs`],
  ],
  [/cluster support/u, cluster ?? failing],
];

const coded = z.object({ code: z.string() });
const MAX_WHY = 120;

function explanationOf(message: string): Explain {
  const [, word] = /^([A-Z]+)(?: |$)/u.exec(message) ?? [];
  if (word === undefined) return away;
  return explained[word] ?? (word === 'ERR' ? WORDED.find(([words]) => words.test(message))?.[1] : undefined) ?? failing;
}

/** A `StoreError` passes unchanged. */
export function redisFailure(place: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : 'an unknown error';
  const [trouble, sentence] = explanationOf(message);
  const why = coded.safeParse(error).data?.code ?? message.slice(0, MAX_WHY);
  return new StoreError(trouble, `store: ${sentence(place, why)}`, { cause: new Error(message) });
}
