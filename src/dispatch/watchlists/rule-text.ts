/** Alerts and rules of an entry as text. */
import { isDigestOnly, isOff, KIND_MODES, PRESET_TITLES, rulesFor, type KindMode, type Subscription } from '../../alerts/rules/presets.js';
import { lifetimeWords } from '../../alerts/rules/rule-end.js';
import { rulesText, type Rules } from '../../alerts/rules/rule.js';
import { kindsFor, DEFAULT_AGE_HOURS, type Entry } from '../../alerts/watchlist/entry.js';
import { both } from '../../base/sentence-lists.js';
import type { Line } from '../../chat/reply.js';
import { thresholdWords, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { Context } from '../context.js';

export const kindsOf = (entry: Entry, { kinds }: Pick<Context, 'kinds'>): readonly string[] =>
  kindsFor(
    entry.target,
    kinds.map(({ id }) => id),
  );

export const ruleText = (kind: string, rules: Rules): string => bare(kind, rulesText(rules));

export const thresholdRuleText = (kind: string, level: ThresholdRule): string => bare(kind, thresholdWords(level));

/** With its end. */
export const thresholdRuleLine = (kind: string, level: ThresholdRule): Line => [
  { strong: thresholdRuleText(kind, level) },
  ...lifetimeWords(level),
];

export const shortRuleText = (kind: string, level: ThresholdRule): string => thresholdRuleText(kind, level).replace(/ \(.*$/u, '');

const bare = (kind: string, words: string): string => words.replaceAll(new RegExp(String.raw`(^|; )${kind} `, 'gu'), '$1');

export const entryRuleText = (entry: Subscription, kind: string): string =>
  isDigestOnly(entry, kind) ? 'digest only' : ruleText(kind, rulesFor(entry, kind));

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
