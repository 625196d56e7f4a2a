/** Scales with round steps. */

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const STEPS = [1, 2, 2.5, 5, 10];
/** For rounding errors. */
const HAIR = 1e-9;
/** Smaller values count as zero. */
const MIN_MAGNITUDE = 1e-20;

export interface Extent {
  readonly low: number;
  readonly high: number;
}

export interface ScaleOptions {
  /** Bars and areas would be misleading otherwise. */
  readonly zero: boolean;
  /** Approximate, exceeded by one at most. */
  readonly steps: number;
  /** For counts. */
  readonly whole?: boolean;
  /** Above and below the values, as a fraction of the range. */
  readonly margin?: number;
}

/** The smallest that fits. */
export function scaleOf(extent: Extent | undefined, { zero, steps, whole = false, margin = 0 }: ScaleOptions): Scale {
  if (extent === undefined) return { min: 0, max: 1, step: 1 };
  const pad = (extent.high - extent.low) * margin;
  let low = zero && extent.low >= 0 ? 0 : extent.low - pad;
  let high = zero && extent.high <= 0 ? 0 : extent.high + pad;
  // The margin must not extend a non-negative scale below zero.
  if (extent.low >= 0) low = Math.max(0, low);
  // Values closer than the tolerance count as one value.
  if (high - low <= Math.max(Math.abs(low), Math.abs(high), MIN_MAGNITUDE) * HAIR) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    const room = size < MIN_MAGNITUDE ? 1 : size * 0.1;
    [low, high] = [extent.low >= 0 ? Math.max(0, low - room) : low - room, high + room];
  }
  const rough = (high - low) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = (STEPS.find((step) => step * power >= rough - rough * HAIR) ?? 10) * power;
  const step = whole ? Math.max(1, Math.ceil(nice)) : nice;
  return { min: Math.floor(low / step + HAIR) * step, max: Math.ceil(high / step - HAIR) * step, step };
}

export const ticksOf = ({ min, max, step }: Scale): readonly number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => Number((min + index * step).toPrecision(12)));

/** Undefined for no values. */
export function extentOf(values: readonly number[]): Extent | undefined {
  if (values.length === 0) return undefined;
  return values.reduce<Extent>(({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }), {
    low: Infinity,
    high: -Infinity,
  });
}
