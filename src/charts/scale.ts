/** A scale of round numbers. Pure. */

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const STEPS = [1, 2, 2.5, 5, 10];
/** Without this 0.1 + 0.2 would ask for one step more. */
const HAIR = 1e-9;
/** Less than any price is as good as nothing. */
const SMALLEST = 1e-20;

export interface Extent {
  readonly low: number;
  readonly high: number;
}

export interface ScaleWish {
  /** Bars and areas stand on zero: cut off, their sizes would lie. */
  readonly zero: boolean;
  /** About so many steps, and never more than one above. */
  readonly steps: number;
  /** Only whole numbers are steps: for what is counted. */
  readonly whole?: boolean;
  /** Room above and below the values for words beside them, in parts of the range. */
  readonly margin?: number;
}

/** The smallest scale of round steps that holds the extent. A flat line gets room on both sides; nothing at all gets 0 to 1. */
export function scaleOf(extent: Extent | undefined, { zero, steps, whole = false, margin = 0 }: ScaleWish): Scale {
  if (extent === undefined) return { min: 0, max: 1, step: 1 };
  const pad = (extent.high - extent.low) * margin;
  let low = zero && extent.low >= 0 ? 0 : extent.low - pad;
  let high = zero && extent.high <= 0 ? 0 : extent.high + pad;
  // Room beside the values must not make a scale of what cannot be negative begin below zero.
  if (extent.low >= 0) low = Math.max(0, low);
  // Values that differ by less than can be written are one value.
  if (high - low <= Math.max(Math.abs(low), Math.abs(high), SMALLEST) * HAIR) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    const room = size < SMALLEST ? 1 : size * 0.1;
    [low, high] = [extent.low >= 0 ? Math.max(0, low - room) : low - room, high + room];
  }
  const rough = (high - low) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = (STEPS.find((step) => step * power >= rough - rough * HAIR) ?? 10) * power;
  const step = whole ? Math.max(1, Math.ceil(nice)) : nice;
  return { min: Math.floor(low / step + HAIR) * step, max: Math.ceil(high / step - HAIR) * step, step };
}

/** Every round number of a scale, the lowest first. */
export const ticksOf = ({ min, max, step }: Scale): readonly number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => Number((min + index * step).toPrecision(12)));

/** Undefined where there is no value at all. */
export function extentOf(values: readonly number[]): Extent | undefined {
  if (values.length === 0) return undefined;
  return values.reduce<Extent>(({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }), {
    low: Infinity,
    high: -Infinity,
  });
}
