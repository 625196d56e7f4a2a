/** Formats values for axes and labels. */
import type { ChartUnit } from '../chat/chart.js';
import { amount, percent, price, usd } from '../domain/format.js';
import { decimal } from '../domain/scalars.js';
import type { Scale } from './scale.js';

const MEASURES = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'K'],
] as const;

/** All ticks have the same unit and decimals. */
export function axisText(unit: ChartUnit, { min, max, step }: Scale): (value: number) => string {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const [from, word] = unit === 'percent' ? [1, ''] : (MEASURES.find(([size]) => largest >= size) ?? [1, '']);
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

/** Prices below $1,000 keep the decimals they need. */
export function valueText(unit: ChartUnit, value: number): string {
  const exact = decimal(Number(value.toPrecision(12)));
  if (unit === 'percent') return percent(exact);
  if (unit === 'usd') return Math.abs(value) < 1_000 ? price(exact) : usd(exact);
  return amount(exact);
}
