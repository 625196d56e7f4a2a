/** A rate limit as a sliding window. */
import type { Instant } from '../../base/clock.js';

export interface RateLimit {
  readonly max: number;
  /** Milliseconds. */
  readonly per: number;
}

/** A request counts until `per` after its answer. */
export interface RateWindow {
  /** Undefined while it depends on an answer. `part`: of the limit. */
  freeAt(now: Instant, part: number): number | undefined;
  begin(): void;
  /** `counts`: it was sent; else its room is free at once. */
  end(now: Instant, counts: boolean): void;
  isIdle(now: Instant): boolean;
}

export function openWindow({ max, per }: RateLimit): RateWindow {
  let inFlight = 0;
  const ends: number[] = [];
  const expire = (now: Instant): void => {
    // After a clock was set back, no entry counts longer than a whole span.
    while (ends[0] !== undefined && (ends[0] <= now || ends[0] > now + per)) ends.shift();
  };
  return {
    freeAt(now, part) {
      expire(now);
      const room = Math.max(1, Math.floor(max * part));
      const taken = inFlight + ends.length;
      return taken < room ? now : ends[taken - room];
    },
    begin: () => void (inFlight += 1),
    end(now, counts) {
      inFlight -= 1;
      if (counts) ends.push(now + per);
    },
    isIdle(now) {
      expire(now);
      return inFlight === 0 && ends.length === 0;
    },
  };
}
