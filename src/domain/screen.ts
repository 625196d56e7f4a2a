/** A saved screen is a filter of projects by values that checks read. Its text, such as `premium<-20 runway>12`, is its identity. */
import { z } from 'zod';
import { add, compare, negate, subtract } from './decimal.js';
import { MEASURES, defaultHysteresis, type Measure, type ThresholdMeasure } from './measures.js';
import { decimal, type Decimal } from './scalars.js';

/** The fields of `/screen` that checks measure. The other fields exist only in a list of the service, and lists never cause alerts. */
export const SCREEN_FIELDS = {
  premium: 'premium',
  discount: 'premium',
  price: 'price',
  runway: 'runway',
  treasury: 'nav',
  allowance: 'allowance',
} as const satisfies Record<string, ThresholdMeasure>;
export type ScreenField = keyof typeof SCREEN_FIELDS;

export const isScreenField = (name: string): name is ScreenField => Object.hasOwn(SCREEN_FIELDS, name);

export const MAX_SCREEN_TESTS = 4;
/** The most saved screens of a chat. */
export const MAX_SCREENS = 5;

const TEST = String.raw`(?:${Object.keys(SCREEN_FIELDS).join('|')})[<>]-?\d{1,18}(?:\.\d{1,18})?`;
export const screenFilterSchema = z.string().regex(new RegExp(`^${TEST}(?: ${TEST}){0,${MAX_SCREEN_TESTS - 1}}$`, 'u'));

export interface ScreenTest {
  readonly field: ScreenField;
  readonly measure: ThresholdMeasure;
  readonly when: 'below' | 'above';
  readonly threshold: Decimal;
  /** How far a value must be on the other side before the project leaves the screen. */
  readonly hysteresis: Decimal;
}

/** Parses the tests of a filter. A discount of more than 20 becomes a premium below −20. */
export const screenTests = (filter: string): readonly ScreenTest[] =>
  filter.split(' ').flatMap((word): readonly ScreenTest[] => {
    const [, field = '', sign = '', text = ''] = /^([a-z]+)([<>])(.+)$/u.exec(word) ?? [];
    if (!isScreenField(field)) return [];
    const measure = SCREEN_FIELDS[field];
    const isDiscount = field === 'discount';
    const threshold = isDiscount ? negate(decimal(text)) : decimal(text);
    const when = (sign === '<') === isDiscount ? 'above' : 'below';
    return [{ field, measure, when, threshold, hysteresis: defaultHysteresis(measure, threshold) }];
  });

/** Returns the alert kinds whose checks read the values of a screen. */
export const screenKinds = (filter: string): readonly string[] => [
  ...new Set(screenTests(filter).map(({ measure }) => MEASURES[measure].kind)),
];

export type ScreenValues = Readonly<Partial<Record<Measure, Decimal>>>;
export type ScreenMembership = 'in' | 'out';

/**
 * Tells whether a project is in the screen. An unknown value keeps the previous state; without one the state is unknown,
 * unless another test certainly fails.
 */
export function membershipOf(
  tests: readonly ScreenTest[],
  values: ScreenValues,
  before: ScreenMembership | undefined,
): ScreenMembership | undefined {
  const results = tests.map((test) => {
    const value = values[test.measure];
    return value === undefined ? undefined : holds(test, value, before === 'in');
  });
  if (results.every((one) => one === true)) return 'in';
  return results.includes(false) ? 'out' : before;
}

function holds({ when, threshold, hysteresis }: ScreenTest, value: Decimal, isIn: boolean): boolean {
  if (when === 'below') return isIn ? compare(value, add(threshold, hysteresis)) < 0 : compare(value, threshold) < 0;
  return isIn ? compare(value, subtract(threshold, hysteresis)) > 0 : compare(value, threshold) > 0;
}

/** Returns "premium −21.3%" or "discount 21.3%". */
export function screenValueText(field: ScreenField, value: Decimal): string {
  const measure = MEASURES[SCREEN_FIELDS[field]];
  return field === 'discount' ? `discount ${measure.brief(negate(value)).replace('+', '')}` : `${field} ${measure.brief(value)}`;
}
