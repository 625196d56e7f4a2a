/** The alerts and rules of an entry as text, for several commands. Pure. */
import { rulesFor, wordsOf, type Rules } from '../../alerts/rules/rule.js';
import { kindsFor, DEFAULT_AGE_HOURS, type Entry } from '../../alerts/watchlist/entry.js';
import { both } from '../../base/listing.js';
import { thresholdWords, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { Context } from '../context.js';

export const kindsOf = (entry: Entry, { kinds }: Pick<Context, 'kinds'>): readonly string[] =>
  kindsFor(
    entry.target,
    kinds.map(({ id }) => id),
  );

/** The rules of a kind without its name: "everything", "at least $10,000; stages mint, burn", "below −10 % (dead-band 2 points)". */
export const ruleText = (kind: string, { filters, levels }: Rules): string =>
  bare(kind, wordsOf({ kind, filters, levels }).slice(kind.length + 2));

/** A threshold rule as text; the measure is named only if it differs from the kind. */
export const thresholdRuleText = (kind: string, level: ThresholdRule): string => bare(kind, thresholdWords(level));

/** The same without its hysteresis, for a button or a choice. */
export const shortRuleText = (kind: string, level: ThresholdRule): string => thresholdRuleText(kind, level).replace(/ \(.*$/u, '');

const bare = (kind: string, words: string): string => words.replaceAll(new RegExp(String.raw`(^|; )${kind} `, 'gu'), '$1');

/** The rules of an entry for one kind, as text. */
export const entryRuleText = ({ rules }: Pick<Entry, 'rules'>, kind: string): string => ruleText(kind, rulesFor(rules, kind));

/** "supply, growth · off: vesting · supply: at least $10,000 · …", as parts. */
export function entryAlertsText(entry: Entry, context: Pick<Context, 'kinds'>): readonly string[] {
  const on = kindsOf(entry, context).filter((kind) => !entry.off.includes(kind));
  const off = kindsOf(entry, context).filter((kind) => entry.off.includes(kind));
  return [
    on.length === 0 ? 'every kind is off' : both(on),
    ...(off.length === 0 || on.length === 0 ? [] : [`off: ${both(off)}`]),
    ...on.filter((kind) => entry.rules?.[kind] !== undefined).map((kind) => `${kind}: ${entryRuleText(entry, kind)}`),
  ];
}

/** "12 h", "3 d", "10 d". */
export const ageText = (hours = DEFAULT_AGE_HOURS): string => (hours % 24 === 0 ? `${hours / 24} d` : `${hours} h`);
