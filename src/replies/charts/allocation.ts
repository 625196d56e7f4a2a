/** The picture of what a treasury consists of, in shares of its value. Pure. */
import type { ChartDraft } from '../../chat/chart.js';
import { compare } from '../../domain/decimal.js';
import { decimal, type Decimal } from '../../domain/scalars.js';

export interface AllocationSlice {
  readonly name: string;
  /** USD; unknown where there is no price. */
  readonly value?: Decimal | undefined;
}

export interface AllocationWords {
  readonly title: string;
  /** What the whole leaves out. */
  readonly subtitle?: string | undefined;
}

const ZERO = decimal('0');

/** Undefined for fewer than two parts: one part alone is no division. A value of zero or less is no part of a whole. */
export function allocationChart(holdings: readonly AllocationSlice[], { title, subtitle }: AllocationWords): ChartDraft | undefined {
  const parts = holdings.flatMap(({ name, value }) =>
    value === undefined || compare(value, ZERO) <= 0 ? [] : [{ name, value: Number(value) }],
  );
  return parts.length < 2 ? undefined : { kind: 'shares', title, subtitle, unit: 'usd', parts };
}
