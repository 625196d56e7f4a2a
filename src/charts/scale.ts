/** Computes scales with round steps, and writes the values of axes and labels. */
import type { ChartUnit } from '../chat/chart.js';
import { amount, percent, points, price, usd } from '../domain/format.js';
import { decimal } from '../domain/scalars.js';

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const STEPS = [1, 2, 2.5, 5, 10];
/** The tolerance for rounding errors. */
const HAIR = 1e-9;
/** Smaller values count as zero. */
const MIN_MAGNITUDE = 1e-20;

export interface Extent {
  readonly low: number;
  readonly high: number;
}

export interface ScaleOptions {
  /** Whether the scale includes zero. Bars and areas would be misleading without it. */
  readonly zero: boolean;
  /** The approximate number of steps; it is exceeded by at most one. */
  readonly steps: number;
  /** Allows only whole steps, for counts. */
  readonly whole?: boolean;
  /** The space above and below the values, as a fraction of the range. */
  readonly margin?: number;
}

/** Returns the smallest scale that fits. */
export function scaleOf(extent: Extent | undefined, { zero, steps, whole = false, margin = 0 }: ScaleOptions): Scale {
  if (extent === undefined) return { min: 0, max: 1, step: 1 };
  const pad = (extent.high - extent.low) * margin;
  let low = zero && extent.low >= 0 ? 0 : extent.low - pad;
  let high = zero && extent.high <= 0 ? 0 : extent.high + pad;
  // The margin must not extend a scale of non-negative values below zero.
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

/** Returns undefined if there are no values. */
export function extentOf(values: readonly number[]): Extent | undefined {
  if (values.length === 0) return undefined;
  return values.reduce<Extent>(({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }), {
    low: Infinity,
    high: -Infinity,
  });
}

const MEASURES = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'K'],
] as const;

/** Makes a formatter that gives all ticks the same unit and decimals. */
export function axisText(unit: ChartUnit, { min, max, step }: Scale): (value: number) => string {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const [from, word] = unit === 'percent' || unit === 'points' ? [1, ''] : (MEASURES.find(([size]) => largest >= size) ?? [1, '']);
  const size = from === 1e4 ? 1e3 : from;
  const decimals = decimalsOf(step / size);
  const write = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (value) => {
    const digits = write.format(Math.abs(value) / size);
    const sign = value < 0 && /[1-9]/u.test(digits) ? '−' : '';
    if (/^[0.]+$/u.test(digits)) return unit === 'usd' ? '$0' : unit === 'percent' ? '0%' : '0';
    return `${sign}${unit === 'usd' ? '$' : ''}${digits}${word}${unit === 'percent' ? '%' : ''}`;
  };
}

function decimalsOf(step: number): number {
  const [digits = '', power = '0'] = step.toExponential(3).split('e');
  const significant = digits.replace(/\.?0+$/u, '').replace('.', '').length;
  return Math.min(12, Math.max(0, significant - 1 - Number(power)));
}

/** Writes a value. Prices below $1,000 keep the decimals they need. */
export function valueText(unit: ChartUnit, value: number): string {
  const exact = decimal(Number(value.toPrecision(12)));
  if (unit === 'percent') return percent(exact);
  if (unit === 'points') return points(exact);
  if (unit === 'usd') return Math.abs(value) < 1_000 ? price(exact) : usd(exact);
  return amount(exact);
}
