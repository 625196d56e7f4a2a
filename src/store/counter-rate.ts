/** A limit of `max` in `per` ms as a rate of an engine's counter. Pure. */
import type { CounterRate } from './shared.js';

/** The others follow evenly: no span of `per` has more than `max`. */
const BURST_PART = 1 / 8;

export function counterRate({ max, per }: { readonly max: number; readonly per: number }): CounterRate {
  const burst = Math.max(1, Math.floor(max * BURST_PART));
  return { intervalMs: per / (max - burst + 1), burst };
}
