/** Counts the answers that bring an address nearer to a ban: 401, 403 and 429 in ten minutes, except where others share a limit. */
import { MINUTE, type Clock } from '../../../src/base/clock.js';

const WINDOW = 10 * MINUTE;
const COUNTED: ReadonlySet<number> = new Set([401, 403, 429]);

export function openInvalidCount(clock: Clock): { answered(status: number, shared: boolean): void; count(): number } {
  const moments: number[] = [];
  return {
    answered(status, shared) {
      if (COUNTED.has(status) && !shared) moments.push(clock.now());
    },
    count: () => moments.filter((at) => clock.now() - at <= WINDOW).length,
  };
}
