/** Records the calculations and formatted values of a question, so that its reply can show how figures were computed (decision 24). */
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
  /** The calculation of each operand; empty for more than `MAX_TERMS` operands. */
  readonly from: readonly (Calculation | undefined)[];
}

export interface CalculationLog {
  /** The key is the exact result. A later calculation with the same result replaces an earlier one. */
  readonly calculations: Map<string, Calculation>;
  /** The values behind each formatted text. */
  readonly shown: Map<string, readonly ComputedValue[]>;
  /** Set when the question has ended. Work that is still running must not record anything then. */
  isOver: boolean;
}

/** The most operands that a formula shows. */
export const MAX_TERMS = 40;
/** Above this number the oldest calculations are dropped. */
const MAX_CALCULATIONS = 20_000;
const MAX_TEXTS = 5_000;
const MAX_VALUES_OF_A_TEXT = 8;

const logs = new AsyncLocalStorage<CalculationLog>();

export const newCalculationLog = (): CalculationLog => ({ calculations: new RecentMap(MAX_CALCULATIONS), shown: new Map(), isOver: false });

const current = (): CalculationLog | undefined => {
  const log = logs.getStore();
  return log?.isOver === true ? undefined : log;
};

/** Runs work and records its calculations, including asynchronous ones. */
export const recordingCalculations = <T>(log: CalculationLog, work: () => T): T => logs.run(log, work);

let underWay = 0;

/**
 * Records the calculations of one question. Between questions Node's async hooks are off, because they slow down every promise of the
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

/** Runs work without recording. Needed for thousands of trials, which would fill the log. */
export const withoutRecording = <T>(work: () => T): T => logs.exit(work);

/** Records a calculation and returns its result. An operation that changes nothing is not recorded. */
export function calculated<T extends string>(result: T, operation: Operation, operands: readonly string[]): T {
  const calculations = current()?.calculations;
  if (calculations === undefined || operands.includes(result)) return result;
  const from = operands.length > MAX_TERMS ? [] : operands.map((one) => calculations.get(one));
  calculations.set(result, { operation, operands, from });
  return result;
}

/** Wraps a formatter so that the log records which text shows which value. */
export const recordingTexts =
  <V extends string | undefined>(format: (value: V) => string): ((value: V) => string) =>
  (value) => {
    const text = format(value);
    return value === undefined ? text : shown(text, { value, calculation: current()?.calculations.get(value) });
  };

/** Wraps the formatter of counts: a count must not be attributed to a calculation that happens to have the same result. */
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
