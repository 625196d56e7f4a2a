/** This module writes a calculation as a formula of exact values, such as `(0.5848 / 0.494 − 1) × 100`. It is pure. */
import { MAX_TERMS, type Calculation, type ComputedValue } from '../domain/calculations.js';
import { isNegative, isZero, sum } from '../domain/decimal.js';
import { decimal } from '../domain/scalars.js';

export interface Formula {
  readonly text: string;
  /** The exact values in the formula, each once. */
  readonly values: readonly string[];
  /** Sums that are too long to write out, with the number of their terms. */
  readonly sums: ReadonlyMap<string, number>;
}

const MAX_DEPTH = 60;
const MAX_PARTS = 200;

/** Precedence of the outermost operator. */
const SUM = 1;
const PRODUCT = 2;
const ATOM = 3;
interface Term {
  readonly text: string;
  readonly binds: number;
}

/** Values that a formula does not expand: inputs, and inside a formula also values that the reply explains. */
export interface Atoms {
  readonly isInput: (value: string) => boolean;
  readonly isExplained?: (value: string) => boolean;
}

/** Returns a value's formula; undefined for an input. Of a long calculation only the last operation is written. */
export function formulaOf(shown: ComputedValue, atoms: Atoms): Formula | undefined {
  if (shown.calculation === undefined || atoms.isInput(shown.value)) return undefined;
  return written(shown, { ...atoms, maxDepth: MAX_DEPTH }) ?? written(shown, { ...atoms, maxDepth: 1 });
}

/** Writes the formula; undefined if it has too many parts. */
function written(shown: ComputedValue, { isInput, isExplained, maxDepth }: Atoms & { readonly maxDepth: number }): Formula | undefined {
  const values = new Set<string>();
  const sums = new Map<string, number>();
  let parts = 0;
  const isAtom = (value: string, depth: number): boolean => isInput(value) || (depth > 0 && isExplained?.(value) === true);

  function termOf({ value, calculation }: ComputedValue, depth: number): Term {
    parts += 1;
    if (calculation !== undefined && parts <= MAX_PARTS && depth < maxDepth && !isAtom(value, depth)) {
      if (depth === 0 || calculation.operation !== 'sum' || calculation.operands.length <= MAX_TERMS)
        return computed(calculation, depth + 1);
      sums.set(value, calculation.operands.length);
    }
    values.add(value);
    return value.startsWith('-') ? { text: signed(value), binds: SUM } : { text: value, binds: ATOM };
  }

  function computed({ operation, operands, from }: Calculation, depth: number): Term {
    const [a = '0', b = '0'] = operands;
    const term = (index: number, binds = 0): string => {
      const { text, binds: own } = termOf({ value: operands[index] ?? '0', calculation: from[index] }, depth);
      return own < binds ? `(${text})` : text;
    };
    const total = (): string => operands.map((_, index) => term(index, PRODUCT)).join(' + ');
    switch (operation) {
      case 'add':
        return { text: `${term(0)} + ${term(1, PRODUCT)}`, binds: SUM };
      case 'subtract':
        return { text: `${term(0)} − ${term(1, PRODUCT)}`, binds: SUM };
      case 'multiply':
        return { text: `${term(0, PRODUCT)} × ${term(1, ATOM)}`, binds: PRODUCT };
      case 'divide':
        return { text: `${term(0, PRODUCT)} / ${term(1, ATOM)}`, binds: PRODUCT };
      case 'change':
        return isNegative(decimal(a)) || isZero(decimal(a))
          ? { text: `(${term(1)} − ${term(0, PRODUCT)}) / abs(${term(0)}) × 100`, binds: PRODUCT }
          : { text: `(${term(1, PRODUCT)} / ${term(0, ATOM)} − 1) × 100`, binds: PRODUCT };
      case 'sum':
        return operands.length > MAX_TERMS ? { text: `sum of ${operands.length} values`, binds: ATOM } : { text: total(), binds: SUM };
      case 'mean':
        return { text: `${operands.length > MAX_TERMS ? manyOf(operands) : `(${total()})`} / ${operands.length}`, binds: PRODUCT };
      case 'absolute':
        return { text: `abs(${term(0)})`, binds: ATOM };
      case 'negate':
        return { text: `−${term(0, ATOM)}`, binds: SUM };
      case 'round':
        return { text: `round(${term(0)}, ${b})`, binds: ATOM };
    }
  }

  function manyOf(operands: readonly string[]): string {
    const all = sum(operands.map((one) => decimal(one)));
    sums.set(all, operands.length);
    values.add(all);
    return signed(all);
  }

  const { text } = termOf(shown, 0);
  return parts > MAX_PARTS && maxDepth > 1 ? undefined : { text, values: [...values], sums };
}

const signed = (value: string): string => value.replace(/^-/u, '−');
