/** Enforces rate limits over all processes: first the process's limiter, then the counters of the shared engine. */
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { counterRate, type SharedEngine } from '../../store/store.js';
import type { Limiter, RateLimits } from './limiter.js';

export interface SharedLimiterDeps {
  readonly own: Limiter;
  /** Undefined if one process sends everything. */
  readonly shared: Pick<SharedEngine, 'take'> | undefined;
  readonly platform: string;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly log: Log;
}

export function shareLimiter({ own, shared, platform, limits, clock, log }: SharedLimiterDeps): Limiter {
  if (shared === undefined) return own;
  let isAway = false;

  /** Resolves with the milliseconds to wait. While the engine is unreachable this is 0, and only the process's limits apply. */
  async function wait(counter: string, limit: RateLimits['token']): Promise<number> {
    try {
      const ms = await shared?.take(`${platform}/${counter}`, counterRate(limit));
      isAway = false;
      return ms ?? 0;
    } catch (error) {
      log[isAway ? 'debug' : 'warn']('limiter.not-shared', { platform, error });
      isAway = true;
      return 0;
    }
  }

  return {
    pausedUntil: (chat) => own.pausedUntil(chat),
    async take(request, signal) {
      const slot = await own.take(request, signal);
      if (slot === undefined) return undefined;
      const all = [
        ...limits.chat(request.chat).map((limit) => [`chat/${request.chat}/${limit.per}`, limit] as const),
        ['token', limits.token] as const,
      ];
      try {
        for (const [counter, limit] of all)
          for (let ms = await wait(counter, limit); ms > 0; ms = await wait(counter, limit)) await clock.sleep(ms, signal);
      } catch (error) {
        slot.unused();
        if (signal?.aborted === true) return undefined;
        throw error;
      }
      return slot;
    },
  };
}
