/** Lists the measures of threshold rules, a row each. */
import { absolute, isNegative, multiply, roundKept, subtract } from './decimal.js';
import { exact, months, percent, pointsText, premium, price, share, usd } from './format.js';
import { MARKET_TABLE } from './market-measures.js';
import { DOLLARS, PERCENT, plain, written, type MeasureSpec, type Threshold } from './measure-spec.js';
import { decimal, type Decimal } from './scalars.js';

export { SIZE_RANGES, written, type Unit, type ValueRange } from './measure-spec.js';

/** The value is in percent of NAV/share. */
const premiumSpec = {
  ...plain,
  kind: 'premium',
  name: 'premium',
  threshold: {
    least: '-100',
    most: '10000',
    unit: '%',
    hysteresis: {
      least: '0.1',
      most: '100',
      unit: 'points',
      usual: { fixed: '2' },
      offered: ['1', '2', '5'],
      example: 'premium<-20 band 3',
    },
    examples: ['premium<-20', 'premium move 5', 'premium extreme 90d', 'premium z>2'],
    zero: { name: 'NAV', value: (value) => `a ${isNegative(value) ? 'discount' : 'premium'} of ${share(absolute(value))}` },
  },
  move: { least: '0.1', most: '10000', unit: 'points', by: 'difference', example: 'premium move 5' },
  value: premium,
  brief: percent,
  // If both values are on the same side, "NAV" is not repeated.
  before: (from, now) => (isNegative(from) === isNegative(now) ? premium(from).replace(/(?<= (?:below|above)) NAV$/u, '') : premium(from)),
  moved: (since, now) => ` by ${pointsText(absolute(subtract(now, since)))} against NAV`,
} satisfies MeasureSpec;

const runwaySpec = {
  ...plain,
  kind: 'treasury',
  overview: 'runway',
  name: 'runway',
  threshold: {
    least: '0',
    most: '1200',
    unit: 'months',
    hysteresis: { least: '0.1', most: '120', unit: 'months', usual: { fixed: '1' }, offered: ['1', '3'], example: 'runway<6 band 2' },
    examples: ['runway<6'],
    adjective: (threshold) => `${exact(threshold)}-month`,
  },
  move: { ...PERCENT, by: 'percent', example: 'runway move 10%' },
  value: months,
  brief: (value) => written(roundKept(value, 2), 'months'),
  before: (from) => months(from),
  subject: (who) => `${who}'s runway`,
} as const satisfies MeasureSpec;

/** The value is in USD. */
const navSpec = {
  ...plain,
  kind: 'treasury',
  overview: 'netAssetValue',
  name: 'NAV',
  threshold: {
    ...DOLLARS,
    least: '0',
    hysteresis: { ...DOLLARS, usual: { fixed: '10000' }, offered: [], example: 'nav<5m band 50k' },
    examples: ['nav<5m', 'nav move 5%'],
  },
  move: { ...PERCENT, by: 'percent', example: 'nav move 5%' },
  value: usd,
  brief: (value) => written(roundKept(value, 2), '$'),
  before: (from) => usd(from),
  subject: (who) => `${who}'s NAV`,
} as const satisfies MeasureSpec;

/** The value is in USD per month. */
const allowanceSpec = {
  ...plain,
  kind: 'treasury',
  overview: 'allowance',
  name: 'allowance',
  threshold: {
    ...DOLLARS,
    least: '0',
    hysteresis: { ...DOLLARS, usual: { fixed: '1000' }, offered: [], example: 'allowance>50k band 5000' },
    examples: ['allowance>50k', 'allowance changes'],
  },
  move: { ...PERCENT, by: 'percent', example: 'allowance move 10%' },
  change: true,
  value: (value) => `${usd(value)} a month`,
  brief: (value) => written(roundKept(value, 2), '$'),
  before: (from) => usd(from),
  subject: (who) => `${who}'s allowance`,
} as const satisfies MeasureSpec;

/** The largest holder has rank 1. */
const rankSpec = {
  ...plain,
  kind: 'wallet',
  name: 'rank',
  move: { least: '1', most: '10000', unit: 'places', by: 'difference', example: 'rank move 3' },
  lowerIsBetter: true,
  value: exact,
  brief: exact,
  before: (from) => exact(from),
  moved(since, now, token) {
    const places = exact(absolute(subtract(now, since)));
    return ` ${places} ${places === '1' ? 'place' : 'places'} among the holders of ${token}`;
  },
  ends: (since, now) => `rank ${exact(since)} → ${exact(now)}`,
} satisfies MeasureSpec;

/** The value is in USD per token. */
const priceSpec = {
  ...plain,
  kind: 'premium',
  name: 'price',
  threshold: {
    ...DOLLARS,
    least: '0',
    hysteresis: { ...DOLLARS, least: '0.000000000001', usual: { percent: '2' }, offered: [], example: 'price>1.5 band 0.05' },
    examples: ['price>1.5', 'price move 10%'],
  },
  move: { ...PERCENT, by: 'percent', example: 'price move 10%' },
  value: price,
  brief: price,
  before: (from) => price(from),
  subject: (who) => `${who}'s price`,
} satisfies MeasureSpec;

/** The service measures the change over about one day. */
const price24hSpec = {
  ...plain,
  kind: 'premium',
  name: '24 h price change',
  threshold: {
    least: '-100',
    most: '100000',
    unit: '%',
    hysteresis: { least: '0.1', most: '1000', unit: 'points', usual: { fixed: '2' }, offered: [], example: 'price24h>20 band 5' },
    examples: ['price24h>20', 'price24h<-15'],
  },
  move: { least: '0.1', most: '100000', unit: 'points', by: 'difference', example: 'price24h move 10' },
  value: (value) => `${percent(value)} in 24 h`,
  brief: percent,
  before: (from) => percent(from),
  subject: (who) => `${who}'s 24 h change`,
  moved: (since, now) => ` by ${pointsText(absolute(subtract(now, since)))}`,
} satisfies MeasureSpec;

const TABLE = {
  premium: premiumSpec,
  price: priceSpec,
  price24h: price24hSpec,
  nav: navSpec,
  runway: runwaySpec,
  allowance: allowanceSpec,
  rank: rankSpec,
  ...MARKET_TABLE,
} satisfies Record<string, MeasureSpec>;

export type Measure = keyof typeof TABLE;
export type MeasureOf<K extends MeasureSpec['kind']> = { [M in Measure]: (typeof TABLE)[M]['kind'] extends K ? M : never }[Measure];
export type ThresholdMeasure = { [M in Measure]: (typeof TABLE)[M] extends { readonly threshold: Threshold } ? M : never }[Measure];
export type ChangeMeasure = { [M in Measure]: (typeof TABLE)[M]['change'] extends true ? M : never }[Measure];

export type FlipMeasure = { [M in Measure]: (typeof TABLE)[M]['flips'] extends true ? M : never }[Measure];
/** Measures whose history is long enough for extremes and z-scores. */
export type LastingMeasure = { [M in ThresholdMeasure]: (typeof TABLE)[M]['of'] extends 'subject' ? M : never }[ThresholdMeasure];

export const MEASURES: Readonly<Record<Measure, MeasureSpec>> = TABLE;
export const TREASURY_ROWS: { readonly [M in MeasureOf<'treasury'>]: { readonly overview: (typeof TABLE)[M]['overview'] } } = TABLE;
const THRESHOLDS: Readonly<Record<ThresholdMeasure, { readonly threshold: Threshold }>> = TABLE;

const isMeasure = (word: string): word is Measure => Object.hasOwn(TABLE, word);
const hasThreshold = (measure: Measure): measure is ThresholdMeasure => MEASURES[measure].threshold !== undefined;
const hasFlip = (measure: Measure): measure is FlipMeasure => MEASURES[measure].flips;
const isLasting = (measure: ThresholdMeasure): measure is LastingMeasure => MEASURES[measure].of === 'subject';
const hasChange = (measure: Measure): measure is ChangeMeasure => MEASURES[measure].change;

export const MEASURE_NAMES: readonly Measure[] = Object.keys(TABLE).filter(isMeasure);
export const THRESHOLD_MEASURES: readonly ThresholdMeasure[] = MEASURE_NAMES.filter(hasThreshold);
export const CHANGE_MEASURES: readonly ChangeMeasure[] = MEASURE_NAMES.filter(hasChange);

export const FLIP_MEASURES: readonly FlipMeasure[] = MEASURE_NAMES.filter(hasFlip);
export const LASTING_MEASURES: readonly LastingMeasure[] = THRESHOLD_MEASURES.filter(isLasting);

/** Tells whether a rule can join the measure with others: one response contains all of them. */
export const isJoinable = (measure: Measure): measure is LastingMeasure =>
  hasThreshold(measure) && isLasting(measure) && MEASURES[measure].kind !== 'wallet';
export const JOINABLE_MEASURES: readonly LastingMeasure[] = LASTING_MEASURES.filter(isJoinable);

/** Measures that need separate requests for each market, so they are checked only without a monthly limit. */
export const UNLISTED_MEASURES: readonly Measure[] = ['worth', 'pass', 'fail', 'trade'];
export const isUnlisted = (measure: Measure): boolean => UNLISTED_MEASURES.includes(measure);

export const measuresOf = <K extends MeasureSpec['kind']>(kind: K): readonly MeasureOf<K>[] =>
  MEASURE_NAMES.filter((measure): measure is MeasureOf<K> => MEASURES[measure].kind === kind);

export const MEASURE_WORDS: readonly string[] = [...new Set(MEASURE_NAMES.flatMap((measure) => [measure, TABLE[measure].name]))].toSorted(
  (a, b) => b.length - a.length,
);

/** Finds a measure by its name, ignoring case. */
export const measureNamed = (word: string): Measure | undefined =>
  MEASURE_NAMES.find((measure) => [measure, TABLE[measure].name.toLowerCase()].includes(word.toLowerCase()));

export const thresholdOf = (measure: ThresholdMeasure): Threshold => THRESHOLDS[measure].threshold;

/** Returns the default hysteresis in the unit of the measure. */
export function defaultHysteresis(measure: ThresholdMeasure, threshold: Decimal): Decimal {
  const { usual } = thresholdOf(measure).hysteresis;
  return 'fixed' in usual ? decimal(usual.fixed) : multiply(absolute(threshold), multiply(decimal(usual.percent), decimal('0.01')));
}

/** Returns "2 pts" or "$10K". */
export const hysteresisWords = (measure: ThresholdMeasure, size: Decimal): string => written(size, thresholdOf(measure).hysteresis.unit);

/** Returns "2 pts" or "2%". */
export function defaultHysteresisWords(measure: ThresholdMeasure): string {
  const { usual, unit } = thresholdOf(measure).hysteresis;
  return 'fixed' in usual ? written(decimal(usual.fixed), unit) : written(decimal(usual.percent), '%');
}
