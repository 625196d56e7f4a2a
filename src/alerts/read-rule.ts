/** Reads a rule as a person types it, or as it was written back in words. Pure; what cannot be read is answered with what can. */
import { isZero, multiply } from '../domain/decimal.js';
import { decimal, type Decimal } from '../domain/scalars.js';
import { leastPercentSchema, leastUsdSchema, levelRuleSchema, levelWords, USUAL_BAND, type Measure } from '../domain/level.js';
import { CHOICES, kindRulesSchema, type Filters, type KindRules } from './rule.js';

/** `says` is a sentence that names what is wrong and what is allowed. */
export type ReadRule = { readonly read: true; readonly rules: KindRules } | { readonly read: false; readonly says: string };

const UNIT = String.raw`(?:%|points?|months?|mo|days?|d|places?)`;
const VALUE = String.raw`([-−+]?\s*\$?\d+(?:,\d{3})*(?:\.\d+)?[kmb]?\s*${UNIT}?(?![\p{L}\d.])|[^\s,;()]*)`;
const WORD = String.raw`[^\s,;:<>=]+`;
const LIST = String.raw`\s*[:=\s]\s*(${WORD}(?:\s*,\s*${WORD})*|)`;
const AT_LEAST = String.raw`(?:>=|>|≥|:|=|at least|over|above)`;
const MEASURE = String.raw`(?:(premium|runway|nav|allowance|rank)\s*)?`;
const term = (pattern: string): RegExp => new RegExp(String.raw`${pattern}[\s,;]*(?:and\s+)?`, 'iuy');

const TERMS = [
  ['everything', term(String.raw`(everything|all)(?=\s*$)`)],
  ['usd', term(String.raw`(?:usd|amount)\s*${AT_LEAST}\s*${VALUE}`)],
  ['percent', term(String.raw`(?:percent|%)\s*${AT_LEAST}\s*${VALUE}`)],
  ['stages', term(String.raw`stages?${LIST}`)],
  ['metrics', term(String.raw`metrics?${LIST}`)],
  ['move', term(String.raw`${MEASURE}moves?\b\s*(?:by\b|>=|>|:)?\s*${VALUE}`)],
  ['change', term(String.raw`${MEASURE}changes?(?![\p{L}\d])`)],
  ['extreme', term(String.raw`${MEASURE}(?:at a )?(?:new )?extreme\b\s*(?:of\b|over\b|:)?\s*${VALUE}`)],
  ['z-score', term(String.raw`${MEASURE}(?:with a )?z(?:-?score)?\b\s*(?:of )?(?:at least|>=|>|:)?\s*${VALUE}`)],
  ['line', term(String.raw`${MEASURE}(<=|>=|≤|≥|<|>|below|under|above|over)\s*${VALUE}(?:\s*\(?(?:dead-)?band\s*[:=]?\s*${VALUE}\s*\)?)?`)],
  ['least', term(String.raw`(?:at least|>=|>|≥|over)\s*${VALUE}`)],
] as const;
type TermName = (typeof TERMS)[number][0];

const MEASURES: readonly Measure[] = ['premium', 'runway', 'nav', 'allowance', 'rank'];
const MOST_TEXT = 1_000;

/** Thrown and caught in this file alone: the sentence that ends the reading. */
class Unreadable extends Error {}

/**
 * `premium<-20`, `runway<6 nav move 5%`, `supply usd>10000`, `growth metrics:fees`, `supply: at least $10,000; stages mint, burn`. The kind may be
 * left out where a figure tells it. A kind alone is a rule without any filter.
 */
export function readRule(text: string): ReadRule {
  try {
    if (text.length > MOST_TEXT) throw new Unreadable(`A rule has at most ${MOST_TEXT} characters; this one has ${text.length}.`);
    return { read: true, rules: rulesOf(text.trim()) };
  } catch (cause) {
    if (cause instanceof Unreadable) return { read: false, says: cause.message };
    throw cause;
  }
}

function rulesOf(text: string): KindRules {
  const kind = kindOf(text);
  const begun = new RegExp(String.raw`^${kind}(?:\s*:\s*|\s+|$)`, 'iu').exec(text)?.[0].length ?? 0;
  const filters: Filters = {};
  const levels = new Map<string, KindRules['levels'][number]>();
  for (let at = begun; at < text.length;) {
    const found = next(text, at, kind);
    const more = found && readTerm({ ...found, kind });
    if (more === undefined) throw new Unreadable(`I cannot read “${text.slice(at)}”. ${canBe(kind)}`);
    if ('when' in more) levels.set(levelWords(more), more);
    else if (Object.keys(more).some((name) => name in filters)) throw new Unreadable(`“${text}” says the same thing twice; leave one out.`);
    else Object.assign(filters, more);
    at += found?.groups[0]?.length ?? 0;
  }
  return checked(kindRulesSchema, { kind, filters, levels: [...levels.values()] });
}

/** The kind that is named first, or the one whose figure is. */
function kindOf(text: string): string {
  const [first = ''] = /^[\p{L}-]*/u.exec(text) ?? [];
  const word = first.toLowerCase();
  if (Object.hasOwn(CHOICES, word)) return word;
  const kind = Object.keys(CHOICES).find((name) => CHOICES[name]?.measures.some((measure) => measure === word));
  if (kind !== undefined) return kind;
  throw new Unreadable(
    `A rule begins with its kind, which is ${either(Object.keys(CHOICES))}, such as “supply usd>10000” or “premium<-20”.`,
  );
}

interface Term {
  readonly name: TermName;
  readonly groups: readonly (string | undefined)[];
}

function next(text: string, at: number, kind: string): Term | undefined {
  for (const [name, pattern] of TERMS) {
    // A comparison without a figure before it is the size of the news where the kind has no figures with lines.
    if (name === 'line' && !CHOICES[kind]?.measures.some((measure) => measure !== 'rank')) continue;
    pattern.lastIndex = at;
    const groups = pattern.exec(text);
    if (groups !== null && groups[0] !== '') return { name, groups };
  }
  return undefined;
}

type Read = Filters | KindRules['levels'][number];

function readTerm({ name, groups, kind }: Term & { readonly kind: string }): Read | undefined {
  const [whole = '', first, second, third, fourth] = groups;
  switch (name) {
    case 'everything':
      return {};
    case 'usd':
      return filter(kind, 'leastUsd', { leastUsd: checked(leastUsdSchema, number(first), whole) });
    case 'percent':
      return filter(kind, 'leastPercent', { leastPercent: checked(leastPercentSchema, number(first), whole) });
    case 'least':
      if (/\$/u.test(first ?? '')) return readTerm({ name: 'usd', groups, kind });
      if (/%/u.test(first ?? '')) return readTerm({ name: 'percent', groups, kind });
      throw new Unreadable(`“${whole.trim()}” is of what? Write usd>10000 or percent>5.`);
    case 'stages':
      return filter(kind, 'stages', { stages: stages(kind, list(first)) });
    case 'metrics':
      return filter(kind, 'metrics', { metrics: some(list(first), 'Name the metrics, such as “growth metrics:fees”.') });
    case 'move':
      return level({ when: 'move', measure: measureOf(kind, first, whole), by: number(second) }, whole);
    case 'change': {
      const measure = measureOf(kind, first ?? 'allowance', whole);
      if (measure !== 'allowance') throw new Unreadable(`Say by how much ${measure} must move, such as “${measure} move 5”.`);
      return level({ when: 'change', measure }, whole);
    }
    case 'extreme':
      return level({ when: 'extreme', measure: lineMeasure(kind, first, whole), days: number(second) }, whole);
    case 'z-score':
      return level({ when: 'z-score', measure: lineMeasure(kind, first, whole), least: number(second) }, whole);
    case 'line': {
      const measure = lineMeasure(kind, first, whole);
      if (/^(?:<=|>=|≤|≥)$/u.test(second ?? '')) throw new Unreadable(`“${whole.trim()}”: write < or >; a line is crossed, not touched.`);
      const when = /^(?:<|below|under)$/iu.test(second ?? '') ? 'below' : 'above';
      return level({ when, measure, level: number(third), band: fourth === undefined ? USUAL_BAND[measure] : number(fourth) }, whole);
    }
  }
}

const level = (candidate: unknown, whole: string) => checked(levelRuleSchema, candidate, whole);

function filter(kind: string, name: keyof Filters, value: Filters): Filters {
  if (CHOICES[kind]?.filters.includes(name) === true) return value;
  throw new Unreadable(`There is no such filter for ${kind}. ${canBe(kind)}`);
}

function measureOf(kind: string, written: string | undefined, whole: string): Measure {
  const measures = CHOICES[kind]?.measures ?? [];
  const named = MEASURES.find((measure) => measure === written?.toLowerCase());
  const found = named ?? (measures.length === 1 ? measures[0] : undefined);
  if (found !== undefined && measures.includes(found)) return found;
  throw new Unreadable(
    measures.length === 0
      ? `${kind} has no figure to set a line for. ${canBe(kind)}`
      : `“${whole.trim()}”: say of which figure; ${kind} has ${either(measures)}.`,
  );
}

function lineMeasure(kind: string, written: string | undefined, whole: string): Exclude<Measure, 'rank'> {
  const measure = measureOf(kind, written, whole);
  if (measure !== 'rank') return measure;
  throw new Unreadable(`“${whole.trim()}”: a rank is watched by how many places it moves, such as “rank move 3”.`);
}

const list = (text = ''): readonly string[] => [...new Set(text.toLowerCase().split(/\s*,\s*/u))].filter((word) => word !== '');

function some(words: readonly string[], otherwise: string): readonly string[] {
  if (words.length === 0) throw new Unreadable(otherwise);
  return words;
}

function stages(kind: string, words: readonly string[]): readonly string[] {
  const there = Object.keys(CHOICES[kind]?.stages ?? {});
  const odd = words.find((word) => !there.includes(word));
  if (odd !== undefined) throw new Unreadable(`There is no stage “${odd}” of ${kind}; there is ${either(there)}.`);
  return there.length === 0 ? words : some(words, `Name the stages of ${kind}: ${either(there)}.`);
}

const SCALES: Readonly<Record<string, Decimal>> = { '': decimal(1), k: decimal('1e3'), m: decimal('1e6'), b: decimal('1e9') };

/** `-20`, `20%`, `$1.5m`, `10,000`; undefined for what is no number, which no range allows. */
function number(text = ''): Decimal | undefined {
  const pattern = new RegExp(String.raw`^([-−+]?)\s*\$?(\d{1,18}|\d{1,3}(?:,\d{3}){1,5})(\.\d{1,18})?([kmb]?)\s*${UNIT}?$`, 'iu');
  const [, sign = '', whole, fraction = '', scale = ''] = pattern.exec(text.trim()) ?? [];
  const by = SCALES[scale.toLowerCase()];
  if (whole === undefined || by === undefined) return undefined;
  const size = multiply(decimal(`${whole.replaceAll(',', '')}${fraction}`), by);
  return isZero(size) || sign === '' || sign === '+' ? size : decimal(`-${size}`);
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly { readonly message: string }[] } };
}

function checked<T>(schema: Schema<T>, value: unknown, written?: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const says = result.error.issues[0]?.message ?? 'That is no rule.';
  throw new Unreadable(written === undefined ? says : `“${written.replace(/[\s,;]+$/u, '')}”: ${says}`);
}

/** "a, b or c". */
const either = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

const FILTER_EXAMPLES: Readonly<Record<keyof Filters, string>> = {
  leastUsd: 'usd>10000',
  leastPercent: 'percent>5',
  stages: 'stages:',
  metrics: 'metrics:fees',
};

/** What a kind may be told, in a sentence with an example of each. */
function canBe(kind: string): string {
  const { filters = [], measures = [], stages: words = {} } = CHOICES[kind] ?? {};
  const [stage = ''] = Object.keys(words).slice(-1);
  const examples = [
    ...filters.map((name) => (name === 'stages' ? `stages:${stage}` : FILTER_EXAMPLES[name])),
    ...measures.flatMap((measure) => LEVEL_EXAMPLES[measure]),
  ];
  return `For ${kind} there is ${either(examples)}.`;
}

const LEVEL_EXAMPLES: Readonly<Record<Measure, readonly string[]>> = {
  premium: ['premium<-20', 'premium move 5', 'premium extreme 90d', 'premium z>2'],
  runway: ['runway<6'],
  nav: ['nav move 5%'],
  allowance: ['allowance changes'],
  rank: ['rank move 3'],
};
