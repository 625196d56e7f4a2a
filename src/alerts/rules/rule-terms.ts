/** Splits a rule into terms. Pure. */
import { UNTIL } from './rule-end.js';
import { SIZE, VALUE } from './read-value.js';
import { MEASURE_WORDS, MEASURES } from '../../domain/measures.js';
import { alertKind, COMMON_METRICS, stageWords } from './kinds.js';

const WORD = String.raw`[^\s,;:<>=]+`;
const LIST = String.raw`\s*[:=\s]\s*(${WORD}(?:\s*,\s*${WORD})*|)`;
const AT_LEAST = String.raw`(?:\s*(?:>=|>|≥|:|=|at least|over|above)\s*|\s+(?=\$?\d))`;
/** A distance, or the level. */
const BAND = String.raw`(?:[\s,]*\(?(?:(?:dead-)?band\s*[:=]?\s*${VALUE}|re-?arms?\s+(?:at\s+(?:or\s+)?)?(?:above\s+|below\s+)?${VALUE})\s*\)?)?`;
const MEASURE = String.raw`(?:(${MEASURE_WORDS.join('|')})\s*)?`;
const term = (pattern: string): RegExp => new RegExp(String.raw`${pattern}[\s,;]*(?:(?:and|or)\s+)?`, 'iuy');

const TERMS = [
  ['everything', term(String.raw`(everything|all)(?=\s*$)`)],
  ['usd', term(String.raw`(?:usd|amount)${AT_LEAST}${VALUE}`)],
  ['percent', term(String.raw`(?:percent|%)${AT_LEAST}${VALUE}`)],
  ['stages', term(String.raw`stages?${LIST}`)],
  ['metrics', term(String.raw`metrics?${LIST}`)],
  ['updates', term(String.raw`updates?${LIST}`)],
  ['move', term(String.raw`${MEASURE}moves?\b\s*(?:by\b|>=|>|:)?\s*${VALUE}`)],
  ['change', term(String.raw`${MEASURE}changes?(?![\p{L}\d])`)],
  ['extreme', term(String.raw`${MEASURE}(?:at a )?(?:new )?extreme\b\s*(?:of\b|over\b|:)?\s*${VALUE}`)],
  ['z-score', term(String.raw`${MEASURE}(?:with a )?z(?:-?score)?\b\s*(?:of )?(?:at least|>=|>|:)?\s*${VALUE}`)],
  ['line', term(String.raw`${MEASURE}(<=|>=|≤|≥|<|>|below|under|above|over)\s*${VALUE}${BAND}`)],
  ['discount', term(String.raw`discount\s*(?:>=?|over|above|of more than)\s*${VALUE}${BAND}`)],
  ['once', term(String.raw`once(?![\p{L}\d])`)],
  ['until', term(String.raw`until\s+${UNTIL}`)],
  ['least', term(String.raw`(?:at least|>=|>|≥|over)\s*${VALUE}`)],
  ['size', term(SIZE)],
] as const;
type TermName = (typeof TERMS)[number][0];

/** `groups[0]` is the whole match. */
export interface Term {
  readonly name: TermName;
  readonly groups: readonly (string | undefined)[];
}

export function nextTerm(text: string, at: number, kind: string): Term | undefined {
  for (const [name, pattern] of TERMS) {
    // In a kind without thresholds, a comparison without a measure filters by event size.
    if (name === 'line' && !alertKind(kind)?.measures.some((measure) => MEASURES[measure].threshold !== undefined)) continue;
    pattern.lastIndex = at;
    const groups = pattern.exec(text);
    if (groups !== null && groups[0] !== '') return { name, groups };
  }
  return wordsAlone(text, at, kind);
}

function wordsAlone(text: string, at: number, kind: string): Term | undefined {
  const { filters = [] } = alertKind(kind) ?? {};
  const name = filters.includes('metrics') ? 'metrics' : 'stages';
  const known: readonly string[] = name === 'metrics' ? COMMON_METRICS : [...stageWords(kind).keys()];
  if (known.length === 0) return undefined;
  const one = String.raw`(?:${known.join('|')})s?(?![\p{L}\d_-])`;
  const pattern = term(String.raw`(?:only\s+)?(${one}(?:(?:\s*,\s*|\s+)(?:and\s+)?${one})*)`);
  pattern.lastIndex = at;
  const [whole, words = ''] = pattern.exec(text) ?? [];
  const named = words
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((word) => word !== 'and');
  const plain = named.map((word) => (known.includes(word) ? word : word.replace(/s$/u, '')));
  return whole === undefined ? undefined : { name, groups: [whole, plain.join(',')] };
}
