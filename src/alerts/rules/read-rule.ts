/** This module parses a rule as typed or as `wordsOf` writes it. It is pure. */
import { brief } from '../../base/one-line.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { both, either } from '../../base/sentence-lists.js';
import { isZero, negate, subtract } from '../../domain/decimal.js';
import type { FilterName, Filters } from '../../domain/filters.js';
import {
  CHANGE_MEASURES,
  FLIP_MEASURES,
  defaultHysteresis,
  isJoinable,
  JOINABLE_MEASURES,
  MEASURE_NAMES,
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
  conditionsOf,
  lineRuleSchema,
  lineWords,
  MAX_CONDITIONS,
  neverCrossed,
  QUANTITY,
  thresholdRuleSchema,
  thresholdWords,
  type LineRule,
  type Quantity,
} from '../../domain/threshold-rule.js';
import { decimal, type Decimal, type Instant } from '../../domain/scalars.js';
import { meantRule } from './meant-rule.js';
import { alertKind, KINDS } from './kinds.js';
import { readUntil } from './rule-end.js';
import {
  canBe,
  lastsOf,
  list,
  nextTerm,
  phrases,
  readValue,
  reminders,
  some,
  stages,
  timeOf,
  Unreadable,
  updates,
  wayBack,
  type Term,
} from './rule-terms.js';
import { ruleName } from './presets.js';
import { kindRulesSchema, type KindRules } from './rule.js';

/** `says` states the error and what is allowed. */
export type ReadRule = { readonly read: true; readonly rules: KindRules } | { readonly read: false; readonly says: string };

const MAX_TEXT = 1_000;

/** Reads text such as `premium<-20 once` or `runway<6 nav move 5%`. `now` resolves ends such as "until Dec 1". */
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
  const thresholds: KindRules['thresholds'][number][] = [];
  let either: Read | undefined;
  let isJoined = false;
  for (let at = begun; at < text.length;) {
    const { name, groups } = nextTerm(text, at, kind) ?? unreadable(text.slice(at), kind);
    const [whole = ''] = groups;
    at += whole.length;
    const joins = isJoined;
    isJoined = /\band\s+$/iu.test(whole);
    if (isLimit(name)) {
      thresholds.push(withLimit(thresholds.pop(), limitOf({ name, groups }, now), { text, name }));
      continue;
    }
    const more = readTerm({ name, groups, kind: joins || isJoined ? kindOfCondition({ name, groups }, kind) : kind });
    if ('when' in more) {
      const before = joins ? thresholds.pop() : undefined;
      thresholds.push(before === undefined ? more : joined(before, more, text));
    } else if (Object.keys(more).some((filterName) => filterName in filters))
      throw new Unreadable(`"${brief(text)}" says the same thing twice; leave one out.`);
    else Object.assign(filters, more);
    if (either !== undefined) Object.assign(filters, eitherOf(either, more, text));
    either = /\bor\s+$/iu.test(whole) ? more : undefined;
  }
  if (either !== undefined) throw new Unreadable(`"${brief(text)}" ends with "or".`);
  // A rule that is written twice is one.
  const all = [...new Map(thresholds.map((rule) => [ruleName(rule), rule])).values()];
  return checked(kindRulesSchema, { kind: homeOf(all, { kind, filters, text }), filters, thresholds: all });
}

const OF_MEASURES: readonly Term['name'][] = ['line', 'move', 'change', 'flip', 'extreme', 'z-score'];

/** Returns the kind of a condition, which may differ from the kind of the other conditions. */
function kindOfCondition({ name, groups: [, first] }: Term, kind: string): string {
  const measure = name === 'discount' ? 'premium' : OF_MEASURES.includes(name) && first !== undefined ? measureNamed(first) : undefined;
  return measure === undefined ? kind : MEASURES[measure].kind;
}

/** Joins two thresholds that must hold at the same time. They are ordered as in the table of measures, so that equal rules are equal. */
function joined(rule: KindRules['thresholds'][number], other: KindRules['thresholds'][number], text: string): LineRule {
  const says = (why: string): Unreadable => new Unreadable(`${quoted(text)}: ${why} ${APART}`);
  if (!('threshold' in rule) || !('threshold' in other)) throw says('"and" joins only thresholds, such as "premium<-10 and runway>12".');
  const conditions = [...conditionsOf(rule), ...conditionsOf(other)];
  const odd = conditions.find(({ measure }) => !isJoinable(measure));
  if (odd !== undefined)
    throw says(
      `"and" joins ${both(JOINABLE_MEASURES)} of one project, and ${odd.measure} is ${MEASURES[odd.measure].kind === 'proposals' ? 'of a market' : 'none of them'}.`,
    );
  const twice = conditions.find(({ measure }, at) => conditions.findIndex((one) => one.measure === measure) < at);
  if (twice !== undefined) throw says(`${twice.measure} is there twice, and one rule has one threshold of a measure.`);
  if (conditions.length > MAX_CONDITIONS)
    throw says(`"and" joins at most ${MAX_CONDITIONS} conditions, and these are ${conditions.length}.`);
  if (rule.lasts !== undefined && other.lasts !== undefined)
    throw new Unreadable(`"${brief(text)}" says twice how long the values must last; leave one "for" out. It is about all conditions.`);
  const { once, until, lasts = other.lasts } = rule;
  const [first, ...others] = conditions
    .map(({ when, measure, threshold, hysteresis }) => ({ when, measure, threshold, hysteresis }))
    .toSorted((a, b) => MEASURE_NAMES.indexOf(a.measure) - MEASURE_NAMES.indexOf(b.measure));
  return checked(lineRuleSchema, { ...first, ...omitUndefined({ lasts, once, until }), and: others }, text);
}

const APART = 'For rules that alert each on its own, write ";" between them.';

/** Returns the kind of a rule. If it joins two kinds, that is the kind of its first measure, whose check reads both. */
function homeOf(
  thresholds: KindRules['thresholds'],
  { kind, filters, text }: { readonly kind: string; readonly filters: Filters; readonly text: string },
): string {
  const [home = kind, ...others] = new Set(thresholds.map(({ measure }) => MEASURES[measure].kind));
  const wrong = thresholds.find(({ measure }) => MEASURES[measure].kind !== kind);
  if (wrong === undefined) return kind;
  if (!('and' in wrong)) return measureOf(kind, wrong.measure, text);
  if (others.length === 0 && Object.keys(filters).length === 0) return home;
  throw new Unreadable(`${quoted(text)}: "${thresholdWords(wrong)}" is a rule of ${MEASURES[wrong.measure].kind}. Set it by itself.`);
}

function kindOf(text: string): string {
  const [first = ''] = /^[\p{L}\d-]*/u.exec(text) ?? [];
  const word = first.toLowerCase();
  if (KINDS.includes(word)) return word;
  const measured = /^flips?$/u.test(word) ? FLIP_MEASURES[0] : word;
  const kind = KINDS.find((name) => alertKind(name)?.measures.some((measure) => measure === measured));
  if (kind !== undefined) return kind;
  const meant = meantRule(text);
  if (meant !== undefined) throw new Unreadable(`No measure "${brief(word)}". Did you mean "${brief(meant)}"?`);
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

type Read = Filters | KindRules['thresholds'][number];

const isSize = (term: Read): boolean => 'leastUsd' in term || 'leastPercent' in term;

function eitherOf(one: Read, other: Read, text: string): Filters {
  if (isSize(one) && isSize(other)) return { eitherSize: true };
  if ('when' in one && 'when' in other)
    throw new Unreadable(`"${brief(text)}": rules of which each alerts on its own are two rules. Write ";" between them instead of "or".`);
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
  /** A `discount` of N percent is a premium below −N percent. */
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
  // At a threshold of 0, hysteresis in percent would be 0, and the value is never below 0.
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
  // Without a name, take the only measure, or the one named like the kind.
  const found = named ?? measures.find((measure) => measure === kind || measures.length === 1);
  if (found !== undefined && measures.includes(found)) return found;
  const home = named && MEASURES[named].kind;
  const rule = whole.replace(/[\s,;]+(?:(?:and|or)\s+)?$/iu, '');
  if (named !== undefined && home !== undefined && home !== kind)
    throw new Unreadable(
      `"${brief(rule.trim())}": ${named} belongs to ${home}, so set it separately: ${home} ${brief(rule.trim())}. Nothing is changed.`,
    );
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
