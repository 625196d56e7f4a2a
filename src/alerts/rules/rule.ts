/**
 * What an entry wants of one kind of news: how large, which stages and metrics, and which lines of a figure. Read as a person types it
 * (`supply usd>10000`, `premium<-20`, `treasury runway<6; NAV moves by 5 %`), written back in words that read as the same.
 */
import { z } from 'zod';
import {
  leastPercentSchema,
  leastUsdSchema,
  thresholdRuleSchema,
  thresholdWords,
  percentWords,
  usdWords,
  type ThresholdRule,
  type Measure,
  DEFAULT_HYSTERESIS,
} from '../../domain/level.js';
import { decimal } from '../../domain/scalars.js';

/** A stage or a metric, in the service's own word; an alphabet is not specified, so only what separates words is left out. */
const wordSchema = z.string().regex(/^[^\s,;:<>=]{1,60}$/u, 'A stage or metric is one word of at most 60 characters.');

export const filtersSchema = z.object({
  leastUsd: leastUsdSchema.optional(),
  leastPercent: leastPercentSchema.optional(),
  stages: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
  metrics: z.array(wordSchema).min(1).max(20, 'There is room for 20 metrics.').readonly().optional(),
});
export type Filters = z.infer<typeof filtersSchema>;

/** What one kind lets a person choose. `stages` holds the words that may be chosen, each with the feed's stages it stands for. */
interface Choice {
  readonly filters: readonly (keyof Filters)[];
  readonly measures: readonly Measure[];
  readonly stages: Readonly<Record<string, readonly string[]>>;
}

const each = (...stages: readonly string[]): Choice['stages'] => Object.fromEntries(stages.map((stage) => [stage, [stage]]));

/** A new kind is a line here; one without a line has no filters yet. */
export const CHOICES: Readonly<Record<string, Choice>> = {
  supply: { filters: ['leastUsd', 'leastPercent', 'stages'], measures: [], stages: each('mint', 'burn') },
  proposals: {
    filters: ['stages'],
    measures: [],
    stages: { ...each('created', 'live', 'twap', 'ending', 'passed', 'failed', 'removed'), resolved: ['passed', 'failed', 'removed'] },
  },
  launches: {
    filters: ['stages'],
    measures: [],
    stages: each('new', 'live', 'minimum', 'extended', 'ending', 'closed', 'complete', 'refunding', 'graveyard'),
  },
  growth: { filters: ['leastPercent', 'stages', 'metrics'], measures: [], stages: each('value', 'restated', 'published') },
  premium: { filters: [], measures: ['premium'], stages: {} },
  treasury: { filters: [], measures: ['nav', 'runway', 'allowance'], stages: {} },
  movements: { filters: ['leastUsd'], measures: [], stages: {} },
  vesting: { filters: ['stages'], measures: [], stages: each('state', 'cliff', 'near') },
  wallet: {
    filters: ['leastUsd', 'leastPercent', 'stages'],
    measures: ['rank'],
    stages: each('balance', 'new', 'exit', 'rank', 'trades', 'ico'),
  },
};

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

/** What a kind of figures is told of where nobody chose. */
const USUAL: Readonly<Record<string, readonly ThresholdRule[]>> = {
  premium: [
    { when: 'above', measure: 'premium', level: decimal('0'), band: DEFAULT_HYSTERESIS.premium },
    { when: 'below', measure: 'premium', level: decimal('0'), band: DEFAULT_HYSTERESIS.premium },
    { when: 'extreme', measure: 'premium', days: decimal('90') },
    { when: 'z-score', measure: 'premium', least: decimal('2') },
  ],
  treasury: [
    { when: 'move', measure: 'nav', by: decimal('10') },
    { when: 'below', measure: 'runway', level: decimal('6'), band: DEFAULT_HYSTERESIS.runway },
    { when: 'change', measure: 'allowance' },
  ],
};

/** What is wanted of a kind: what was chosen, else everything that there is of it, and its usual lines. */
export const rulesFor = (rules: Readonly<Record<string, Rules>> | undefined, kind: string): Rules =>
  rules?.[kind] ?? { filters: {}, levels: USUAL[kind] ?? [] };

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
