/** Words the preset, the alerts and the rules of an entry, and makes the buttons that change its preset. */
import {
  KIND_MODES,
  PRESETS,
  PRESET_TITLES,
  areEventsInDigest,
  isDigestOnly,
  isOff,
  modeOf,
  presetPhrase,
  rulesFor,
  type KindMode,
  type Subscription,
} from '../../alerts/rules/presets.js';
import { hasOnlyMeasures } from '../../alerts/rules/kinds.js';
import { lifetimeWords } from '../../alerts/rules/rule-end.js';
import { rulesText, type Rules } from '../../alerts/rules/rule.js';
import { DEFAULT_AGE_HOURS, kindsFor, lastChangeId, targetName, type Entry } from '../../alerts/watchlist/entry.js';
import { both } from '../../base/sentence-lists.js';
import type { ActionDraft, BlockDraft, Line } from '../../chat/reply.js';
import { thresholdWords, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { Context } from '../context.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import { commandLine, line } from '../../reply/index.js';

export const kindsOf = (entry: Entry, { kinds }: Pick<Context, 'kinds'>): readonly string[] =>
  kindsFor(
    entry.target,
    kinds.map(({ id }) => id),
  );

export const ruleText = (kind: string, rules: Rules): string => bare(kind, rulesText(rules));

export const thresholdRuleText = (kind: string, threshold: ThresholdRule): string => bare(kind, thresholdWords(threshold));

/** Words a threshold rule with its end. */
export const thresholdRuleLine = (kind: string, threshold: ThresholdRule): Line => [
  { strong: thresholdRuleText(kind, threshold) },
  ...lifetimeWords(threshold),
];

export const shortRuleText = (kind: string, threshold: ThresholdRule): string =>
  thresholdRuleText(kind, threshold).replaceAll(/ \([^)]*\)/gu, '');

const bare = (kind: string, words: string): string => words.replaceAll(new RegExp(String.raw`(^|; )${kind} `, 'gu'), '$1');

export function entryRuleText(entry: Subscription, kind: string): string {
  if (isDigestOnly(entry, kind)) return 'digest only';
  const rules = rulesFor(entry, kind);
  if (areEventsInDigest(entry, kind)) return `${ruleText(kind, rules)}; its events in the digest only`;
  return `${alertsEveryStage(kind, rules) ? 'every stage; ' : ''}${ruleText(kind, rules)}`;
}

/** Tells whether all events alert beside threshold rules, which the words of these rules alone would hide. */
function alertsEveryStage(kind: string, { filters, thresholds }: Rules): boolean {
  const { remind: _remind, updates: _updates, back: _back, ...ofEvents } = filters;
  return thresholds.length > 0 && !hasOnlyMeasures(kind) && Object.values(ofEvents).every((value) => value === undefined);
}

export function entryAlertsText(entry: Entry, context: Pick<Context, 'kinds'>): readonly string[] {
  const on = kindsOf(entry, context).filter((kind) => !isOff(entry, kind));
  const chosen = (mode: KindMode): readonly string[] => {
    const kinds = kindsOf(entry, context).filter((kind) => entry.modes?.[kind] === mode);
    return kinds.length === 0 || on.length === 0 ? [] : [`${mode}: ${both(kinds)}`];
  };
  return [
    on.length === 0 ? 'every kind is off' : PRESET_TITLES[entry.preset],
    ...KIND_MODES.flatMap(chosen),
    ...on.filter((kind) => entry.rules?.[kind] !== undefined).map((kind) => `${kind}: ${entryRuleText(entry, kind)}`),
  ];
}

export const ageText = (hours = DEFAULT_AGE_HOURS): string => (hours % 24 === 0 ? `${hours / 24} d` : `${hours} h`);

const customizedKinds = (entry: Entry, context: Pick<Context, 'kinds'>): readonly string[] =>
  kindsOf(entry, context).filter((kind) => entry.rules?.[kind] !== undefined || entry.modes?.[kind] !== undefined);

/** Returns "**Important**, customized: growth". */
export function presetName(entry: Entry, context: Pick<Context, 'kinds'>): Line {
  const customized = customizedKinds(entry, context);
  return [{ strong: PRESET_TITLES[entry.preset] }, customized.length === 0 ? '' : `, customized: ${both(customized)}`];
}

/** Returns "**Important** (mints and burns from $10K, …), customized: growth". */
export function presetLine(entry: Entry, context: Pick<Context, 'kinds'>): Line {
  const customized = customizedKinds(entry, context);
  const phrases = kindsOf(entry, context).flatMap((kind) => {
    if (isOff(entry, kind) || customized.includes(kind)) return [];
    const phrase = presetPhrase(entry.preset, kind);
    return phrase === undefined ? [] : [modeOf(entry, kind) === 'silent' ? `${phrase} without sound` : phrase];
  });
  const [title, rest = ''] = presetName(entry, context);
  return [...(title === undefined ? [] : [title]), phrases.length === 0 ? '' : ` (${phrases.join(', ')})`, rest];
}

export const presetActions = (entry: Entry): readonly ActionDraft[] =>
  PRESETS.map((preset) => ({
    label: PRESET_TITLES[preset],
    line: commandLine('alerts', targetName(entry.target), preset),
    on: preset === entry.preset && entry.rules === undefined && entry.modes === undefined,
  }));

const needsDigest = ({ preset }: Entry, { digest }: Pick<Chat, 'digest'>): boolean => preset === 'digest' && digest === undefined;

export const digestLines = (entry: Entry, chat: Pick<Chat, 'digest'>): readonly BlockDraft[] =>
  needsDigest(entry, chat) ? [line('⚠ No digest is on in this chat. Switch one on, or nothing is reported.')] : [];

export const digestActions = (entry: Entry, chat: Pick<Chat, 'digest'>): readonly ActionDraft[] =>
  needsDigest(entry, chat)
    ? [
        { label: 'Daily digest 09:00', line: '/digest daily 09:00' },
        { label: 'Weekly digest', line: '/digest weekly Mon 09:00' },
      ]
    : [];

/** Says that a rule or a reminder of these kinds alerts, but none of their events. */
export function inDigestLines(entry: Entry, kinds: readonly string[]): readonly BlockDraft[] {
  const silent = kinds.filter((kind) => areEventsInDigest(entry, kind) && !isDigestOnly(entry, kind));
  return silent.length === 0 ? [] : [line(`All events of ${both(silent)} stay in the digest only.`)];
}

/** Returns the button that undoes the last change of an entry's alerts, or redoes it after an Undo. */
export function undoActions(entry: Entry): readonly ActionDraft[] {
  const id = lastChangeId(entry);
  if (id === undefined) return [];
  return [{ label: entry.isUndone === true ? 'Redo' : 'Undo', line: commandLine('alerts', targetName(entry.target), 'undo', id) }];
}

/** The words that `/alerts` acts on. */
export const ALERT_ACTIONS = [
  ...PRESETS,
  'undo',
  'on',
  'silent',
  'off',
  'usual',
  'only',
  'set',
  'remove',
  'age',
  'mention',
  'watch',
  'watch-only',
  'test',
  'backtest',
  'preview',
  'replay',
] as const;
