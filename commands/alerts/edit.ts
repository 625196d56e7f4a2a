/** Edits rules, modes, preset, age and mentions of an entry, and writes rules as typed. Edits are pure and throw a `UserError` above a limit. */
import { isDeepStrictEqual } from 'node:util';
import { brief } from '../../src/base/one-line.js';
import { both } from '../../src/base/sentence-lists.js';
import { MAX_AGE_HOURS, MAX_MENTIONS, targetName, type Entry } from '../../src/alerts/watchlist/entry.js';
import type { FilterName, Filters } from '../../src/domain/filters.js';
import { NO_STAGE, alertKind, hasOnlyMeasures } from '../../src/alerts/rules/kinds.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import {
  areEventsInDigest,
  KIND_MODES,
  isDigestOnly,
  isOff,
  modeOf,
  presetRules,
  rulesFor,
  type KindMode,
  type Preset,
} from '../../src/alerts/rules/presets.js';
import { MAX_THRESHOLD_RULES, filterWords, kindRulesSchema, wordsOf, type KindRules, type Rules } from '../../src/alerts/rules/rule.js';
import {
  Z_HYSTERESIS,
  conditionsOf,
  flipHysteresis,
  lastsTime,
  thresholdWords,
  type Condition,
  type ThresholdRule,
} from '../../src/domain/threshold-rule.js';
import { MINUTE } from '../../src/base/clock.js';
import { compare } from '../../src/domain/decimal.js';
import type { Instant } from '../../src/domain/scalars.js';
import { UserError, commandLine, type Remedy } from '../../src/reply/index.js';
import { ageText, shortRuleText, thresholdRuleText } from '../../src/dispatch/watchlists/rule-text.js';
import { lifetimeTyped } from '../../src/alerts/rules/rule-end.js';
import type { Mention } from '../../src/chat/reply.js';
import { exact } from '../../src/domain/format.js';
import { MEASURES, defaultHysteresis, defaultHysteresisWords, written } from '../../src/domain/measures.js';
import type { Person } from '../../src/chat/inbound.js';

/** Sets a preset and removes the chosen rules and modes. */
export function withPreset({ rules: _rules, modes: _modes, ...entry }: Entry, preset: Preset): Entry {
  return { ...entry, preset };
}

export function switched(entry: Entry, kind: string, to: KindMode): Entry {
  const back = withoutMode(entry, kind);
  if (to === 'on' && isOff(entry, kind) && modeOf(back, kind) === 'on' && !isDigestOnly(back, kind)) return back;
  return { ...back, modes: { ...back.modes, [kind]: to } };
}

const withoutMode = ({ modes, ...entry }: Entry, kind: string): Entry => {
  const left = withoutKey(modes, kind);
  return left === undefined ? entry : { ...entry, modes: left };
};

const withoutRules = ({ rules, ...entry }: Entry, kind: string): Entry => {
  const left = withoutKey(rules, kind);
  return left === undefined ? entry : { ...entry, rules: left };
};

function withoutKey<T>(all: Readonly<Record<string, T>> | undefined, kind: string): Readonly<Record<string, T>> | undefined {
  const left = Object.entries(all ?? {}).filter(([other]) => other !== kind);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

export const usual = (entry: Entry, kind: string): Entry => withoutRules(withoutMode(entry, kind), kind);

/** Removes the filters of a kind. A kind that has only measures keeps its threshold rules. */
export function everything(entry: Entry, kind: string): Entry {
  // Where the rest is in the digest only, the rules of Everything alone would leave the events there.
  const opened = entry.preset === 'digest' ? switched(entry, kind, 'on') : entry;
  if (!hasOnlyMeasures(kind)) return put(opened, kind, presetRules('everything', kind));
  const name = targetName(entry.target);
  const lines = rulesFor(entry, kind).thresholds.map((threshold) => thresholdRuleText(kind, threshold));
  const now = lines.length === 0 ? 'It has no rules here' : `Its rules: ${both(lines)}`;
  throw new UserError(`${kind} alerts when a value crosses a threshold, so it has no "everything". ${now}. Nothing is changed.`, {
    actions: [
      ...(isOff(entry, kind) ? [{ label: 'On', line: commandLine('alerts', name, kind, 'on') }] : []),
      { label: 'Rules of the preset', line: commandLine('alerts', name, kind, 'usual') },
      { label: 'Add or remove rules', line: commandLine('alerts', name, kind) },
    ],
  });
}

export function ruleOf(kind: string, text: string, now?: Instant): KindRules {
  const found = readRule(`${kind} ${text}`, now);
  if (found.read) return found.rules;
  throw new UserError(found.says, typing(kind));
}

/** Parses a rule after "only", where a symbol may be in lower case. */
export function onlyOf(kind: string, text: string, now?: Instant): KindRules {
  const found = readRule(`${kind} only ${text}`, now);
  return found.read ? found.rules : ruleOf(kind, text, now);
}

export function withRule(entry: Entry, { kind, filters, thresholds }: KindRules): Entry {
  const before = rulesFor(entry, kind);
  // A threshold that is set again keeps its place, so that setting the same rule is no change.
  const kept = before.thresholds.map((old) => thresholds.find((added) => sameLine(old, added)) ?? old);
  const fresh = thresholds.filter((added) => !before.thresholds.some((old) => sameLine(old, added)));
  if (kept.length + fresh.length > MAX_THRESHOLD_RULES) throw full(entry, kind, before.thresholds);
  return put(entry, kind, { filters: merged(before.filters, filters), thresholds: [...kept, ...fresh] });
}

function merged({ eitherSize, ...before }: Filters, added: Filters): Filters {
  const isWhole = added.leastUsd !== undefined && added.leastPercent !== undefined;
  return { ...before, ...(isWhole || eitherSize === undefined ? {} : { eitherSize }), ...added };
}

const full = ({ target }: Entry, kind: string, thresholds: readonly ThresholdRule[]): UserError =>
  new UserError(`A kind has at most ${MAX_THRESHOLD_RULES} rules. Remove one first.`, {
    actions: thresholds.map((threshold) => ({
      label: `Remove ${shortRuleText(kind, threshold)}`,
      line: commandLine('alerts', targetName(target), kind, 'remove', ...typed(kind, threshold).split(' ')),
    })),
  });

/** The filters that a form replaces completely. It leaves the other filters unchanged. */
const IN_FORMS: readonly FilterName[] = ['leastUsd', 'leastPercent', 'stages', 'metrics', 'updates'];

interface KindSetting {
  readonly mode: KindMode | undefined;
  /** The rules; empty if nothing is limited. */
  readonly text: string;
}

/** Separates a mode from the rules after it: "mode:silent; usd>10000; stages mint". */
export function settingOf(text: string): KindSetting {
  const [head = '', mode] = /^mode:\s*(on|silent|off)(?:\s*;\s*|\s+|$)/iu.exec(text) ?? [];
  return { mode: KIND_MODES.find((one) => one === mode?.toLowerCase()), text: text.slice(head.length).trim() };
}

/** Replaces the filters of a form and adds thresholds. Other rules stay. */
export function withSetting(entry: Entry, { kind, filters, thresholds }: KindRules, mode: KindMode | undefined): Entry {
  const before = rulesFor(entry, kind);
  const others = Object.fromEntries(
    Object.entries(before.filters).filter(([name]) => name !== 'eitherSize' && !IN_FORMS.some((one) => one === name)),
  );
  const bare = withRule(entry, { kind, filters: {}, thresholds });
  const after = put(bare, kind, { ...rulesFor(bare, kind), filters: { ...others, ...filters } });
  // A kind of measures has no rules without a threshold, so its rules stay unchanged and only the mode applies.
  const ruled = hasOnlyMeasures(kind) && thresholds.length === 0 ? entry : after;
  return mode === undefined || mode === modeOf(ruled, kind) ? ruled : switched(ruled, kind, mode);
}

/** Leaves the kind these rules alone. Beside threshold rules no event alerts, unless a filter says which. */
export function withOnly(entry: Entry, { kind, filters, thresholds }: KindRules): Entry {
  const only = put(entry, kind, { filters, thresholds });
  const { remind: _remind, updates: _updates, back: _back, ...ofEvents } = filters;
  if (thresholds.length === 0 || Object.keys(ofEvents).length > 0 || hasOnlyMeasures(kind) || areEventsInDigest(only, kind)) return only;
  return put(entry, kind, { filters: { ...filters, stages: [NO_STAGE] }, thresholds });
}

const FILTERS: ReadonlyMap<string, FilterName> = new Map([
  ['usd', 'leastUsd'],
  ['amount', 'leastUsd'],
  ['percent', 'leastPercent'],
  ['stages', 'stages'],
  ['stage', 'stages'],
  ['metrics', 'metrics'],
  ['metric', 'metrics'],
  ['tokens', 'tokens'],
  ['token', 'tokens'],
  ['categories', 'categories'],
  ['category', 'categories'],
  ['accounts', 'accounts'],
  ['account', 'accounts'],
  ['title', 'title'],
  ['titles', 'title'],
  ['projects', 'projects'],
  ['project', 'projects'],
  ['updates', 'updates'],
  ['update', 'updates'],
  ['remind', 'remind'],
  ['reminders', 'remind'],
  ['back', 'back'],
]);

/** Removes filters by name, or a typed threshold rule. A kind of thresholds is off without its last rule. */
export function without(entry: Entry, kind: string, text: string): Entry {
  const before = rulesFor(entry, kind);
  const names = text.toLowerCase().split(/[\s,]+/u);
  const gone = names.map((name) => FILTERS.get(name));
  if (!gone.includes(undefined)) {
    const left = Object.entries(before.filters).filter(([name]) => !gone.some((one) => one === name));
    return put(entry, kind, { ...before, filters: Object.fromEntries(left) });
  }
  const [threshold] = ruleOf(kind, text).thresholds;
  const thresholds = before.thresholds.filter((old) => threshold === undefined || !sameLine(old, threshold));
  if (thresholds.length === before.thresholds.length)
    throw new UserError(
      before.thresholds.length === 0
        ? `${kind} has no rule to remove.`
        : `No such rule of ${kind}. Its rules: ${both(before.thresholds.map((one) => thresholdRuleText(kind, one)))}.`,
    );
  return thresholds.length === 0 && hasOnlyMeasures(kind)
    ? switched(withoutRules(entry, kind), kind, 'off')
    : put(entry, kind, { ...before, thresholds });
}

export function sameLine(one: ThresholdRule, other: ThresholdRule): boolean {
  if (one.only !== other.only) return false;
  const lines = 'threshold' in one && 'threshold' in other;
  if (lines) return isDeepStrictEqual(conditionsOf(one).map(thresholdIn), conditionsOf(other).map(thresholdIn));
  return thresholdWords(one) === thresholdWords(other);
}

/** Identifies a threshold without its hysteresis, which can change without making it another rule. */
const thresholdIn = ({ when, measure, threshold }: Condition): string => `${measure} ${when} ${exact(threshold)}`;

function put(entry: Entry, kind: string, rules: Rules): Entry {
  const fit = kindRulesSchema.safeParse({ ...rules, filters: withoutLoneEither(rules.filters), kind });
  if (!fit.success) throw new UserError(fit.error.issues[0]?.message ?? "That isn't a rule.");
  const back = withoutRules(isOff(entry, kind) ? switched(entry, kind, 'on') : entry, kind);
  const { filters, thresholds } = fit.data;
  const preset = presetRules(entry.preset, kind);
  const isPreset = filterWords(filters) === filterWords(preset.filters) && asTyped(kind, thresholds) === asTyped(kind, preset.thresholds);
  return isPreset && !isDigestOnly(back, kind) ? back : { ...back, rules: { ...back.rules, [kind]: { filters, thresholds } } };
}

const withoutLoneEither = ({ eitherSize, ...filters }: Filters): Filters =>
  eitherSize === true && filters.leastUsd !== undefined && filters.leastPercent !== undefined ? { ...filters, eitherSize } : filters;

const asTyped = (kind: string, thresholds: readonly ThresholdRule[]): string =>
  thresholds.map((threshold) => typed(kind, threshold)).join('; ');

/** Sets the maximum age from "12h", "3d", "1w" or "usual". */
export function aged(entry: Entry, text: string): Entry {
  const { maxAgeHours: _, ...rest } = entry;
  if (/^(usual|off|everything)$/iu.test(text)) return rest;
  const [, digits = '', unit = ''] = /^(\d{1,4})\s*(h|hours?|d|days?|w|weeks?)$/iu.exec(text) ?? [];
  const hours = Number(digits) * (HOURS[unit.charAt(0).toLowerCase()] ?? Number.NaN);
  if (hours >= 1 && hours <= MAX_AGE_HOURS) return { ...rest, maxAgeHours: hours };
  throw new UserError(
    `"${brief(text)}" is not a maximum age. It can be from 1 h to ${ageText(MAX_AGE_HOURS)}, such as 12h, 3d or 1w, or usual.`,
    typing('age'),
  );
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };

/** Writes "below -10", "runway below 6 band 2" or "extreme 90", which parses back to the same rule. */
export const typed = (kind: string, threshold: ThresholdRule): string =>
  [typedThreshold(kind, threshold), lifetimeTyped(threshold)].filter((part) => part !== '').join(' ');

/** Writes a threshold without its lifetime. */
export function typedThreshold(kind: string, threshold: ThresholdRule): string {
  const figure = threshold.measure === kind ? '' : `${threshold.measure} `;
  switch (threshold.when) {
    case 'above':
    case 'below': {
      const usual = compare(threshold.hysteresis, defaultHysteresis(threshold.measure, threshold.threshold)) === 0;
      const lasts = threshold.lasts === undefined ? '' : ` for ${lastsTime(threshold.lasts)}`;
      if (threshold.and !== undefined)
        return `${conditionsOf(threshold)
          .map((one) => typedCondition(kind, one))
          .join(' and ')}${lasts}`;
      return `${figure}${threshold.when} ${threshold.threshold}${lasts}${usual ? '' : ` band ${threshold.hysteresis}`}`;
    }
    case 'move':
      return `${figure}move ${threshold.by}${threshold.within === undefined ? '' : ` in ${threshold.within / MINUTE} min`}`;
    case 'flip':
      return 'flip';
    case 'change':
      return `${figure}changes`;
    case 'extreme':
      return `${figure}extreme ${threshold.days}`;
    case 'z-score':
      return `${figure}z ${threshold.least}`;
  }
}

function typedCondition(kind: string, { measure, when, threshold, hysteresis }: Condition): string {
  const band = compare(hysteresis, defaultHysteresis(measure, threshold)) === 0 ? '' : ` band ${hysteresis}`;
  return `${measure === kind ? '' : `${measure} `}${when} ${threshold}${band}`;
}

export function typedRules({ kind, filters, thresholds }: KindRules): readonly string[] {
  const [threshold, ...others] = thresholds;
  if (threshold !== undefined && others.length === 0 && filterWords(filters) === '') return typed(kind, threshold).split(' ');
  return [wordsOf({ kind, filters, thresholds }).slice(kind.length + 2)];
}

export function meaning(threshold: ThresholdRule): string {
  switch (threshold.when) {
    case 'above':
    case 'below':
      if (threshold.and !== undefined)
        return `when ${threshold.and.length === 1 ? 'both hold' : 'all hold'} in one check${threshold.lasts === undefined ? '' : ` and have for ${lastsTime(threshold.lasts)}`} (at most hourly)`;
      if (threshold.lasts !== undefined) return `when it has been so for ${lastsTime(threshold.lasts)} (at most hourly)`;
      return MEASURES[threshold.measure].each ? 'every one' : 'at most hourly';
    case 'flip':
      return `when a market goes from passing to failing or back; again only after ${written(flipHysteresis(threshold.measure), 'points')} on either side (at most hourly)`;
    case 'move':
      if (threshold.within !== undefined) return 'within that time, and not counting what it alerted of (at most hourly)';
      return 'measured from the value of its last alert (at most hourly)';
    case 'change':
      return 'every change since its last alert (at most hourly)';
    case 'extreme':
      return `a new high or low; the next alert is ${defaultHysteresisWords(threshold.measure)} further`;
    case 'z-score':
      return `to either side of the mean of its own year; re-arms ${exact(Z_HYSTERESIS)} closer (at most hourly)`;
  }
}

export const typing = (kind = 'supply'): Remedy => ({
  usage: 'alerts',
  example: commandLine(
    'alerts',
    kind === 'wallet' ? 'fund-1' : 'tide',
    kind,
    ...(alertKind(kind)?.offers.example.split(' ') ?? (kind === 'age' ? ['1d'] : [])),
  ),
});

/** Writes a mention as typed. Show it as code, so that nobody is notified. */
export const mentionText = ({ kind, id }: Mention): string => (kind === 'role' ? `<@&${id}>` : `<@${id}>`);

type RequestedMention = Mention | { readonly kind: 'either'; readonly id: string };

/** Reads mentions: `<@&1>` is a role, `<@1>` and `<@!1>` a person. Throws a `UserError`. */
export function readMentions(text: string): readonly RequestedMention[] {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '' && word.toLowerCase() !== 'and');
  if (words.length === 0) throw new UserError(`Whom? Name a role or a person, or their ids, such as ${EXAMPLE_ID}.`, { usage: 'alerts' });
  return words.map((word) => {
    if (/^@?(everyone|here)$/iu.test(word))
      throw new UserError('Alerts never mention everyone, or everyone who is here. Name a role or people.');
    const [, sign, id] = /^<@([&!]?)(\d{1,20})>$/u.exec(word) ?? [];
    if (id !== undefined) return { kind: sign === '&' ? ('role' as const) : ('person' as const), id };
    if (/^\d{15,20}$/u.test(word)) return { kind: 'either' as const, id: word };
    throw new UserError([
      { code: word.slice(0, 60) },
      " isn't a role or a person. Choose one from the list that opens when you type @, or give an id, such as ",
      { code: EXAMPLE_ID },
      '.',
    ]);
  });
}

const EXAMPLE_ID = '123456789012345678';

/** Checks mentions. Rejects with a `UserError` for one that the asker may not use. */
export async function chosen(named: readonly RequestedMention[], { mayMention }: Pick<Person, 'mayMention'>): Promise<readonly Mention[]> {
  if (mayMention === undefined) throw new UserError('Only Discord can mention somebody in an alert.');
  const mentions: Mention[] = [];
  for (const { kind, id } of named) {
    const candidates: readonly Mention[] =
      kind === 'either'
        ? [
            { kind: 'role', id },
            { kind: 'person', id },
          ]
        : [{ kind, id }];
    const found = await firstAllowed(candidates, mayMention);
    if (found === undefined)
      throw new UserError([
        "You can't mention ",
        { code: kind === 'either' ? id : mentionText({ kind, id }) },
        " in this channel yourself, so my alerts can't either. Ask somebody who can.",
      ]);
    mentions.push(found);
  }
  return mentions;
}

async function firstAllowed(candidates: readonly Mention[], may: NonNullable<Person['mayMention']>): Promise<Mention | undefined> {
  for (const mention of candidates) if (await may(mention)) return mention;
  return undefined;
}

const sameId = (one: Pick<Mention, 'id'>) => (other: Pick<Mention, 'id'>) => one.id === other.id;

/** Adds mentions. Throws a `UserError` above the limit. */
export function withMentions(entry: Entry, more: readonly Mention[]): Entry {
  const mentions = [...(entry.mentions ?? []), ...more].filter((one, at, all) => all.findIndex(sameId(one)) === at);
  if (mentions.length > MAX_MENTIONS)
    throw new UserError(
      `An entry mentions at most ${MAX_MENTIONS} roles and people; that would be ${mentions.length}. A role can hold them all.`,
    );
  return { ...entry, mentions };
}

export function withoutMentions({ mentions = [], ...entry }: Entry, which?: readonly RequestedMention[]): Entry {
  const left = which === undefined ? [] : mentions.filter((one) => !which.some(sameId(one)));
  return left.length === 0 ? entry : { ...entry, mentions: left };
}
