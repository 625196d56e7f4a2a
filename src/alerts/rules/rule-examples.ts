/** What a rule of each kind may look like: the examples behind a refusal. Every one of them can be read. */
import { either } from '../../base/listing.js';
import type { LineRule, Measure } from '../../domain/level.js';
import { CHOICES, type Filters } from './rule.js';

/** What many projects publish. A word stands for every metric that begins with it: "fees" for "fees-usd". */
export const COMMON_METRICS = ['fees', 'revenue', 'volume', 'daily-traders', 'users'] as const;

const FILTER_EXAMPLES: Readonly<Record<keyof Filters, string>> = {
  leastUsd: 'usd>10000',
  leastPercent: 'percent>5',
  stages: 'stages:',
  metrics: 'metrics:fees',
};

/** The first of each is its line. */
export const THRESHOLD_EXAMPLES: Readonly<Record<Measure, readonly [string, ...string[]]>> = {
  premium: ['premium<-20', 'premium move 5', 'premium extreme 90d', 'premium z>2'],
  runway: ['runway<6'],
  nav: ['nav<5m', 'nav move 5%'],
  allowance: ['allowance>50k', 'allowance changes'],
  rank: ['rank move 3'],
};

export const HYSTERESIS_EXAMPLES: Readonly<Record<LineRule['measure'], string>> = {
  premium: 'premium<-20 band 3',
  runway: 'runway<6 band 2',
  nav: 'nav<5m band 50k',
  allowance: 'allowance>50k band 5000',
};

export const MOVE_EXAMPLES: Readonly<Record<Measure, string>> = {
  premium: 'premium move 5',
  runway: 'runway move 10%',
  nav: 'nav move 5%',
  allowance: 'allowance move 10%',
  rank: 'rank move 3',
};

/** What a kind may be told, in a sentence with an example of each. */
export function canBe(kind: string): string {
  const { filters = [], measures = [], stages: words = {} } = CHOICES[kind] ?? {};
  const [stage = ''] = Object.keys(words).slice(-1);
  const examples = [
    ...filters.map((name) => (name === 'stages' ? `stages:${stage}` : FILTER_EXAMPLES[name])),
    ...measures.flatMap((measure) => THRESHOLD_EXAMPLES[measure]),
  ];
  return `For ${kind} there is ${either(examples)}.`;
}
