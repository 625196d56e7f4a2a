/** This module has the terms of a rule as typed: it splits a text into them, reads their values, and gives examples for error messages. */
import { DAY, HOUR, MINUTE } from '../../base/clock.js';
import { UNTIL } from './rule-end.js';
import { MEASURE_WORDS, MEASURES, type Unit } from '../../domain/measures.js';
import { alertKind, COMMON_METRICS, NO_STAGE, stageChoices, stageWords } from './kinds.js';
import { brief } from '../../base/one-line.js';
import { isZero, multiply } from '../../domain/decimal.js';
import type { Quantity } from '../../domain/threshold-rule.js';
import { decimal, type Decimal } from '../../domain/scalars.js';
import { either } from '../../base/sentence-lists.js';
import { BACK_WAYS, type FilterName, type Filters, type Label } from '../../domain/filters.js';
import { MAX_REMINDERS, readOffset } from '../../domain/reminder.js';

const SIGN = '[-−+]?';
const COIN = String.raw`(?:[$€£¥]\s*)?`;
const SCALE = String.raw`(?:k|mn?|bn?|tn?|\s?(?:thousand|million|billion|trillion))`;
const ALONE = String.raw`(?!\s*(?:[:=<>≥≤]|at\b|over\b|above\b|\$?\d))`;
const UNIT = String.raw`(?:%|(?:percent|usdc?)${ALONE}|dollars?|points?|pts?|months?|mo|days?|d|weeks?|w|years?|y|hours?|h|places?)`;

const VALUE = String.raw`(${SIGN}\s*${COIN}\d+(?:[.,]\d+)*${SCALE}?\s*${UNIT}?(?![\p{L}\d.])|[^\s,;()]*)`;
const SIZE = String.raw`(\$\s*\d+(?:[.,]\d+)*${SCALE}?(?![\p{L}\d.])|\d+(?:[.,]\d+)*${SCALE}?\s*(?:%|(?:percent|usdc?)${ALONE}|dollars?)(?![\p{L}\d.]))`;

const WORD = String.raw`[^\s,;:<>=]+`;
const LIST = String.raw`\s*[:=\s]\s*(${WORD}(?:\s*,\s*${WORD})*|)`;
/** A name or a phrase. In quotes it may have spaces; phones type curly quotes. */
const PHRASE = String.raw`(?:["“”„«][^"“”„«»]{0,100}["“”»]|[^\s,;:<>="“”„«»]+)`;
const PHRASES = String.raw`\s*[:=\s]\s*(${PHRASE}(?:\s*,\s*${PHRASE})*|)`;
const AT_LEAST = String.raw`(?:\s*(?:>=|>|≥|:|=|at least|over|above)\s*|\s+(?=\$?\d))`;
/** Hysteresis, as the distance from the threshold ("band 2") or as the value at which the rule re-arms ("re-arms at 8"). */
const BAND = String.raw`(?:[\s,]*\(?(?:(?:dead-)?band\s*[:=]?\s*${VALUE}|re-?arms?\s+(?:at\s+(?:or\s+)?)?(?:above\s+|below\s+)?${VALUE})\s*\)?)?`;
const WITHIN = String.raw`(?:\s+(?:in|within|over)\s+(?:an?\s+|the\s+last\s+)?(\d{0,4}\s*(?:minutes?|mins?|m|hours?|h|d|days?))(?![\p{L}\d]))?`;
/** How long a value must stay beyond a threshold. */
const LASTS = String.raw`for\s+(?:at\s+least\s+|more\s+than\s+|over\s+)?(?:an?\s+)?(\d{0,5}(?:\.\d+)?\s*(?:minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![\p{L}\d])|[^\s,;()]*)`;
const MEASURE = String.raw`(?:(${MEASURE_WORDS.join('|')})\s*)?`;
const term = (pattern: string): RegExp => new RegExp(String.raw`${pattern}[\s,;]*(?:(?:and|or)\s+)?`, 'iuy');

const TERMS = [
  ['everything', term(String.raw`(everything|all)(?=\s*$)`)],
  ['usd', term(String.raw`(?:usd|amount)${AT_LEAST}${VALUE}`)],
  ['percent', term(String.raw`(?:percent|%)${AT_LEAST}${VALUE}`)],
  ['stages', term(String.raw`stages?${LIST}`)],
  ['metrics', term(String.raw`metrics?${LIST}`)],
  ['tokens', term(String.raw`tokens?${PHRASES}`)],
  ['categories', term(String.raw`categor(?:y|ies)${PHRASES}`)],
  ['accounts', term(String.raw`accounts?${PHRASES}`)],
  ['title', term(String.raw`titles?${PHRASES}`)],
  ['projects', term(String.raw`projects?${PHRASES}`)],
  ['updates', term(String.raw`updates?${LIST}`)],
  ['remind', term(String.raw`remind(?:ers?)?${LIST}`)],
  ['back', term(String.raw`back(?:\s+to\s+normal)?\s*[:=\s]\s*(${WORD}|)`)],
  ['move', term(String.raw`${MEASURE}moves?\b\s*(?:by\b|>=|>|:)?\s*${VALUE}${WITHIN}`)],
  ['flip', term(String.raw`${MEASURE}flips?(?![\p{L}\d])`)],
  ['change', term(String.raw`${MEASURE}changes?(?![\p{L}\d])`)],
  ['extreme', term(String.raw`${MEASURE}(?:at a )?(?:new )?extreme\b\s*(?:of\b|over\b|:)?\s*${VALUE}`)],
  ['z-score', term(String.raw`${MEASURE}(?:with a )?z(?:-?score)?\b\s*(?:of )?(?:at least|>=|>|:)?\s*${VALUE}`)],
  ['line', term(String.raw`${MEASURE}(<=|>=|≤|≥|<|>|below|under|above|over)\s*${VALUE}(?:\s+${LASTS})?${BAND}`)],
  ['discount', term(String.raw`discount\s*(?:>=?|over|above|of more than)\s*${VALUE}(?:\s+${LASTS})?${BAND}`)],
  ['only', term(String.raw`on\s+([1-9A-HJ-NP-Za-km-z]{32,44})(?![\p{L}\d])`)],
  ['lasts', term(LASTS)],
  ['once', term(String.raw`once(?![\p{L}\d])`)],
  ['until', term(String.raw`until\s+${UNTIL}`)],
  ['least', term(String.raw`(?:at least|>=|>|≥|over)\s*${VALUE}`)],
  ['size', term(SIZE)],
] as const;
type TermName = (typeof TERMS)[number][0];

/** `groups` are those of the pattern's match; the first one is the whole match. */
export interface Term {
  readonly name: TermName;
  readonly groups: readonly (string | undefined)[];
}

export function nextTerm(text: string, at: number, kind: string): Term | undefined {
  for (const [name, pattern] of TERMS) {
    // If the kind has no thresholds, a comparison without a measure is a filter by event size.
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
  if (whole !== undefined) return { name, groups: [whole, plain.join(',')] };
  return filters.includes('tokens') ? symbolsAlone(text, at, known) : undefined;
}

/** Reads "only usdc" or "USDC" in kinds that filter by token. Without "only", symbols must be in capitals. */
function symbolsAlone(text: string, at: number, known: readonly string[]): Term | undefined {
  const others = ['AND', 'OR', 'ONLY', 'USD', 'AMOUNT', 'STAGES?', 'TOKENS?', 'ACCOUNTS?', ...known.map((word) => word.toUpperCase())];
  const isOnly = /only\s/iuy;
  isOnly.lastIndex = at;
  const flags = isOnly.test(text) ? 'iuy' : 'uy';
  const one = String.raw`(?!(?:${[...others, ...NO_SYMBOLS].join('|')})(?![A-Z0-9]))\$?[A-Z][A-Z0-9]{1,14}(?![\p{L}\d_:<>=-])`;
  const pattern = new RegExp(String.raw`(?:only\s+)?(${one}(?:(?:\s*,\s*|\s+)(?:and\s+)?${one})*)[\s,;]*(?:(?:and|or)\s+)?`, flags);
  pattern.lastIndex = at;
  const [whole, symbols = ''] = pattern.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : { name: 'tokens', groups: [whole, symbols.toUpperCase().replaceAll(/[\s,]+(?:AND\s+)?/gu, ',')] };
}

/** Words of a rule that are not token symbols, even in capitals. */
const NO_SYMBOLS = [
  'EVERYTHING',
  'ALL',
  'ON',
  'OFF',
  'NONE',
  'USUAL',
  'SILENT',
  'UPDATES?',
  'REMIND(?:ERS?)?',
  'BACK',
  'ONCE',
  'UNTIL',
  'FOR',
  'PERCENT',
  'CATEGOR(?:Y|IES)',
  'AT',
  'LEAST',
  'OVER',
  'ABOVE',
  'BELOW',
  'UNDER',
  'FROM',
  'TO',
  'IN',
  'OUT',
];

const NUMBER = new RegExp(String.raw`^(${SIGN})\s*(${COIN})(\d+(?:[.,]\d+)*)(${SCALE}?)\s*(${UNIT}?)$`, 'iu');
const EXACT = /^(?:\d{1,18}|\d{1,3}(?:,\d{3}){1,5})(?:\.\d{1,18})?$/u;
/** Ambiguous numbers: in many countries "1.000" is a thousand. */
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/u;

const SCALES: Readonly<Record<string, Decimal>> = {
  '': decimal(1),
  k: decimal('1e3'),
  m: decimal('1e6'),
  b: decimal('1e9'),
  t: decimal('1e12'),
};

const UNITS: readonly (readonly [RegExp, Unit | 'weeks' | 'years' | 'hours'])[] = [
  [/^(?:\$|usd|dollar)/iu, '$'],
  [/^(?:%|percent)/iu, '%'],
  [/^p(?:oin)?t/iu, 'points'],
  [/^mo/iu, 'months'],
  [/^d/iu, 'days'],
  [/^place/iu, 'places'],
  [/^w/iu, 'weeks'],
  [/^y/iu, 'years'],
  [/^h/iu, 'hours'],
];
const called = (unit: string): string => (unit === '$' ? 'US dollars' : unit === '%' ? 'percent' : unit);

/** `says` states the expected unit and the `example`. */
type ReadValue = { readonly value: Decimal } | { readonly says: string };

/** Reads a value without checking its range. */
export function readValue(text: string, quantity: Quantity, example: string): ReadValue {
  const asIn = `Write it as in "${example}".`;
  const { what, unit } = quantity;
  const counted = unit === '' ? `${what} has no unit` : `${what} is counted in ${called(unit)}`;
  if (text.trim() === '') return { says: `Say how much. ${counted}, as in "${example}".` };
  const [, sign = '', coin = '', digits, letters = '', behind = ''] = NUMBER.exec(text.trim()) ?? [];
  if (digits === undefined) return { says: `"${brief(text.trim())}" isn't a number. ${counted}. ${asIn}` };
  const odd = [coin.trim(), behind].find((written) => written !== '' && !fits(written, unit));
  if (odd !== undefined) return { says: `${counted}, not in ${nameOf(odd)}. ${asIn}`.replace('unit, not in', 'unit such as') };
  if (isTwofold(digits, { unit, letters })) return { says: `"${brief(digits)}" can be read in two ways. ${plainly(digits)}` };
  const scale = letters.trim().toLowerCase();
  const by = SCALES[scale === 'thousand' ? 'k' : scale.charAt(0)];
  if (by === undefined || !EXACT.test(digits)) return { says: `"${brief(digits)}" isn't a number. ${asIn}` };
  const size = multiply(decimal(digits.replaceAll(',', '')), by);
  return { value: isZero(size) || sign === '' || sign === '+' ? size : decimal(`-${size}`) };
}

const unitOf = (written: string) => UNITS.find(([form]) => form.test(written))?.[1];

const fits = (written: string, unit: Unit): boolean => unitOf(written) === unit || (unit === 'points' && unitOf(written) === '%');

const nameOf = (written: string): string => called(unitOf(written) ?? written);

function isTwofold(digits: string, { unit, letters }: { unit: Unit; letters: string }): boolean {
  if (!EXACT.test(digits)) return /^\d+(?:\.\d{3})*,\d{1,2}$|^\d{1,3}(?:\.\d{3}){2,}$/u.test(digits);
  return letters === '' && THOUSANDS.test(digits) && (unit === '$' || digits.endsWith('0'));
}

function plainly(digits: string): string {
  const whole = digits.replace(/,\d{1,2}$/u, '').replaceAll(/[.,]/gu, '');
  if (/^\d+,\d{1,2}$/u.test(digits)) return `Write ${digits.replace(',', '.')} with a point.`;
  return `Write ${whole} or ${whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')}.`;
}

const FILTER_EXAMPLES: Readonly<Record<FilterName, string>> = {
  leastUsd: 'usd>10000',
  leastPercent: 'percent>5',
  stages: 'stages:',
  metrics: 'metrics:fees',
  tokens: 'tokens:USDC',
  categories: 'categories:payroll',
  accounts: 'accounts:treasury',
  title: 'title:buyback',
  projects: 'projects:tide',
  updates: 'updates:off',
  remind: 'remind:1d,1h',
  back: 'back:off',
};

export function canBe(kind: string): string {
  const { filters = [], measures = [] } = alertKind(kind) ?? {};
  const [stage = ''] = [...stageWords(kind).keys()].slice(-1);
  const examples = [
    ...filters.filter((name) => name !== 'back').map((name) => (name === 'stages' ? `stages:${stage}` : FILTER_EXAMPLES[name])),
    ...measures.flatMap((measure) => MEASURES[measure].threshold?.examples ?? [MEASURES[measure].move.example]),
    ...(filters.includes('back') ? [FILTER_EXAMPLES.back] : []),
  ];
  return `For ${kind} there is ${either(examples)}.`;
}

/** The text is not a rule; the message says why. */
export class Unreadable extends Error {}

export const list = (text = ''): readonly string[] => [...new Set(text.toLowerCase().split(/\s*,\s*/u))].filter((word) => word !== '');

export function some(words: readonly string[], otherwise: string): readonly string[] {
  if (words.length === 0) throw new Unreadable(otherwise);
  return words;
}

const LABEL_EXAMPLES: Readonly<Record<Label, string>> = {
  tokens: 'Name the tokens, such as tokens:USDC.',
  categories: 'Name the categories, such as categories:payroll.',
  accounts: 'Name the accounts, such as accounts:"Main vault".',
  title: 'Write words of the title, such as title:"buyback".',
  projects: 'Name the projects, such as projects:tide.',
};

/** Returns each phrase once, in its first spelling. */
export function phrases(label: Label, text = ''): readonly string[] {
  const all = text.split(/\s*,\s*/u).map((phrase) =>
    phrase
      .replaceAll(/["“”„«»]/gu, '')
      .trim()
      .replaceAll(/\s+/gu, ' '),
  );
  const named = all.filter((phrase) => phrase !== '');
  return some(
    [...new Map(named.toReversed().map((phrase) => [phrase.toLowerCase(), phrase])).values()].toReversed(),
    LABEL_EXAMPLES[label],
  );
}

export function stages(kind: string, words: readonly string[]): readonly string[] {
  const there = stageChoices(kind);
  const named = words.filter((word) => word !== NO_STAGE);
  if (named.length < words.length && (alertKind(kind)?.measures ?? []).length > 0)
    return named.length === 0 ? [NO_STAGE] : stages(kind, named);
  const odd = words.find((word) => !stageWords(kind).has(word));
  if (odd !== undefined) throw new Unreadable(`There is no stage "${brief(odd)}" of ${kind}; there is ${either(there)}.`);
  return there.length === 0 ? words : some(words, `Name the stages of ${kind}: ${either(there)}.`);
}

export function updates(kind: string, words: readonly string[]): readonly string[] {
  const [only, ...more] = words;
  if (only === 'on') throw new Unreadable('Write "remove updates" for the usual live messages.');
  return (only === 'off' || only === 'none') && more.length === 0 ? words : stages(kind, words);
}

export function wayBack(word: string): NonNullable<Filters['back']> {
  const way = BACK_WAYS.find((one) => one === word.toLowerCase());
  if (way === undefined) throw new Unreadable(`After "back" write ${either(BACK_WAYS)}: how this chat learns that an alert is over.`);
  return way;
}

/** Returns reminder offsets in minutes, the longest first. */
export function reminders(words: readonly string[]): readonly number[] {
  if (words.length === 1 && (words[0] === 'off' || words[0] === 'none')) return [];
  const offsets = some(words, 'Say how long before the end, such as "remind 1d,1h".').map((word) => {
    const minutes = readOffset(word);
    if (minutes === undefined)
      throw new Unreadable(`"${brief(word)}" is no time before an end. Write 5min to 30d, such as "remind 1d,1h".`);
    return minutes;
  });
  if (offsets.length > MAX_REMINDERS) throw new Unreadable(`There is room for ${MAX_REMINDERS} reminders of a kind.`);
  return [...new Set(offsets)].toSorted((a, b) => b - a);
}

/** Returns the time in ms, or 0 if the text is no time. A unit without a number counts once. */
export function timeOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d*(?:\.\d+)?)\s*([a-z])/iu.exec(text) ?? [];
  return Math.round((count === '' ? 1 : Number(count)) * ({ m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }[unit.toLowerCase()] ?? 0));
}

/** Returns the time in ms. Throws if the text is no time. */
export function lastsOf(text: string | undefined): number {
  const time = timeOf(text ?? '');
  if (time > 0) return time;
  throw new Unreadable(`"for ${brief(text ?? '')}" is not a time. Write for 30min, for 6h or for 3d.`);
}
