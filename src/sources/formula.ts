/** A recorded calculation as a formula of exact values, such as `(0.5848 / 0.494 − 1) × 100`. Pure. */
import type { Calculation } from '../domain/calculations.js';
import { isNegative, isZero, sum } from '../domain/decimal.js';
import { decimal } from '../domain/scalars.js';

export interface FormulaDeps {
  readonly calculations: ReadonlyMap<string, Calculation>;
  /** Values that are not taken apart. */
  readonly isInput: (value: string) => boolean;
}

export interface Formula {
  readonly text: string;
  /** The exact values in it, each once. */
  readonly values: readonly string[];
  /** Those of them that are sums of too many values to write out, with their number. */
  readonly sums: ReadonlyMap<string, number>;
}

/** Operands that are written out; of more, the sum and the count. */
const MAX_TERMS = 40;
const MAX_DEPTH = 60;
const MAX_PARTS = 200;

/** How tightly the outermost operator binds. */
const SUM = 1;
const PRODUCT = 2;
const ATOM = 3;
interface Term {
  readonly text: string;
  readonly binds: number;
}

/** Undefined where nothing was recorded. Of a long one only the last operation, on the results of the others. */
export function formulaOf(value: string, deps: FormulaDeps): Formula | undefined {
  if (deps.isInput(value) || !deps.calculations.has(value)) return undefined;
  return written(value, deps, MAX_DEPTH) ?? written(value, deps, 1);
}

function written(value: string, { calculations, isInput }: FormulaDeps, maxDepth: number): Formula | undefined {
  const values = new Set<string>();
  const sums = new Map<string, number>();
  let parts = 0;

  function termOf(of: string, within: readonly string[]): Term {
    parts += 1;
    const isTaken = parts <= MAX_PARTS && within.length < maxDepth && !within.includes(of) && !isInput(of);
    const calculation = isTaken ? calculations.get(of) : undefined;
    const isLong = within.length > 0 && calculation?.operation === 'sum' && calculation.operands.length > MAX_TERMS;
    if (isLong) sums.set(of, calculation.operands.length);
    if (calculation !== undefined && !isLong) return calculated(calculation, [...within, of]);
    values.add(of);
    return of.startsWith('-') ? { text: signed(of), binds: SUM } : { text: of, binds: ATOM };
  }

  function calculated({ operation, operands }: Calculation, within: readonly string[]): Term {
    const [a = '0', b = '0'] = operands;
    const term = (one: string, binds = 0): string => {
      const { text, binds: own } = termOf(one, within);
      return own < binds ? `(${text})` : text;
    };
    const total = (): string => operands.map((one) => term(one, PRODUCT)).join(' + ');
    switch (operation) {
      case 'add':
        return { text: `${term(a)} + ${term(b, PRODUCT)}`, binds: SUM };
      case 'subtract':
        return { text: `${term(a)} − ${term(b, PRODUCT)}`, binds: SUM };
      case 'multiply':
        return { text: `${term(a, PRODUCT)} × ${term(b, ATOM)}`, binds: PRODUCT };
      case 'divide':
        return { text: `${term(a, PRODUCT)} / ${term(b, ATOM)}`, binds: PRODUCT };
      case 'change':
        return isNegative(decimal(a)) || isZero(decimal(a))
          ? { text: `(${term(b)} − ${term(a, PRODUCT)}) / abs(${term(a)}) × 100`, binds: PRODUCT }
          : { text: `(${term(b, PRODUCT)} / ${term(a, ATOM)} − 1) × 100`, binds: PRODUCT };
      case 'sum':
        if (operands.length > MAX_TERMS) return { text: `sum of ${operands.length} values`, binds: ATOM };
        return operands.length === 1 ? termOf(a, within) : { text: total(), binds: SUM };
      case 'mean':
        return { text: `${operands.length > MAX_TERMS ? manyOf(operands) : `(${total()})`} / ${operands.length}`, binds: PRODUCT };
      case 'absolute':
        return { text: `abs(${term(a)})`, binds: ATOM };
      case 'negate':
        return { text: `−${term(a, ATOM)}`, binds: SUM };
      case 'round':
        return { text: `round(${term(a)}, ${b})`, binds: ATOM };
    }
  }

  function manyOf(operands: readonly string[]): string {
    const all = sum(operands.map((one) => decimal(one)));
    sums.set(all, operands.length);
    return signed(all);
  }

  const { text } = termOf(value, []);
  return parts > MAX_PARTS && maxDepth > 1 ? undefined : { text, values: [...values], sums };
}

const signed = (value: string): string => value.replace(/^-/u, '−');
