/** Example rules for error messages. All of them parse. */
import { either } from '../../base/sentence-lists.js';
import type { FilterName } from '../../domain/filters.js';
import { MEASURES } from '../../domain/measures.js';
import { alertKind, stageWords } from './kinds.js';

const FILTER_EXAMPLES: Readonly<Record<FilterName, string>> = {
  leastUsd: 'usd>10000',
  leastPercent: 'percent>5',
  stages: 'stages:',
  metrics: 'metrics:fees',
  updates: 'updates:off',
};

export function canBe(kind: string): string {
  const { filters = [], measures = [] } = alertKind(kind) ?? {};
  const [stage = ''] = [...stageWords(kind).keys()].slice(-1);
  const examples = [
    ...filters.map((name) => (name === 'stages' ? `stages:${stage}` : FILTER_EXAMPLES[name])),
    ...measures.flatMap((measure) => MEASURES[measure].threshold?.examples ?? [MEASURES[measure].move.example]),
  ];
  return `For ${kind} there is ${either(examples)}.`;
}
