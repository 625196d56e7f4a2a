/**
 * What an entry wants of one kind of news: how large, which stages and metrics, and which lines of a figure. Read as a person types it
 * (`supply usd>10000`, `premium<-20`, `treasury runway<6; NAV moves by 5 %`), written back in words that read as the same.
 */
import { z } from 'zod';
import { filtersSchema, type Filters } from '../../domain/filters.js';
import { percentWords, thresholdRuleSchema, thresholdWords, usdWords, type ThresholdRule } from '../../domain/threshold-rule.js';
import { alertKind } from './kinds.js';

export const MAX_THRESHOLD_RULES = 10;

export const rulesSchema = z.object({
  filters: filtersSchema,
  /** Each is an alert by itself. */
  levels: z.array(thresholdRuleSchema).max(MAX_THRESHOLD_RULES, `There is room for ${MAX_THRESHOLD_RULES} rules of a kind.`).readonly(),
});
/** What an entry wants of one kind. */
export type Rules = z.infer<typeof rulesSchema>;

export const kindRulesSchema = rulesSchema.extend({ kind: z.string() });
export type KindRules = z.infer<typeof kindRulesSchema>;

/** What is wanted of a kind: what was chosen, else everything that there is of it, and its usual lines. */
export const rulesFor = (rules: Readonly<Record<string, Rules>> | undefined, kind: string): Rules =>
  rules?.[kind] ?? { filters: {}, levels: alertKind(kind)?.defaultRules ?? [] };

/** What a filter lets through, in words: "at least $10,000; stages mint, burn". Empty where it lets everything through. */
export const filterWords = (filters: Filters): string => filterTerms(filters).join('; ');

function filterTerms({ leastUsd, leastPercent, stages, metrics }: Filters): readonly string[] {
  // Both must hold, and "and" says so; what a semicolon parts might be taken for alternatives.
  const sizes = [
    ...(leastUsd === undefined ? [] : [usdWords(leastUsd)]),
    ...(leastPercent === undefined ? [] : [percentWords(leastPercent)]),
  ];
  return [
    ...(sizes.length === 0 ? [] : [sizes.join(' and ')]),
    ...(stages === undefined ? [] : [`stages ${stages.join(', ')}`]),
    ...(metrics === undefined ? [] : [`metrics ${metrics.join(', ')}`]),
  ];
}

/** Words of the rule, without its kind; empty where everything of the kind is told. */
const termsOf = ({ filters, levels }: Pick<KindRules, 'filters' | 'levels'>): readonly string[] => [
  ...filterTerms(filters),
  ...levels.map((level: ThresholdRule) => thresholdWords(level)),
];

/** "supply: at least $10,000; stages mint, burn"; a kind without a rule is "supply: everything". */
export function wordsOf(rules: KindRules): string {
  const terms = termsOf(rules);
  return `${rules.kind}: ${terms.length === 0 ? 'everything' : terms.join('; ')}`;
}
