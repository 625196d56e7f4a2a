/** What is computed and formatted during a question, so that its reply can show how (decision 24). */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RecentMap } from '../base/bounded-cache.js';

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide' | 'change' | 'sum' | 'mean' | 'absolute' | 'negate' | 'round';

/** A value with the latest calculation that gave it. */
export interface ComputedValue {
  readonly value: string;
  readonly calculation?: Calculation | undefined;
}

export interface Calculation {
  readonly operation: Operation;
  readonly operands: readonly string[];
  /** The calculation of each operand; empty for more than `MAX_TERMS`. */
  readonly from: readonly (Calculation | undefined)[];
}

export interface CalculationLog {
  /** The latest by exact result. */
  readonly calculations: Map<string, Calculation>;
  /** The values by the text that shows them. */
  readonly shown: Map<string, readonly ComputedValue[]>;
  /** Work that goes on records nothing more. */
  isOver: boolean;
}

/** Operands that a formula writes out. */
export const MAX_TERMS = 40;
/** The oldest go first. */
const MAX_CALCULATIONS = 20_000;
const MAX_TEXTS = 5_000;
const MAX_VALUES_OF_A_TEXT = 8;

const logs = new AsyncLocalStorage<CalculationLog>();

export const newCalculationLog = (): CalculationLog => ({ calculations: new RecentMap(MAX_CALCULATIONS), shown: new Map(), isOver: false });

const current = (): CalculationLog | undefined => {
  const log = logs.getStore();
  return log?.isOver === true ? undefined : log;
};

/** Asynchronous work included. */
export const recordingCalculations = <T>(log: CalculationLog, work: () => T): T => logs.run(log, work);

let underWay = 0;

/** A whole question: nothing is recorded after it. Between questions Node's hooks are off, because they cost every promise of the process. */
export async function recordingQuestion<T>(log: CalculationLog, work: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await recordingCalculations(log, work);
  } finally {
    log.isOver = true;
    underWay -= 1;
    if (underWay === 0) logs.disable();
  }
}

/** Work of thousands of trials, which is not recorded. */
export const withoutRecording = <T>(work: () => T): T => logs.exit(work);

/** An operation that changes nothing is left out. */
export function calculated<T extends string>(result: T, operation: Operation, operands: readonly string[]): T {
  const calculations = current()?.calculations;
  if (calculations === undefined || operands.includes(result)) return result;
  const from = operands.length > MAX_TERMS ? [] : operands.map((one) => calculations.get(one));
  calculations.set(result, { operation, operands, from });
  return result;
}

/** The formatter, with its texts recorded. */
export const recordingTexts =
  <V extends string | undefined>(format: (value: V) => string): ((value: V) => string) =>
  (value) => {
    const text = format(value);
    return value === undefined ? text : shown(text, { value, calculation: current()?.calculations.get(value) });
  };

/** The formatter of a number of things, which no calculation with the same result gave. */
export const recordingCounts =
  (format: (count: number) => string): ((count: number) => string) =>
  (count) =>
    shown(format(count), { value: String(count) });

function shown(text: string, { value, calculation }: ComputedValue): string {
  const log = current();
  if (log === undefined || log.shown.size >= MAX_TEXTS) return text;
  const others = log.shown.get(text) ?? [];
  const isKnown = others.some((one) => one.value === value && one.calculation === calculation);
  if (!isKnown && others.length < MAX_VALUES_OF_A_TEXT) log.shown.set(text, [...others, { value, calculation }]);
  return text;
}
