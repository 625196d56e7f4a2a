/** This module lists candidate thresholds for suggestions, rarest alerts first. It is pure. */
import { absolute, compare, endsOf, isZero, subtract } from '../../domain/decimal.js';
import { defaultHysteresis, thresholdOf } from '../../domain/measures.js';
import { decimal, type Decimal } from '../../domain/scalars.js';
import { neverCrossed, thresholdRuleSchema, type LineRule, type ThresholdRule } from '../../domain/threshold-rule.js';
import { movedBy } from '../evaluation/position.js';
import { rulesSchema, type Rules } from '../rules/rule.js';

const MAX_STEPS = 64;
/** Significant digits of a threshold. USD values are closer together and need more. */
const DIGITS = 2;
const USD_DIGITS = 3;

export interface LadderValues {
  readonly measured: readonly Decimal[];
  readonly usd: readonly Decimal[];
  readonly percent: readonly Decimal[];
}

/** Returns variants of the rules with other thresholds; undefined unless exactly one threshold can vary. */
export function ladderOf(rules: Rules, values: LadderValues): readonly Rules[] | undefined {
  const [rule, ...others] = rules.thresholds;
  if (others.length > 0) return undefined;
  if (rule !== undefined)
    return Object.keys(rules.filters).some((name) => name !== 'back') ? undefined : thresholds(rule, values)?.map(alone);
  const { leastUsd, leastPercent, eitherSize: _, ...filters } = rules.filters;
  if (leastUsd !== undefined && leastPercent !== undefined) return undefined;
  const byPercent = leastPercent !== undefined || values.usd.length === 0;
  const sizes = descending(byPercent ? values.percent : values.usd);
  if (sizes.length === 0) return undefined;
  return sizes.flatMap((size): readonly Rules[] => {
    const made = rulesSchema.safeParse({ filters: { ...filters, [byPercent ? 'leastPercent' : 'leastUsd']: size }, thresholds: [] });
    return made.success ? [made.data] : [];
  });
}

const alone = (threshold: ThresholdRule): Rules => ({ filters: {}, thresholds: [threshold] });

function thresholds(rule: ThresholdRule, { measured }: LadderValues): readonly ThresholdRule[] | undefined {
  switch (rule.when) {
    case 'above':
    case 'below':
      return lines(rule, measured);
    case 'move':
      return valid(moves(rule.measure, measured).map((by) => ({ ...rule, by })));
    case 'change':
    case 'flip':
      return undefined;
    case 'extreme':
      return valid(EXTREME_DAYS.map((days) => ({ ...rule, days })));
    case 'z-score':
      return valid(Z_SCORES.map((least) => ({ ...rule, least })));
  }
}

const EXTREME_DAYS = [365, 300, 240, 180, 150, 120, 90, 75, 60, 45, 30, 25, 21, 14, 10, 7, 5, 3, 2].map(decimal);
/** The value falls from 4.0 to 1.0. */
const Z_SCORES = Array.from({ length: 31 }, (_, index) => decimal((40 - index) / 10));

function lines(rule: LineRule, measured: readonly Decimal[]): readonly ThresholdRule[] {
  const sorted = measured.toSorted(rule.when === 'below' ? compare : (a, b) => compare(b, a));
  const usual = compare(rule.hysteresis, defaultHysteresis(rule.measure, rule.threshold)) === 0;
  const half = spread(sorted.slice(0, Math.ceil(sorted.length / 2)));
  const digits = thresholdOf(rule.measure).unit === '$' ? USD_DIGITS : DIGITS;
  return valid(
    distinct(half.map((value) => rounded(value, digits))).map((threshold) => ({
      ...rule,
      threshold,
      hysteresis: usual ? defaultHysteresis(rule.measure, threshold) : rule.hysteresis,
    })),
  );
}

function moves(measure: ThresholdRule['measure'], measured: readonly Decimal[]): readonly Decimal[] {
  const [least, most] = endsOf(measured);
  if (least === undefined || most === undefined) return [];
  const steps = measured.flatMap((value, index) => {
    const before = measured[index - 1];
    const moved = before && movedBy(measure, before, value);
    return moved === undefined || isZero(moved) ? [] : [absolute(moved)];
  });
  const widest = movedBy(measure, least, most) ?? subtract(most, least);
  const [smallest] = endsOf(steps);
  if (smallest === undefined || isZero(widest)) return [];
  // The steps are in equal ratios, from the widest move to the smallest step.
  const [from, to] = [Math.log(Number(absolute(widest))), Math.log(Number(smallest))];
  return distinct(Array.from({ length: MAX_STEPS }, (_, index) => roundedNumber(Math.exp(from + ((to - from) * index) / (MAX_STEPS - 1)))));
}

const descending = (sizes: readonly Decimal[]): readonly Decimal[] =>
  distinct(spread(sizes.toSorted((a, b) => compare(b, a))).map((size) => rounded(size))).filter((size) => !isZero(size));

function spread(sorted: readonly Decimal[]): readonly Decimal[] {
  if (sorted.length <= MAX_STEPS) return sorted;
  return Array.from({ length: MAX_STEPS }, (_, index) => sorted[Math.round((index * (sorted.length - 1)) / (MAX_STEPS - 1))]).flatMap(
    (value) => value ?? [],
  );
}

const rounded = (value: Decimal, digits = DIGITS): Decimal => roundedNumber(Number(value), digits);
const roundedNumber = (value: number, digits = DIGITS): Decimal => decimal(Number(value.toPrecision(digits)));

const distinct = (values: readonly Decimal[]): readonly Decimal[] => [...new Set(values)];

const valid = (candidates: readonly unknown[]): readonly ThresholdRule[] =>
  candidates.flatMap((candidate) => {
    const rule = thresholdRuleSchema.safeParse(candidate);
    return rule.success && neverCrossed(rule.data) === undefined ? [rule.data] : [];
  });
