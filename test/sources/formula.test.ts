import { expect, test } from 'vitest';
import { newCalculationLog, recordingCalculations } from '../../src/domain/calculations.js';
import { absolute, add, divide, mean, multiply, negate, percentChange, roundTo, subtract, sum } from '../../src/domain/decimal.js';
import { decimal, fromRaw, type Decimal } from '../../src/domain/scalars.js';
import { formulaOf, type Formula } from '../../src/sources/formula.js';
import { evaluate } from '../support/evaluate.js';

const [a, b, c] = [decimal('0.5848'), decimal('0.494'), decimal('-3.25')];
const INPUTS = new Set<string>([a, b, c, '1234567']);

function computed(work: () => Decimal | undefined): { readonly value: Decimal; readonly formula: Formula | undefined } {
  const log = newCalculationLog();
  const value = recordingCalculations(log, work);
  if (value === undefined) throw new Error('no value');
  return { value, formula: formulaOf({ value, calculation: log.calculations.get(value) }, { isInput: (one) => INPUTS.has(one) }) };
}

test('a premium is the price over the NAV per share, less one', () => {
  const { value, formula } = computed(() => percentChange(b, a));
  expect(formula).toEqual({ text: '(0.5848 / 0.494 − 1) × 100', values: ['0.5848', '0.494'], sums: new Map() });
  expect(Number(value)).toBeCloseTo(18.38, 2);
});

test.each([
  ['a sum of differences', () => sum([subtract(a, b), subtract(b, c), a])],
  ['a difference of differences', () => subtract(a, subtract(b, c))],
  ['a quotient of a quotient', () => divide(a, divide(b, c) ?? a)],
  ['a product of sums', () => multiply(add(a, b), add(b, c))],
  ['a change from a negative value', () => percentChange(c, a)],
  ['a change from a computed negative value', () => percentChange(subtract(b, a), c)],
  ['a mean', () => mean([a, b, c])],
  ['a negated difference', () => negate(subtract(a, c))],
  ['a size', () => absolute(subtract(b, a))],
  ['a rounded share', () => roundTo(divide(multiply(a, decimal('100')), b) ?? a, 1)],
  ['an amount in the smallest unit', () => fromRaw(1_234_567n, 6)],
  ['a mean of many', () => mean(Array.from({ length: 90 }, (_, index) => decimal(index * index + 0.5)))],
])('the formula of %s gives its value', (_, work) => {
  const { value, formula } = computed(work);
  expect(
    evaluate(formula?.text ?? '')
      .minus(value)
      .abs()
      .lt('1e-30'),
  ).toBe(true);
});

test('a value of the service is no calculation, and an operation that changes nothing is none either', () => {
  expect(computed(() => add(b, decimal('0'))).formula).toBeUndefined();
  expect(computed(() => absolute(a)).formula).toBeUndefined();
});

test('a value that two calculations give has the later one, and a formula made before keeps the earlier', () => {
  const log = newCalculationLog();
  const [first, second] = recordingCalculations(log, () => {
    const half = divide(decimal('8.5'), decimal('2'))!;
    const before = multiply(half, decimal('3'));
    subtract(decimal('5'), decimal('0.75'));
    return [before, multiply(half, decimal('7'))] as const;
  });
  const texts = [first, second].map(
    (value) => formulaOf({ value, calculation: log.calculations.get(value) }, { isInput: () => false })?.text,
  );
  expect(texts).toEqual(['8.5 / 2 × 3', '(5 − 0.75) × 7']);
});

test('a formula with too many parts is written on the results of its parts', () => {
  const { formula } = computed(() =>
    sum(Array.from({ length: 30 }, (_, row) => sum(Array.from({ length: 30 }, (__, index) => decimal(1 + row * 31 + index * 0.5))))),
  );
  expect(formula?.values).toHaveLength(30);
});

test('outside of a question nothing is recorded', () => {
  const log = newCalculationLog();
  recordingCalculations(log, () => undefined);
  percentChange(b, a);
  expect(log.calculations.size).toBe(0);
});
