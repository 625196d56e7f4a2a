/** What an entry wants of one alert kind: `supply usd>10000`, `treasury runway<6; NAV moves by 5%`. */
import { z } from 'zod';
import { filtersSchema, type Filters } from '../../domain/filters.js';
import { lifetimeTyped } from './lifetime.js';
import { percentWords, thresholdRuleSchema, thresholdWords, usdWords, type ThresholdRule } from '../../domain/threshold-rule.js';

export const MAX_THRESHOLD_RULES = 10;

export const rulesSchema = z.object({
  filters: filtersSchema,
  /** Each rule alerts on its own. */
  levels: z.array(thresholdRuleSchema).max(MAX_THRESHOLD_RULES, `There is room for ${MAX_THRESHOLD_RULES} rules of a kind.`).readonly(),
});
export type Rules = z.infer<typeof rulesSchema>;

export const kindRulesSchema = rulesSchema.extend({ kind: z.string() });
export type KindRules = z.infer<typeof kindRulesSchema>;

/** "at least $10,000; stages mint, burn". */
export const filterWords = (filters: Filters): string => filterTerms(filters).join('; ');

function filterTerms({ leastUsd, leastPercent, eitherSize, stages, metrics }: Filters): readonly string[] {
  // A semicolon could be read as "or".
  const sizes = [
    ...(leastUsd === undefined ? [] : [usdWords(leastUsd)]),
    ...(leastPercent === undefined ? [] : [percentWords(leastPercent)]),
  ];
  return [
    ...(sizes.length === 0 ? [] : [sizes.join(eitherSize === true ? ' or ' : ' and ')]),
    ...(stages === undefined ? [] : [`stages ${stages.join(', ')}`]),
    ...(metrics === undefined ? [] : [`metrics ${metrics.join(', ')}`]),
  ];
}

const termsOf = ({ filters, levels }: Pick<KindRules, 'filters' | 'levels'>): readonly string[] => [
  ...filterTerms(filters),
  ...levels.map((level: ThresholdRule) => [thresholdWords(level), lifetimeTyped(level)].filter((part) => part !== '').join(' ')),
];

/** "supply: at least $10,000; stages mint, burn", or "supply: everything". */
export function wordsOf(rules: KindRules): string {
  const terms = termsOf(rules);
  return `${rules.kind}: ${terms.length === 0 ? 'everything' : terms.join('; ')}`;
}
