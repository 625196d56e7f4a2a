/** Rate limits: a bucket per route and top-level resource, one for everything, and the count of invalid answers. On real time, as the client's. https://docs.discord.com/developers/topics/rate-limits */
import { createHash } from 'node:crypto';
import type { Bucket } from './types.js';

const GLOBAL: Bucket = { limit: 50, windowMs: 1000 };
/** Messages of a channel that can be published. */
const PUBLISHED: Bucket = { limit: 10, windowMs: 3_600_000 };
const SHORTEST_WAIT = 0.001;

export interface Spent {
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds to wait, when the bucket is empty. */
  readonly retryAfter: number | undefined;
  readonly scope: 'user' | 'global' | undefined;
}

export interface RateLimits {
  set(method: string, route: string, bucket: Bucket): void;
  spend(call: { readonly method: string; readonly route: string; readonly resource: string; readonly exempt: boolean }): Spent;
}

interface Window {
  startedAt: number;
  used: number;
}

const USUAL: Bucket = { limit: 1000, windowMs: 1000 };

export function openRateLimits(usual: Bucket = USUAL, everything: Bucket = GLOBAL): RateLimits {
  const own = new Map<string, Bucket>([['POST /channels/:channel/messages/:message/crosspost', PUBLISHED]]);
  const windows = new Map<string, Window>();
  const take = (key: string, { limit, windowMs }: Bucket): { readonly left: number; readonly resetMs: number; readonly over: boolean } => {
    const now = performance.now();
    const current = windows.get(key);
    const window = current !== undefined && now - current.startedAt < windowMs ? current : { startedAt: now, used: 0 };
    windows.set(key, window);
    const over = window.used >= limit;
    if (!over) window.used += 1;
    return { left: limit - window.used, resetMs: window.startedAt + windowMs - now, over };
  };
  return {
    set: (method, route, bucket) => void own.set(`${method} ${route}`, bucket),
    spend({ method, route, resource, exempt }) {
      const all = exempt ? undefined : take('global', everything);
      const name = `${method} ${route}`;
      const bucket = own.get(name) ?? usual;
      const { left, resetMs, over } = take(`${name} ${resource}`, bucket);
      const reset = Math.max(SHORTEST_WAIT, resetMs / 1000);
      const headers = {
        'X-RateLimit-Limit': String(bucket.limit),
        'X-RateLimit-Remaining': String(left),
        'X-RateLimit-Reset': (Date.now() / 1000 + reset).toFixed(3),
        'X-RateLimit-Reset-After': reset.toFixed(3),
        'X-RateLimit-Bucket': createHash('md5').update(name).digest('hex'),
      };
      if (all?.over === true)
        return {
          headers: { ...headers, 'X-RateLimit-Global': 'true' },
          retryAfter: Math.max(SHORTEST_WAIT, all.resetMs / 1000),
          scope: 'global',
        };
      return { headers, retryAfter: over ? reset : undefined, scope: over ? 'user' : undefined };
    },
  };
}
