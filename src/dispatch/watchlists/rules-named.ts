/** Finds the rules of a chat that words such as "the -10 rule" name without saying whose they are. Pure. */
import { targetName } from '../../alerts/watchlist/entry.js';
import { readRule } from '../../alerts/rules/read-rule.js';
import type { Instant } from '../../base/clock.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { numbersIn, type Heard } from '../../reading/heard.js';
import { commandLine } from '../../reply/index.js';
import { thresholdRuleText } from './rule-text.js';

const MEASURE = /\b(?:premium|price|runway|nav|allowance|margin|volume|traders|stake|rank)\b/giu;

/** Returns the lines that remove the rules with all numbers and measures of the text. */
export function removalsNamed({ entries }: Pick<Chat, 'entries'>, heard: Heard, now: Instant): readonly string[] {
  const said = [...numbersIn(heard), ...(heard.text.toLowerCase().match(MEASURE) ?? [])];
  const rules = entries.flatMap(({ target, rules: chosen = {} }) =>
    Object.entries(chosen).flatMap(([kind, { thresholds }]) =>
      thresholds.map((threshold) => ({ name: targetName(target), kind, rule: typed(kind, threshold) })),
    ),
  );
  return rules
    .filter(({ kind, rule }) => readRule(`${kind} ${rule}`, now).read)
    .filter(({ kind, rule }) => said.every((word) => [kind, ...rule.split(' ')].some((part) => part === word || part === `-${word}`)))
    .map(({ name, kind, rule }) => commandLine('alerts', name, kind, 'remove', ...rule.split(' ')));
}

const typed = (kind: string, threshold: ThresholdRule): string =>
  thresholdRuleText(kind, threshold)
    .replaceAll(/ \([^)]*\)/gu, '')
    .replaceAll('−', '-')
    .replaceAll(/(?<=\d)%/gu, '');
