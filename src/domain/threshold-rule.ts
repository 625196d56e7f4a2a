/** Defines the schemas, ranges and wording of threshold rules. `measures.ts` has what differs between measures. */
import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '../base/clock.js';
import { absolute, add, compare, subtract } from './decimal.js';
import { exact } from './format.js';
import {
  CHANGE_MEASURES,
  defaultHysteresis,
  FLIP_MEASURES,
  hysteresisWords,
  isJoinable,
  JOINABLE_MEASURES,
  LASTING_MEASURES,
  MEASURE_NAMES,
  MEASURES,
  SIZE_RANGES,
  THRESHOLD_MEASURES,
  thresholdOf,
  written,
  type FlipMeasure,
  type Measure,
  type ValueRange,
  type ThresholdMeasure,
} from './measures.js';
import { decimal, decimalSchema, instantSchema, type Decimal } from './scalars.js';

export const measureSchema = z.enum(MEASURE_NAMES);

/** A range with its name: an error about it begins with `what`. */
export interface Quantity extends ValueRange {
  readonly what: string;
}

export const QUANTITY = {
  usd: { what: 'The minimum amount', ...SIZE_RANGES.usd },
  percent: { what: 'The minimum percentage', ...SIZE_RANGES.percent },
  days: { what: 'The length of an extreme', least: '2', most: '365', unit: 'days' },
  zScore: { what: 'A z-score', least: '1', most: '6', unit: '' },
  line: (measure: ThresholdMeasure): Quantity => ({
    ...thresholdOf(measure),
    what: `${MEASURES[measure].name.startsWith('a') ? 'An' : 'A'} ${MEASURES[measure].name} threshold`,
  }),
  hysteresis: (measure: ThresholdMeasure): Quantity => ({
    ...thresholdOf(measure).hysteresis,
    what: `The re-arm distance of ${MEASURES[measure].name}`,
  }),
  move: (measure: Measure): Quantity => ({ ...MEASURES[measure].move, what: `A move of ${MEASURES[measure].name}` }),
} as const satisfies Record<string, Quantity | ((measure: never) => Quantity)>;

const allowed = ({ what, ...range }: Quantity): string =>
  `${what} must be between ${written(decimal(range.least), range.unit)} and ${written(decimal(range.most), range.unit)}.`;

const inside = (value: Decimal, { least, most }: ValueRange): boolean =>
  compare(value, decimal(least)) >= 0 && compare(value, decimal(most)) <= 0;

const within = (quantity: Quantity) =>
  z
    .string({ error: allowed(quantity) })
    .refine((text) => decimalSchema.safeParse(text).success && inside(decimal(text), quantity), { error: allowed(quantity) })
    .pipe(decimalSchema);

export const leastUsdSchema = within(QUANTITY.usd);
export const leastPercentSchema = within(QUANTITY.percent);

function perMeasure<M, S>(measures: readonly M[], schemaOf: (measure: M) => S): [S, ...S[]] {
  const [first, ...rest] = measures.map(schemaOf);
  if (first === undefined) throw new Error('domain: a kind of rule has no measure');
  return [first, ...rest];
}

/** A rule can end after its first alert or at a given moment. */
const lifetime = {
  once: z.literal(true).optional(),
  until: instantSchema.optional(),
  /** The only topic that the rule watches, such as the public key of a proposal. By default all topics of the subject. */
  only: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/u, 'Name the proposal by its public key.')
    .optional(),
};

/** Limits of the time of a move, in milliseconds. Checks are too far apart to measure a shorter one. */
const MOVE_WITHIN = { least: 10 * MINUTE, most: DAY } as const;

/** Limits of how long a value must last, in milliseconds. Checks are too far apart for less; more is a report and not an alert. */
export const LASTS = { least: 10 * MINUTE, most: 30 * DAY } as const;
const LASTS_TIME = 'A value must hold for 10 minutes to 30 days, such as "premium<-10 for 6h".';

const lastsSchema = (measure: ThresholdMeasure) =>
  z
    .int()
    .min(LASTS.least, LASTS_TIME)
    .max(LASTS.most, LASTS_TIME)
    .optional()
    .refine((time) => time === undefined || !MEASURES[measure].each, {
      error: `Every single ${measure} counts by itself, so none lasts; leave out "for".`,
    });

/** A single threshold of a rule. */
export interface Condition {
  readonly when: 'above' | 'below';
  readonly measure: ThresholdMeasure;
  readonly threshold: Decimal;
  readonly hysteresis: Decimal;
}

const conditionSchema = z.discriminatedUnion(
  'measure',
  perMeasure(JOINABLE_MEASURES, (measure) =>
    z.object({
      when: z.enum(['above', 'below']),
      measure: z.literal(measure),
      threshold: within(QUANTITY.line(measure)),
      hysteresis: within(QUANTITY.hysteresis(measure)),
    }),
  ),
);

export const MAX_CONDITIONS = 4;
const placeOf = (measure: Measure): number => MEASURE_NAMES.indexOf(measure);

/** Requires each measure at most once and in the order of the table, so that rules with the same meaning are equal. */
const isInOrder = (measures: readonly Measure[]): boolean =>
  measures.every((measure, at) => isJoinable(measure) && (at === 0 || placeOf(measure) > placeOf(measures[at - 1] ?? measure)));

const andSchema = (measure: ThresholdMeasure) =>
  z
    .array(conditionSchema)
    .min(1)
    .max(MAX_CONDITIONS - 1, `A rule joins at most ${MAX_CONDITIONS} conditions.`)
    .readonly()
    .optional()
    .refine((others) => others === undefined || isInOrder([measure, ...others.map((one) => one.measure)]), {
      error: `The conditions of a rule are of different measures, in this order: ${JOINABLE_MEASURES.join(', ')}.`,
    });

/**
 * `hysteresis` is how far the value must return before the rule alerts again; `lasts` is how long it must be beyond before it alerts (ms). The
 * conditions of `and` must hold at the same time.
 */
export const lineRuleSchema = z.discriminatedUnion(
  'measure',
  perMeasure(THRESHOLD_MEASURES, (measure) =>
    z.object({
      when: z.enum(['above', 'below']),
      measure: z.literal(measure),
      threshold: within(QUANTITY.line(measure)),
      hysteresis: within(QUANTITY.hysteresis(measure)),
      lasts: lastsSchema(measure),
      and: andSchema(measure),
      ...lifetime,
    }),
  ),
);
const MOVE_TIME = 'A move is watched over 10 minutes to 24 hours, such as "margin move 3 in 1h".';

const withinSchema = (measure: Measure) =>
  z
    .int()
    .min(MOVE_WITHIN.least, MOVE_TIME)
    .max(MOVE_WITHIN.most, MOVE_TIME)
    .optional()
    .refine((time) => time === undefined || MEASURES[measure].recent, {
      error: `A move of ${MEASURES[measure].name} counts since the last alert; leave out the time.`,
    });

/** A move since the last alerted value, or within a time. */
const moveSchema = z.discriminatedUnion(
  'measure',
  perMeasure(MEASURE_NAMES, (measure) =>
    z.object({
      when: z.literal('move'),
      measure: z.literal(measure),
      by: within(QUANTITY.move(measure)),
      within: withinSchema(measure),
      ...lifetime,
    }),
  ),
);
const lastingMeasure = z.enum(LASTING_MEASURES);

export const thresholdRuleSchema = z.discriminatedUnion('when', [
  lineRuleSchema,
  moveSchema,
  z.object({ when: z.literal('change'), measure: z.enum(CHANGE_MEASURES), ...lifetime }),
  /** Alerts when the sign differs from that of the last alerted value, or of the first one. */
  z.object({ when: z.literal('flip'), measure: z.enum(FLIP_MEASURES), ...lifetime }),
  /** Alerts of an extreme of `days` that is beyond the last alerted extreme. */
  z.object({
    when: z.literal('extreme'),
    measure: lastingMeasure,
    days: within(QUANTITY.days).refine(isWhole, { error: 'The length of an extreme must be whole days.' }),
    ...lifetime,
  }),
  /** Alerts of a distance from the mean of the measure's own year, to either side. */
  z.object({ when: z.literal('z-score'), measure: lastingMeasure, least: within(QUANTITY.zScore), ...lifetime }),
]);
export type ThresholdRule = z.infer<typeof thresholdRuleSchema>;
export type LineRule = z.infer<typeof lineRuleSchema>;

function isWhole(text: Decimal): boolean {
  return !text.includes('.');
}

/** Returns the error for a threshold that can never be crossed again. */
export function neverCrossed(rule: ThresholdRule): string | undefined {
  if (!('threshold' in rule)) return undefined;
  return conditionsOf(rule)
    .map(neverMet)
    .find((says) => says !== undefined);
}

function neverMet(rule: Condition): string | undefined {
  const { when, measure, threshold: line, hysteresis } = rule;
  const { name } = MEASURES[measure];
  const [least, most] = [decimal(thresholdOf(measure).least), decimal(thresholdOf(measure).most)];
  const [first, last] = when === 'below' ? [least, most] : [most, least];
  const how = compare(line, first) === 0 ? 'never' : compare(line, last) === 0 ? 'always' : undefined;
  if (how !== undefined) return `${name} is ${how} ${when} ${lineWords(measure, line)}, so this threshold can never be crossed.`;
  const room = absolute(subtract(last, line));
  // A value that only touches the end of its range, such as a runway of 0, is as good as never back.
  if (compare(hysteresis, room) < 0 || (when === 'below' && compare(hysteresis, room) === 0)) return undefined;
  const [side, end] = when === 'below' ? ['above', 'highest'] : ['below', 'lowest'];
  return `It would re-arm only ${side} ${lineWords(measure, backLevel(rule))}, but the ${end} possible value is ${lineWords(measure, last)}. Choose a re-arm distance ("band") of ${when === 'below' ? 'at most' : 'less than'} ${hysteresisWords(measure, room)}.`;
}

/** How far the z-score must return before the same side alerts again. */
export const Z_HYSTERESIS = decimal('0.5');

/** Returns "−10%", "6 months", "$5,000,000". */
export const lineWords = (measure: LineRule['measure'], value: Decimal): string => written(value, thresholdOf(measure).unit);
/** Returns "5 points", "10%", "3 places". */
export const moveWords = (measure: Measure, value: Decimal): string => written(value, MEASURES[measure].move.unit);

/** Returns the rule's own condition, then the joined ones. */
export const conditionsOf = (rule: LineRule): readonly [Condition, ...Condition[]] => [rule, ...(rule.and ?? [])];

/** Returns every measure of the rule. */
export const measuresIn = (rule: ThresholdRule): readonly Measure[] =>
  'threshold' in rule ? conditionsOf(rule).map(({ measure }) => measure) : [rule.measure];

/** Returns "premium below −20%". */
export const conditionWords = ({ measure, when, threshold }: Condition): string =>
  `${MEASURES[measure].name} ${when} ${lineWords(measure, threshold)}`;

const rearmWords = (one: Condition): string => ` (re-arms ${rearmSide(one)} ${lineWords(one.measure, backLevel(one))})`;

/** Returns "premium below −20% for 6 h (re-arms above −18%)". After joined conditions the time comes last, because it applies to all. */
export function thresholdWords(rule: ThresholdRule): string {
  const { name, move } = MEASURES[rule.measure];
  switch (rule.when) {
    case 'above':
    case 'below':
      if (MEASURES[rule.measure].each) return conditionWords(rule);
      if (rule.and === undefined) return `${conditionWords(rule)}${lastsWords(rule)}${rearmWords(rule)}`;
      return `${conditionsOf(rule)
        .map((one) => `${conditionWords(one)}${rearmWords(one)}`)
        .join(' and ')}${lastsWords(rule)}`;
    case 'move':
      return `${name} moves by ${written(rule.by, move.unit)}${rule.within === undefined ? '' : ` within ${timeWords(rule.within)}`}`;
    case 'change':
      return `${name} changes`;
    case 'flip':
      return `${name} flips`;
    case 'extreme':
      return `${name} at a new extreme of ${exact(rule.days)} days`;
    case 'z-score':
      return `${name} with a z-score of at least ${exact(rule.least)}`;
  }
}

/** Returns "premium below -10 band 2". The key is stored, so its form must never change. */
export function thresholdKey(rule: ThresholdRule): string {
  const { name } = MEASURES[rule.measure];
  switch (rule.when) {
    case 'above':
    case 'below':
      return `${conditionsOf(rule).map(conditionKey).join(' and ')}${rule.lasts === undefined ? '' : ` for ${rule.lasts / MINUTE} min`}`;
    case 'move':
      return `${name} moves by ${rule.by}${rule.within === undefined ? '' : ` within ${rule.within}`}`;
    case 'change':
      return `${name} changes`;
    case 'flip':
      return `${name} flips`;
    case 'extreme':
      return `${name} at a new extreme of ${rule.days}`;
    case 'z-score':
      return `${name} with a z-score of at least ${rule.least}`;
  }
}

const conditionKey = ({ measure, when, threshold, hysteresis }: Condition): string =>
  `${MEASURES[measure].name} ${when} ${threshold} band ${hysteresis}`;

/** Returns "1 h" or "90 min". Never rounded, because the text is parsed back. */
export const timeWords = (time: number): string => (time % HOUR === 0 ? `${time / HOUR} h` : `${time / MINUTE} min`);

/** Returns "3 d", "6 h" or "90 min". Never rounded, because the text is parsed back. */
export const lastsTime = (time: number): string => (time % DAY === 0 ? `${time / DAY} d` : timeWords(time));

const lastsWords = ({ lasts }: Pick<LineRule, 'lasts'>): string => (lasts === undefined ? '' : ` for ${lastsTime(lasts)}`);

/** How far from 0 the value must have been, at the alert of a flip or since, before the rule alerts again. */
export const flipHysteresis = (measure: FlipMeasure): Decimal => defaultHysteresis(measure, decimal('0'));

export const rearmSide = ({ when }: Pick<Condition, 'when'>): 'above' | 'below' => (when === 'below' ? 'above' : 'below');
export const backLevel = ({ when, threshold, hysteresis }: Condition): Decimal =>
  when === 'below' ? add(threshold, hysteresis) : subtract(threshold, hysteresis);

/** Tells whether the value is beyond the threshold. */
export const isMet = ({ when, threshold }: Condition, value: Decimal): boolean =>
  when === 'below' ? compare(value, threshold) < 0 : compare(value, threshold) > 0;

/** Tells whether the value has returned by the hysteresis. */
export const isBack = (condition: Condition, value: Decimal): boolean =>
  condition.when === 'below' ? compare(value, backLevel(condition)) >= 0 : compare(value, backLevel(condition)) <= 0;

export const usdWords = (value: Decimal): string => `at least ${written(value, SIZE_RANGES.usd.unit)}`;
export const percentWords = (value: Decimal): string => `at least ${written(value, SIZE_RANGES.percent.unit)}`;
