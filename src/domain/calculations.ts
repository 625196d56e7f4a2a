/** Records what is computed and formatted during a question, so that its reply can show how (decision 24). */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RecentMap } from '../base/bounded-cache.js';

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide' | 'change' | 'sum' | 'mean' | 'absolute' | 'negate' | 'round';

/** Pairs a value with the latest calculation that gave it. */
export interface ComputedValue {
  readonly value: string;
  readonly calculation?: Calculation | undefined;
}

export interface Calculation {
  readonly operation: Operation;
  readonly operands: readonly string[];
  /** This holds the calculation of each operand, and is empty for more than `MAX_TERMS` operands. */
  readonly from: readonly (Calculation | undefined)[];
}

export interface CalculationLog {
  /** The key is the exact result; a later calculation with the same result replaces an earlier one. */
  readonly calculations: Map<string, Calculation>;
  /** The key is the text that shows the values. */
  readonly shown: Map<string, readonly ComputedValue[]>;
  /** A question can end while some of its work goes on, which must record nothing more. */
  isOver: boolean;
}

/** A formula writes out at most so many operands. */
export const MAX_TERMS = 40;
/** Beyond this number the oldest calculations are dropped. */
const MAX_CALCULATIONS = 20_000;
const MAX_TEXTS = 5_000;
const MAX_VALUES_OF_A_TEXT = 8;

const logs = new AsyncLocalStorage<CalculationLog>();

export const newCalculationLog = (): CalculationLog => ({ calculations: new RecentMap(MAX_CALCULATIONS), shown: new Map(), isOver: false });

const current = (): CalculationLog | undefined => {
  const log = logs.getStore();
  return log?.isOver === true ? undefined : log;
};

/** The log also receives what asynchronous work of this call computes. */
export const recordingCalculations = <T>(log: CalculationLog, work: () => T): T => logs.run(log, work);

let underWay = 0;

/**
 * Records one whole question and nothing after it. Between questions Node's hooks are off, because they cost every promise of the
 * process.
 */
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

/** Runs work of thousands of trials, whose calculations would fill the log. */
export const withoutRecording = <T>(work: () => T): T => logs.exit(work);

/** Records a calculation and returns its result; an operation that changes nothing is not recorded. */
export function calculated<T extends string>(result: T, operation: Operation, operands: readonly string[]): T {
  const calculations = current()?.calculations;
  if (calculations === undefined || operands.includes(result)) return result;
  const from = operands.length > MAX_TERMS ? [] : operands.map((one) => calculations.get(one));
  calculations.set(result, { operation, operands, from });
  return result;
}

/** Wraps a formatter so that the log learns which text shows which value. */
export const recordingTexts =
  <V extends string | undefined>(format: (value: V) => string): ((value: V) => string) =>
  (value) => {
    const text = format(value);
    return value === undefined ? text : shown(text, { value, calculation: current()?.calculations.get(value) });
  };

/** Wraps the formatter of a count, which must not be credited to a calculation that happens to have the same result. */
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
