/** What is computed and formatted while a question is answered, so that its reply can show how (decision 24). No effect outside of one. */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide' | 'change' | 'sum' | 'mean' | 'absolute' | 'negate' | 'round';

export interface Calculation {
  readonly operation: Operation;
  readonly operands: readonly string[];
}

export interface CalculationLog {
  /** By exact result. Equal results of different calculations are equally explained by either. */
  readonly calculations: Map<string, Calculation>;
  /** Exact values by the text that shows them. */
  readonly shown: Map<string, readonly string[]>;
}

/** The oldest go first: what a reply shows is computed last. */
const MAX_CALCULATIONS = 20_000;
const MAX_SHOWN = 5_000;

const logs = new AsyncLocalStorage<CalculationLog>();

export const newCalculationLog = (): CalculationLog => ({ calculations: new Map(), shown: new Map() });

/** Asynchronous work included. */
export const recordingCalculations = <T>(log: CalculationLog, work: () => T): T => logs.run(log, work);

/** The result. An operation that changes nothing is left out. */
export function calculated<T extends string>(result: T, operation: Operation, operands: readonly string[]): T {
  const calculations = logs.getStore()?.calculations;
  if (calculations === undefined || calculations.has(result) || operands.includes(result)) return result;
  calculations.set(result, { operation, operands });
  if (calculations.size > MAX_CALCULATIONS) calculations.delete(calculations.keys().next().value ?? result);
  return result;
}

/** The formatter, with its texts recorded. */
export const recordingTexts =
  <V extends string | undefined>(format: (value: V) => string): ((value: V) => string) =>
  (value) => {
    const text = format(value);
    const shown = logs.getStore()?.shown;
    if (shown === undefined || value === undefined || shown.size >= MAX_SHOWN) return text;
    const others = shown.get(text) ?? [];
    if (!others.includes(value)) shown.set(text, [...others, value]);
    return text;
  };
