/** This module parses a rule as typed or as `wordsOf` writes it. It is pure. */
import { DAY, HOUR, MINUTE } from '../../base/clock.js';
import { brief } from '../../base/one-line.js';
import { either } from '../../base/sentence-lists.js';
import { isZero, negate, subtract } from '../../domain/decimal.js';
import { BACK_WAYS, type FilterName, type Filters, type Label } from '../../domain/filters.js';
import {
  CHANGE_MEASURES,
  FLIP_MEASURES,
  defaultHysteresis,
  measureNamed,
  MEASURES,
  THRESHOLD_MEASURES,
  thresholdOf,
  type Measure,
  type ThresholdMeasure,
} from '../../domain/measures.js';
import {
  leastPercentSchema,
  leastUsdSchema,
  lineWords,
  neverCrossed,
  QUANTITY,
  thresholdRuleSchema,
  type LineRule,
  type Quantity,
} from '../../domain/threshold-rule.js';
import { decimal, type Decimal, type Instant } from '../../domain/scalars.js';
import { MAX_REMINDERS, readOffset } from '../../domain/reminder.js';
import { alertKind, KINDS, stageChoices, stageWords } from './kinds.js';
import { readUntil } from './rule-end.js';
import { readValue, nextTerm, type Term, canBe } from './rule-terms.js';
import { ruleName } from './presets.js';
import { kindRulesSchema, type KindRules } from './rule.js';

/** `says` tells the error and what is allowed. */
export type ReadRule = { readonly read: true; readonly rules: KindRules } | { readonly read: false; readonly says: string };

const MAX_TEXT = 1_000;

class Unreadable extends Error {}

/** It reads `premium<-20 once` or `runway<6 nav move 5%`. `now` is for ends such as "until Dec 1". */
export function readRule(text: string, now?: Instant): ReadRule {
  try {
    if (text.length > MAX_TEXT) throw new Unreadable(`A rule has at most ${MAX_TEXT} characters; this one has ${text.length}.`);
    return { read: true, rules: rulesOf(text.trim(), now) };
  } catch (cause) {
    if (cause instanceof Unreadable) return { read: false, says: cause.message };
    throw cause;
  }
}

function rulesOf(text: string, now: Instant | undefined): KindRules {
  const kind = kindOf(text);
  const begun = new RegExp(String.raw`^${kind}(?:\s*:\s*|\s+|$)`, 'iu').exec(text)?.[0].length ?? 0;
  const filters: Filters = {};
  const thresholds = new Map<string, KindRules['thresholds'][number]>();
  let either: Read | undefined;
  let last: KindRules['thresholds'][number] | undefined;
  for (let at = begun; at < text.length;) {
    const { name, groups } = nextTerm(text, at, kind) ?? unreadable(text.slice(at), kind);
    const [whole = ''] = groups;
    at += whole.length;
    if (isLimit(name)) {
      if (last !== undefined) thresholds.delete(ruleName(last));
      last = withLimit(last, limitOf({ name, groups }, now), { text, name });
      thresholds.set(ruleName(last), last);
      continue;
    }
    const more = readTerm({ name, groups, kind });
    if ('when' in more) thresholds.set(ruleName((last = more)), more);
    else if (Object.keys(more).some((filterName) => filterName in filters))
      throw new Unreadable(`"${brief(text)}" says the same thing twice; leave one out.`);
    else Object.assign(filters, more);
    if (either !== undefined) Object.assign(filters, eitherOf(either, more, text));
    either = /\bor\s+$/iu.test(whole) ? more : undefined;
  }
  if (either !== undefined) throw new Unreadable(`"${brief(text)}" ends with "or".`);
  return checked(kindRulesSchema, { kind, filters, thresholds: [...thresholds.values()] });
}

function kindOf(text: string): string {
  const [first = ''] = /^[\p{L}\d-]*/u.exec(text) ?? [];
  const word = first.toLowerCase();
  if (KINDS.includes(word)) return word;
  const measured = /^flips?$/u.test(word) ? FLIP_MEASURES[0] : word;
  const kind = KINDS.find((name) => alertKind(name)?.measures.some((measure) => measure === measured));
  if (kind !== undefined) return kind;
  throw new Unreadable(`A rule begins with its kind, which is ${either(KINDS)}, such as "supply usd>10000" or "premium<-20".`);
}

function unreadable(rest: string, kind: string): never {
  throw new Unreadable(`Can't read "${brief(rest)}". ${canBe(kind)}`);
}

const LIMITS = ['once', 'until', 'only', 'lasts'] as const;
type LimitTerm = (typeof LIMITS)[number];
const isLimit = (name: Term['name']): name is LimitTerm => LIMITS.some((one) => one === name);

type Limits = Pick<KindRules['thresholds'][number], 'once' | 'until' | 'only'> & Pick<LineRule, 'lasts'>;

function withLimit(
  rule: KindRules['thresholds'][number] | undefined,
  limits: Limits,
  { text, name }: { readonly text: string; readonly name: LimitTerm },
): KindRules['thresholds'][number] {
  if (rule !== undefined && limits.only !== undefined && MEASURES[rule.measure].of === 'subject')
    throw new Unreadable(`"${brief(text)}": only rules on a market can be for one proposal, such as "margin<2 on" and its public key.`);
  if (rule !== undefined && limits.lasts !== undefined && !('threshold' in rule))
    throw new Unreadable(`"${brief(text)}": only a value beyond a threshold can last, such as "premium<-10 for 6h".`);
  if (rule !== undefined && limits.lasts !== undefined && 'lasts' in rule && rule.lasts !== undefined)
    throw new Unreadable(`"${brief(text)}" says twice how long the value must last; leave one "for" out.`);
  if (rule !== undefined) return checked(thresholdRuleSchema, { ...rule, ...limits }, text);
  const example = { once: name, until: 'until 2026-12-01', only: 'once', lasts: 'for 6h' }[name];
  throw new Unreadable(`"${brief(text)}": "${name === 'lasts' ? 'for' : name}" follows a threshold, such as "premium<-10 ${example}".`);
}

function limitOf({ name, groups }: Term, now: Instant | undefined): Limits {
  if (name === 'once') return { once: true };
  if (name === 'only') return { only: groups[1] };
  if (name === 'lasts') return { lasts: lastsOf(groups[1]) };
  const found = readUntil(groups[1] ?? '', now);
  if ('says' in found) throw new Unreadable(found.says);
  return found;
}

/** It is in ms. */
function lastsOf(text: string | undefined): number {
  const time = timeOf(text ?? '');
  if (time > 0) return time;
  throw new Unreadable(`"for ${brief(text ?? '')}" is not a time. Write for 30min, for 6h or for 3d.`);
}

type Read = Filters | KindRules['thresholds'][number];

const isSize = (term: Read): boolean => 'leastUsd' in term || 'leastPercent' in term;

function eitherOf(one: Read, other: Read, text: string): Filters {
  if (isSize(one) && isSize(other)) return { eitherSize: true };
  throw new Unreadable(`"${brief(text)}": "or" joins an amount and a percentage, such as "usd>10000 or percent>0.5".`);
}

interface ValueTerm extends Pick<Term, 'groups'> {
  readonly name: Exclude<Term['name'], LimitTerm>;
  readonly kind: string;
}

function readTerm({ name, groups, kind }: ValueTerm): Read {
  const [whole = '', first, second, third, fourth, fifth, sixth] = groups;
  switch (name) {
    case 'everything':
      return {};
    case 'usd':
      return filter(kind, 'leastUsd', () => ({ leastUsd: checked(leastUsdSchema, value(first, QUANTITY.usd, 'usd>10000', whole), whole) }));
    case 'percent':
      return filter(kind, 'leastPercent', () => ({
        leastPercent: checked(leastPercentSchema, value(first, QUANTITY.percent, 'percent>5', whole), whole),
      }));
    case 'least':
    case 'size':
      if (/\$|usd|dollar/iu.test(first ?? '')) return readTerm({ name: 'usd', groups, kind });
      if (/%|percent/iu.test(first ?? '')) return readTerm({ name: 'percent', groups, kind });
      throw new Unreadable(`"${brief(whole.trim())}" is of what? Write usd>10000 or percent>5.`);
    case 'stages':
      return filter(kind, 'stages', () => ({ stages: stages(kind, list(first)) }));
    case 'metrics':
      return filter(kind, 'metrics', () => ({ metrics: some(list(first), 'Name the metrics, such as "growth metrics:fees".') }));
    case 'tokens':
    case 'categories':
    case 'accounts':
    case 'title':
    case 'projects':
      return filter(kind, name, () => ({ [name]: phrases(name, first) }));
    case 'updates':
      return filter(kind, 'updates', () => ({ updates: updates(kind, list(first)) }));
    case 'remind':
      return filter(kind, 'remind', () => ({ remind: reminders(list(first)) }));
    case 'back':
      return filter(kind, 'back', () => ({ back: wayBack(first ?? '') }));
    case 'move': {
      const measure = measureOf(kind, first, whole);
      if (MEASURES[measure].each) throw new Unreadable(`A ${measure} is watched by its size, such as "${measure}>10000".`);
      const by = value(second, QUANTITY.move(measure), MEASURES[measure].move.example, whole);
      return rule({ when: 'move', measure, by, within: third === undefined ? undefined : timeOf(third) }, whole);
    }
    case 'flip': {
      const measure = measureOf(kind, first ?? FLIP_MEASURES[0], whole);
      if (!MEASURES[measure].flips)
        throw new Unreadable(
          `Only a margin flips. For ${measure} write a threshold, such as "${MEASURES[measure].threshold?.examples[0] ?? MEASURES[measure].move.example}".`,
        );
      return rule({ when: 'flip', measure }, whole);
    }
    case 'change': {
      const measure = measureOf(kind, first ?? CHANGE_MEASURES[0], whole);
      if (!MEASURES[measure].change) throw new Unreadable(`Say by how much ${measure} must move, such as "${measure} move 5".`);
      return rule({ when: 'change', measure }, whole);
    }
    case 'extreme': {
      const measure = lastingMeasure(kind, first, whole);
      return rule({ when: 'extreme', measure, days: value(second, QUANTITY.days, `${measure} extreme 90`, whole) }, whole);
    }
    case 'z-score': {
      const measure = lastingMeasure(kind, first, whole);
      return rule({ when: 'z-score', measure, least: value(second, QUANTITY.zScore, `${measure} z>2`, whole) }, whole);
    }
    case 'line': {
      if (/^(?:<=|>=|≤|≥)$/u.test(second ?? ''))
        throw new Unreadable(`"${brief(whole.trim())}": write < or >; a threshold is crossed, not touched.`);
      const when = /^(?:<|below|under)$/iu.test(second ?? '') ? 'below' : 'above';
      return line({ kind, measure: lineMeasure(kind, first, whole), when, text: third, lasts: fourth, band: fifth, back: sixth, whole });
    }
    case 'discount':
      return line({
        ...{ kind, measure: lineMeasure(kind, 'premium', whole), when: 'discount', whole },
        ...{ text: first, lasts: second, band: third, back: fourth },
      });
  }
}

interface Line {
  readonly kind: string;
  readonly measure: ThresholdMeasure;
  /** A discount of N percent is a premium below −N percent. */
  readonly when: 'above' | 'below' | 'discount';
  readonly text: string | undefined;
  readonly lasts: string | undefined;
  readonly band: string | undefined;
  readonly back: string | undefined;
  readonly whole: string;
}

function line({ measure, when, text, lasts, band, back, whole }: Line): Read {
  const { least, hysteresis, examples } = thresholdOf(measure);
  const size = value(text, QUANTITY.line(measure), when === 'discount' ? 'discount>20' : thresholdOf(measure).examples[0], whole);
  const at = when === 'discount' ? negate(size) : size;
  // A re-arm distance in percent of nothing is none, and the value is never below 0 anyway.
  if ('percent' in hysteresis.usual && isZero(at) && isZero(decimal(least)))
    throw new Unreadable(
      MEASURES[measure].each
        ? `${quoted(whole)}: write the least size of a ${MEASURES[measure].name}, such as ${examples[0]}.`
        : `${quoted(whole)}: ${MEASURES[measure].name} is ${when === 'above' ? 'always above' : 'never below'} ${lineWords(measure, at)}, so this threshold can never be crossed. Write one such as ${examples[0]}.`,
    );
  return rule(
    {
      when: when === 'discount' ? 'below' : when,
      measure,
      threshold: at,
      hysteresis:
        band !== undefined
          ? value(band, QUANTITY.hysteresis(measure), thresholdOf(measure).hysteresis.example, whole)
          : back === undefined
            ? defaultHysteresis(measure, at)
            : bandTo(value(back, QUANTITY.line(measure), thresholdOf(measure).examples[0], whole), { at, when }),
      ...(lasts === undefined ? {} : { lasts: lastsOf(lasts) }),
    },
    whole,
  );
}

const bandTo = (back: Decimal, { at, when }: { readonly at: Decimal; readonly when: Line['when'] }): Decimal =>
  when === 'above' ? subtract(at, back) : subtract(back, at);

function rule(candidate: unknown, whole: string): KindRules['thresholds'][number] {
  const rule = checked(thresholdRuleSchema, candidate, whole);
  const never = neverCrossed(rule);
  if (never !== undefined) throw new Unreadable(`${quoted(whole)}: ${never}`);
  return rule;
}

function value(text: string | undefined, quantity: Quantity, example: string, whole: string): Decimal {
  const found = readValue(text ?? '', quantity, example);
  if ('value' in found) return found.value;
  throw new Unreadable(`${quoted(whole)}: ${found.says}`);
}

function filter(kind: string, name: FilterName, read: () => Filters): Filters {
  if (alertKind(kind)?.filters.includes(name) === true) return read();
  throw new Unreadable(`There is no such filter for ${kind}. ${canBe(kind)}`);
}

function measureOf(kind: string, written: string | undefined, whole: string): Measure {
  const measures = alertKind(kind)?.measures ?? [];
  const named = written === undefined ? undefined : measureNamed(written);
  // By default it is the only measure, or the one named like the kind.
  const found = named ?? measures.find((measure) => measure === kind || measures.length === 1);
  if (found !== undefined && measures.includes(found)) return found;
  throw new Unreadable(
    measures.length === 0
      ? `${kind} has no measure to set a threshold on. ${canBe(kind)}`
      : `"${brief(whole.trim())}": name the measure; ${kind} has ${either(measures)}.`,
  );
}

function lineMeasure(kind: string, written: string | undefined, whole: string): ThresholdMeasure {
  const measure = measureOf(kind, written, whole);
  const found = THRESHOLD_MEASURES.find((one) => one === measure);
  if (found !== undefined) return found;
  const { name, move } = MEASURES[measure];
  throw new Unreadable(`"${brief(whole.trim())}": a ${name} is watched by how many ${move.unit} it moves, such as "${move.example}".`);
}

function lastingMeasure(kind: string, written: string | undefined, whole: string): ThresholdMeasure {
  const measure = lineMeasure(kind, written, whole);
  if (MEASURES[measure].of === 'subject') return measure;
  throw new Unreadable(
    `"${brief(whole.trim())}": a market is too short for that. Write a threshold or a move, such as ${either(thresholdOf(measure).examples)}.`,
  );
}

/** It is in ms, and 0 if the text is no time. Without a number it is one unit. */
function timeOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d*(?:\.\d+)?)\s*([a-z])/iu.exec(text) ?? [];
  return Math.round((count === '' ? 1 : Number(count)) * ({ m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }[unit.toLowerCase()] ?? 0));
}

const list = (text = ''): readonly string[] => [...new Set(text.toLowerCase().split(/\s*,\s*/u))].filter((word) => word !== '');

function some(words: readonly string[], otherwise: string): readonly string[] {
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

/** It gives each phrase once, as it was written first. */
function phrases(label: Label, text = ''): readonly string[] {
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

function stages(kind: string, words: readonly string[]): readonly string[] {
  const there = stageChoices(kind);
  const odd = words.find((word) => !stageWords(kind).has(word));
  if (odd !== undefined) throw new Unreadable(`There is no stage "${brief(odd)}" of ${kind}; there is ${either(there)}.`);
  return there.length === 0 ? words : some(words, `Name the stages of ${kind}: ${either(there)}.`);
}

function updates(kind: string, words: readonly string[]): readonly string[] {
  const [only, ...more] = words;
  if (only === 'on') throw new Unreadable('Write "remove updates" for the usual live messages.');
  return (only === 'off' || only === 'none') && more.length === 0 ? words : stages(kind, words);
}

function wayBack(word: string): NonNullable<Filters['back']> {
  const way = BACK_WAYS.find((one) => one === word.toLowerCase());
  if (way === undefined) throw new Unreadable(`After "back" write ${either(BACK_WAYS)}: how this chat learns that an alert is over.`);
  return way;
}

/** It gives the offsets in minutes, the longest first. */
function reminders(words: readonly string[]): readonly number[] {
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

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly { readonly message: string }[] } };
}

function checked<T>(schema: Schema<T>, value: unknown, written?: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const says = result.error.issues[0]?.message ?? "That isn't a rule.";
  throw new Unreadable(written === undefined ? says : `${quoted(written)}: ${says}`);
}

const quoted = (written: string): string => `"${brief(written.replace(/[\s,;]+$/u, ''))}"`;
