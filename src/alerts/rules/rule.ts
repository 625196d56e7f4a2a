/** This module defines an entry's rules for one kind: `supply usd>10000`, `treasury runway<6; NAV moves by 5%`. */
import { z } from 'zod';
import { filtersSchema, LABELS, type Filters } from '../../domain/filters.js';
import { offsetsText } from '../../domain/reminder.js';
import { exact, usdLimit } from '../../domain/format.js';
import { lifetimeTyped } from './rule-end.js';
import { percentWords, thresholdRuleSchema, thresholdWords, usdWords, type ThresholdRule } from '../../domain/threshold-rule.js';

export const MAX_THRESHOLD_RULES = 10;

export const rulesSchema = z.object({
  filters: filtersSchema,
  /** Each rule alerts on its own. */
  thresholds: z.array(thresholdRuleSchema).max(MAX_THRESHOLD_RULES, `There is room for ${MAX_THRESHOLD_RULES} rules of a kind.`).readonly(),
});
export type Rules = z.infer<typeof rulesSchema>;

export const kindRulesSchema = rulesSchema.extend({ kind: z.string() });
export type KindRules = z.infer<typeof kindRulesSchema>;

/** Tells whether rules choose what alerts. Reminders and the way back (`back`) alone do not. */
export const choosesAlerts = ({ filters, thresholds }: Rules): boolean =>
  thresholds.length > 0 || Object.keys(filters).some((name) => name !== 'remind' && name !== 'back');

/** Returns text such as "$10K and up; stages mint, burn", or an empty text. */
export function filterText({ leastUsd, leastPercent, eitherSize, ...filters }: Filters): string {
  return [...sizeTexts({ leastUsd, leastPercent, eitherSize }), ...filterTerms({ ...filters })].join('; ');
}

/** Returns text such as "$10K or 0.5% and up", or an empty text for any size. */
export const sizeText = (sizes: Pick<Filters, 'leastUsd' | 'leastPercent' | 'eitherSize'>): string => sizeTexts(sizes).join('');

function sizeTexts({ leastUsd, leastPercent, eitherSize }: Pick<Filters, 'leastUsd' | 'leastPercent' | 'eitherSize'>): readonly string[] {
  const sizes = [
    ...(leastUsd === undefined ? [] : [usdLimit(leastUsd)]),
    ...(leastPercent === undefined ? [] : [`${exact(leastPercent)}%`]),
  ];
  if (sizes.length === 0) return [];
  return [`${sizes.length === 2 && eitherSize !== true ? 'both ' : ''}${sizes.join(eitherSize === true ? ' or ' : ' and ')} and up`];
}

/** Returns filters as typed, such as "at least $10,000; stages mint, burn", or an empty text. */
export const filterWords = (filters: Filters): string => filterTerms(filters).join('; ');

function filterTerms({ leastUsd, leastPercent, eitherSize, stages, metrics, updates, remind, back, ...named }: Filters): readonly string[] {
  // A semicolon could be read as "or".
  const sizes = [
    ...(leastUsd === undefined ? [] : [usdWords(leastUsd)]),
    ...(leastPercent === undefined ? [] : [percentWords(leastPercent)]),
  ];
  return [
    ...(sizes.length === 0 ? [] : [sizes.join(eitherSize === true ? ' or ' : ' and ')]),
    ...(stages === undefined ? [] : [`stages ${stages.join(', ')}`]),
    ...(metrics === undefined ? [] : [`metrics ${metrics.join(', ')}`]),
    ...LABELS.flatMap((label) => (named[label] === undefined ? [] : [`${label} ${named[label].map(quoted).join(', ')}`])),
    ...(updates === undefined ? [] : [`updates ${updates.join(', ')}`]),
    ...(remind === undefined ? [] : [`remind ${offsetsText(remind)}`]),
    ...(back === undefined ? [] : [`back ${back}`]),
  ];
}

/** Quotes a phrase if `readRule` could not read it back without quotes. */
export const quoted = (phrase: string): string => (/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(phrase) ? phrase : `"${phrase}"`);

const termsOf = ({ filters, thresholds }: Pick<KindRules, 'filters' | 'thresholds'>): readonly string[] => [
  ...filterTerms(filters),
  ...thresholds.map(levelText),
];

const levelText = (threshold: ThresholdRule): string =>
  [thresholdWords(threshold), lifetimeTyped(threshold)].filter((part) => part !== '').join(' ');

/** Returns text such as "$10K and up; stages mint, burn", or "everything". */
export function rulesText({ filters, thresholds }: Rules): string {
  const terms = [...(filterText(filters) === '' ? [] : [filterText(filters)]), ...thresholds.map(levelText)];
  return terms.length === 0 ? 'everything' : terms.join('; ');
}

/** Returns rules as typed, such as "supply: at least $10,000; stages mint, burn" or "supply: everything". */
export function wordsOf(rules: KindRules): string {
  const terms = termsOf(rules);
  return `${rules.kind}: ${terms.length === 0 ? 'everything' : terms.join('; ')}`;
}
