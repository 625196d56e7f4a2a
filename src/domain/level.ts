/** The rules on a figure that changes from look to look, and what each lets a person choose. Every range stands here and nowhere else. */
import { z } from 'zod';
import { absolute, add, compare, subtract } from './decimal.js';
import { exact } from './format.js';
import { decimal, decimalSchema, type Decimal } from './scalars.js';

/**
 * What a figure is counted in: `premium` in percent of NAV/AS (negative is a discount), `runway` in months, `nav` and `allowance` in USD (the
 * allowance a month), `rank` in places, 1 being the largest holder.
 */
const lineMeasure = z.enum(['premium', 'runway', 'nav', 'allowance']);
export const measureSchema = z.enum([...lineMeasure.options, 'rank']);
export type Measure = z.infer<typeof measureSchema>;
type Lined = z.infer<typeof lineMeasure>;

/** What a value is written with: a dollar sign before it, or one of the others behind it; a z-score has none. */
export type Unit = '$' | '%' | 'points' | 'months' | 'days' | 'places' | '';

interface Range {
  readonly least: string;
  readonly most: string;
  readonly unit: Unit;
}

/** A value that a rule holds; `what` begins the sentence that refuses one. */
export interface Quantity extends Range {
  readonly what: string;
}

const DOLLARS: Range = { least: '0.01', most: '1000000000000', unit: '$' };
const PERCENT: Range = { least: '0.01', most: '100000', unit: '%' };
const LINES: Readonly<Record<Lined, Range>> = {
  premium: { least: '-100', most: '10000', unit: '%' },
  runway: { least: '0', most: '1200', unit: 'months' },
  nav: { ...DOLLARS, least: '0' },
  allowance: { ...DOLLARS, least: '0' },
};
const BANDS: typeof LINES = {
  premium: { least: '0.1', most: '100', unit: 'points' },
  runway: { least: '0.1', most: '120', unit: 'months' },
  nav: DOLLARS,
  allowance: DOLLARS,
};
const MOVES: Readonly<Record<Measure, Range>> = {
  premium: { least: '0.1', most: '10000', unit: 'points' },
  runway: PERCENT,
  nav: PERCENT,
  allowance: PERCENT,
  rank: { least: '1', most: '10000', unit: 'places' },
};

const NAMES: Readonly<Record<Measure, string>> = { premium: 'premium', runway: 'runway', nav: 'NAV', allowance: 'allowance', rank: 'rank' };

/** Every value that is typed, with its unit and its range. */
export const QUANTITY = {
  usd: { what: 'The least amount', ...DOLLARS },
  percent: { what: 'The least percentage', ...PERCENT },
  days: { what: 'The length of an extreme', least: '2', most: '365', unit: 'days' },
  zScore: { what: 'A z-score', least: '1', most: '6', unit: '' },
  line: (measure: Lined): Quantity => ({ what: `A line for ${NAMES[measure]}`, ...LINES[measure] }),
  band: (measure: Lined): Quantity => ({ what: `The dead-band of ${NAMES[measure]}`, ...BANDS[measure] }),
  move: (measure: Measure): Quantity => ({ what: `A move of ${NAMES[measure]}`, ...MOVES[measure] }),
} as const satisfies Record<string, Quantity | ((measure: never) => Quantity)>;

/** "$10,000", "−20 %", "6 months". */
function figure(value: Decimal, { unit }: Pick<Range, 'unit'>): string {
  const text = exact(value);
  if (unit === '$') return text.replace(/^−?/u, (sign) => `${sign}$`);
  return `${text} ${text === '1' ? unit.replace(/s$/u, '') : unit}`.trimEnd();
}

/** The sentence that refuses a value; it names what is allowed. */
const allowed = ({ what, ...range }: Quantity): string =>
  `${what} must be between ${figure(decimal(range.least), range)} and ${figure(decimal(range.most), range)}.`;

const inside = (value: Decimal, { least, most }: Range): boolean =>
  compare(value, decimal(least)) >= 0 && compare(value, decimal(most)) <= 0;

/** A decimal in the range of a quantity; whatever else comes is answered with the range. */
const within = (quantity: Quantity) =>
  z
    .string({ error: allowed(quantity) })
    .refine((text) => decimalSchema.safeParse(text).success && inside(decimal(text), quantity), { error: allowed(quantity) })
    .pipe(decimalSchema);

export const leastUsdSchema = within(QUANTITY.usd);
export const leastPercentSchema = within(QUANTITY.percent);

/** `band` is how far behind the line a figure must come back before the same line can be crossed again. */
const lineRule = <M extends Lined>(measure: M) =>
  z.object({
    when: z.enum(['above', 'below']),
    measure: z.literal(measure),
    level: within(QUANTITY.line(measure)),
    band: within(QUANTITY.band(measure)),
  });
const moveRule = <M extends Measure>(measure: M) =>
  z.object({ when: z.literal('move'), measure: z.literal(measure), by: within(QUANTITY.move(measure)) });

const lineSchema = z.discriminatedUnion('measure', [lineRule('premium'), lineRule('runway'), lineRule('nav'), lineRule('allowance')]);
/** Since the last alerted value: a premium by points and a rank by places, the rest by percent of that value. */
const moveSchema = z.discriminatedUnion('measure', [
  moveRule('premium'),
  moveRule('runway'),
  moveRule('nav'),
  moveRule('allowance'),
  moveRule('rank'),
]);

export const thresholdRuleSchema = z.discriminatedUnion('when', [
  lineSchema,
  moveSchema,
  /** Any other value than the last alerted one. */
  z.object({ when: z.literal('change'), measure: z.literal('allowance') }),
  /** Beyond everything of so many days, and beyond the last alerted extreme by more than its dead-band. */
  z.object({
    when: z.literal('extreme'),
    measure: lineMeasure,
    days: within(QUANTITY.days).refine(isWhole, { error: 'The length of an extreme must be whole days.' }),
  }),
  /** As far from the mean of its own year, to either side, in standard deviations. */
  z.object({ when: z.literal('z-score'), measure: lineMeasure, least: within(QUANTITY.zScore) }),
]);
export type ThresholdRule = z.infer<typeof thresholdRuleSchema>;
export type LineRule = z.infer<typeof lineSchema>;

function isWhole(text: Decimal): boolean {
  return !text.includes('.');
}

/** The sentence against a line that no figure can cross, or not a second time; undefined where it can. */
export function neverCrossed(rule: ThresholdRule): string | undefined {
  if (!('level' in rule)) return undefined;
  const { when, measure, level: line, band } = rule;
  const [name, least, most] = [NAMES[measure], decimal(LINES[measure].least), decimal(LINES[measure].most)];
  const [first, last] = when === 'below' ? [least, most] : [most, least];
  const how = compare(line, first) === 0 ? 'never' : compare(line, last) === 0 ? 'always' : undefined;
  if (how !== undefined) return `${name} is ${how} ${when} ${lineWords(measure, line)}, so it cannot cross that line.`;
  const room = absolute(subtract(last, line));
  if (compare(band, room) <= 0) return undefined;
  return `It would be an alert again only at ${backWords(rule)}, which ${name} never is. Choose a dead-band of at most ${hysteresisWords(measure, room)}.`;
}

/** The dead-band that a line has where nobody chose one. */
export const DEFAULT_HYSTERESIS: Readonly<Record<LineRule['measure'], Decimal>> = {
  premium: decimal('2'),
  runway: decimal('1'),
  nav: decimal('10000'),
  allowance: decimal('1000'),
};

/** By how much a z-score must come back before the same side is an alert again. */
export const Z_HYSTERESIS = decimal('0.5');

/** A line of a figure in words: "−10 %", "6 months", "$5,000,000". */
export const lineWords = (measure: LineRule['measure'], value: Decimal): string => figure(value, LINES[measure]);
/** How far a move goes: "5 points", "10 %", "3 places". */
export const moveWords = (measure: Measure, value: Decimal): string => figure(value, MOVES[measure]);

/** A rule in words, such as "below −20 % (dead-band 2 points)"; what is not its kind's own figure is named: "runway below 6 months …". */
export function thresholdWords(rule: ThresholdRule): string {
  const name = NAMES[rule.measure];
  switch (rule.when) {
    case 'above':
    case 'below':
      return `${name} ${rule.when} ${figure(rule.level, LINES[rule.measure])} (dead-band ${figure(rule.band, BANDS[rule.measure])})`;
    case 'move':
      return `${name} moves by ${figure(rule.by, MOVES[rule.measure])}`;
    case 'change':
      return `${name} changes`;
    case 'extreme':
      return `${name} at a new extreme of ${exact(rule.days)} days`;
    case 'z-score':
      return `${name} with a z-score of at least ${exact(rule.least)}`;
  }
}

/** At what a figure must be again before the same line can be crossed again: "−18 %", "7 months". */
export const backWords = ({ when, level, band, measure }: LineRule): string =>
  figure(when === 'below' ? add(level, band) : subtract(level, band), LINES[measure]);

/** How far from a line: "2 points", "$10,000". */
export const hysteresisWords = (measure: LineRule['measure'], band = DEFAULT_HYSTERESIS[measure]): string => figure(band, BANDS[measure]);

/** The least amount and percentage of a filter in words. */
export const usdWords = (value: Decimal): string => `at least ${figure(value, DOLLARS)}`;
export const percentWords = (value: Decimal): string => `at least ${figure(value, PERCENT)}`;
