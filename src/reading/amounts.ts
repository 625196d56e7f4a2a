/** Finds numbers with units and comparisons: "under 6 months", "$10K", "15%+", "2,5%". Values stay exact text, because floats would round them. */
import { lengthUnit } from './lengths.js';
import type { Token } from './tokens.js';

export type AmountUnit = '%' | '$' | 'cents' | 'months' | 'years' | 'weeks' | 'days' | 'hours' | 'minutes' | '';

export const isTime = (unit: AmountUnit): boolean => ['hours', 'minutes', 'days', 'weeks'].includes(unit);

export interface Amount {
  /** Exact decimal text without a sign: "1500000" for "1.5m". */
  readonly value: string;
  readonly negative: boolean;
  readonly unit: AmountUnit;
  /** The comparison, if words or signs state one. */
  readonly by: '<' | '>' | undefined;
  /** The range of tokens that the amount takes, including its comparison words. */
  readonly from: number;
  readonly to: number;
}

const NUMBER = /^([-–+]?)\s?([$€£]?)(\d+(?:[.,:/]\d+)*)\s?([a-z%¢$€]*)(\+?)$/u;
const UNITS: readonly (readonly [RegExp, AmountUnit])[] = [
  [/^(?:%|pct|percent|prozent|pc|p)$/u, '%'],
  [/^(?:\$|usd|usdc|dollars?|bucks?|€|euros?)$/u, '$'],
  [/^(?:¢|c|cents?)$/u, 'cents'],
];
const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    k: 3,
    thousand: 3,
    m: 6,
    mn: 6,
    mil: 6,
    mill: 6,
    million: 6,
    millions: 6,
    b: 9,
    bn: 9,
    billion: 9,
  }),
);
/** The number words that `withDigits` does not replace. */
const WORDS: ReadonlyMap<string, string> = new Map(Object.entries({ zero: '0', one: '1', hundred: '100' }));
const BELOW = new Set([
  '<',
  '<=',
  '≤',
  'below',
  'under',
  'less',
  'lower',
  'beneath',
  'sub',
  'inferior',
  'smaller',
  'fewer',
  'until',
  'maximum',
]);
const ABOVE = new Set([
  '>',
  '>=',
  '≥',
  'above',
  'over',
  'more',
  'greater',
  'higher',
  'exceeds',
  'exceed',
  'exceeding',
  'bigger',
  'larger',
  'minimum',
  'min',
  'past',
  'deeper',
  'least',
  'beyond',
  'excess',
  'superior',
  'hits',
  'reaches',
  'longer',
  'plus',
  'big',
]);
/** Longer numbers are ignored: nobody means them as an amount. */
const MAX_DIGITS = 20;
const BETWEEN = new Set(['than', 'of', 'as', 'by', 'a', 'the', 'to', 'at', 'about', 'then']);

function unitOf(text: string): AmountUnit | undefined {
  const time = lengthUnit(text);
  return UNITS.find(([form]) => form.test(text))?.[1] ?? (time === 'quarters' ? undefined : time);
}

/** Finds all amounts in order, at most one for each token. */
export function amountsIn(tokens: readonly Token[]): readonly Amount[] {
  const found: Amount[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const read = numberAt(tokens, at);
    if (read === undefined) continue;
    const by = read.plus ? ({ by: '>', from: at } as const) : comparisonBefore(tokens, at, found.at(-1)?.to ?? 0);
    const after = tokens[read.to]?.word;
    const orMore = after === 'or' && /^(?:more|better|longer|higher|above|greater|up)$/u.test(tokens[read.to + 1]?.word ?? '');
    const orLess = after === 'or' && /^(?:less|fewer|lower|shorter|below|under)$/u.test(tokens[read.to + 1]?.word ?? '');
    const isLeast = after === 'plus' || after === 'minimum' || after === '+' || orMore;
    const behind = by.by ?? (isLeast ? '>' : orLess ? '<' : undefined);
    found.push({ value: read.value, negative: read.negative, unit: read.unit, by: behind, from: by.from, to: read.to });
    at = read.to - 1;
  }
  return found;
}

interface NumberRead {
  readonly value: string;
  readonly negative: boolean;
  readonly unit: AmountUnit;
  readonly plus: boolean;
  readonly to: number;
}

function numberAt(tokens: readonly Token[], at: number): NumberRead | undefined {
  const word = tokens[at]?.word ?? '';
  const spelled = WORDS.get(word) ?? lengthWord(tokens, at);
  const [, sign = '', coin = '', digits, letters = '', plus = ''] = NUMBER.exec(spelled ?? word) ?? [];
  if (digits === undefined || /[:/]/u.test(digits)) return undefined;
  const plain = plainDigits(digits);
  if (plain === undefined) return undefined;
  // "half a year" has an article between number and unit.
  const skipped = word === 'half' && /^an?$/u.test(tokens[at + 1]?.word ?? '') ? 1 : 0;
  const next = tokens[at + 1]?.word ?? '';
  let to = at + 1 + skipped;
  let scale = 0;
  let unit: AmountUnit | undefined = coin === '' ? undefined : '$';
  if (letters !== '') {
    const [, first = '', rest = ''] = /^(k|mn|mil|m|bn|b)?(.*)$/u.exec(letters) ?? [];
    const own = unitOf(letters);
    if (own !== undefined) unit = own;
    else if (first !== '' && (rest === '' || unitOf(rest) !== undefined)) {
      scale = SCALES.get(first) ?? 0;
      unit ??= unitOf(rest);
    } else return undefined;
  } else if (SCALES.get(next) !== undefined && next.length > 1) {
    scale = SCALES.get(next) ?? 0;
    to += 1;
  }
  const behind = tokens[to]?.word ?? '';
  const named = unitOf(behind);
  // A separate single letter is no unit: "5 d" in a sentence.
  if (unit === undefined && named !== undefined && behind.length > 1) {
    unit = named;
    to += 1;
  }
  // A number word is an amount only with a unit: "one of them" is none.
  if (spelled !== undefined && unit === undefined) return undefined;
  return { value: scaled(plain, scale), negative: sign === '-' || sign === '–', unit: unit ?? '', plus: plus === '+', to };
}

/** Reads "a year" as 1 year and "half a year" as 0.5. */
function lengthWord(tokens: readonly Token[], at: number): string | undefined {
  const [word = '', next = '', second = ''] = tokens.slice(at, at + 3).map((token) => token.word);
  const isLength = (text: string): boolean => ['months', 'years', 'weeks'].includes(unitOf(text) ?? '') && text.length > 1;
  if (word === 'half') return isLength(next) || ((next === 'a' || next === 'an') && isLength(second)) ? '0.5' : undefined;
  return (word === 'a' || word === 'an') && isLength(next) && tokens[at - 1]?.word !== 'half' ? '1' : undefined;
}

/** A comma before three digits separates thousands, and so does a point unless it is the only one. All others are decimal marks. */
function plainDigits(digits: string): string | undefined {
  if (digits.length > MAX_DIGITS) return undefined;
  if (/^\d+$/u.test(digits)) return String(BigInt(digits));
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(digits)) return digits.replaceAll(',', '');
  if (/^[1-9]\d{0,2}(?:\.\d{3})+$/u.test(digits)) return digits.replaceAll('.', '');
  if (/^\d+[.,]\d+$/u.test(digits)) return digits.replace(',', '.');
  return undefined;
}

function scaled(digits: string, places: number): string {
  if (places === 0) return digits;
  const [whole = '', part = ''] = digits.split('.');
  const moved = `${whole}${part.padEnd(places, '0').slice(0, places)}`.replace(/^0+(?=\d)/u, '');
  const rest = part.slice(places);
  return rest === '' ? moved : `${moved}.${rest}`;
}

function comparisonBefore(
  tokens: readonly Token[],
  at: number,
  stop: number,
): { readonly by: '<' | '>' | undefined; readonly from: number } {
  let index = at - 1;
  while (index >= stop && index >= at - 3 && BETWEEN.has(tokens[index]?.word ?? '')) index -= 1;
  const word = index >= stop ? (tokens[index]?.word ?? '') : '';
  const isMost = word === 'most' && tokens[index - 1]?.word === 'at';
  const by = BELOW.has(word) || isMost ? '<' : ABOVE.has(word) ? '>' : undefined;
  const before = tokens
    .slice(Math.max(stop, at - MAX_NEGATED), by === undefined ? at : index)
    .map((token) => token.word)
    .join(' ');
  const isNoMore = /(?:^| )no$/u.test(before) && /^(?:more|less|fewer|greater|higher|lower|longer)$/u.test(word);
  if (!isNoMore && !NEGATED.test(before)) return { by, from: by === undefined ? at : index };
  if (by !== undefined) return { by: by === '<' ? '>' : '<', from: index };
  return { by: OF_SIZE.test(before) ? '<' : undefined, from: at };
}

/** "Not more than 20%", "isn't under 6 months", "not at a discount of 10%": the opposite of what follows. */
const NEGATED =
  /(?:^| )(?:not|isnt|arent|never|wasnt|werent|doesnt|dont)(?: (?:yet|currently|now|really|even|be|being|trade|trades|trading|have|at|on|in|with|an?|any|the|its|their|discount|premium|runway))*(?: of)?$/u;
/** A size without a comparison is at least that much. */
const OF_SIZE = /\b(?:discount|premium|runway)(?: of)?$/u;
/** The value is in words before the amount. */
const MAX_NEGATED = 8;

/** Converts to months, rounded to two places. Returns undefined for a unit that is no time. */
export function inMonths({ value, unit }: Pick<Amount, 'value' | 'unit'>): string | undefined {
  if (unit === 'months' || unit === '') return value;
  if (unit === 'years') return String(Math.round(Number(value) * 12 * 100) / 100);
  if (unit === 'weeks') return String(Math.round((Number(value) / 4.345) * 100) / 100);
  if (unit === 'days') return String(Math.round((Number(value) / 30.44) * 100) / 100);
  return undefined;
}
