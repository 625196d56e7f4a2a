/** Removes ended threshold rules. Pure. */
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { targetName } from './entry.js';
import type { Chat } from './watchlists.js';

export interface EndedRule {
  /** By target name. */
  readonly entry: string;
  readonly kind: string;
  readonly rule: ThresholdRule;
}

/** The same object if none is there. */
export function withoutEnded(chat: Chat, ended: readonly EndedRule[]): Chat {
  const entries = chat.entries.map((entry) => {
    const own = ended.filter((one) => one.entry === targetName(entry.target));
    if (own.length === 0 || entry.rules === undefined) return entry;
    const isEnded = (kind: string, rule: ThresholdRule): boolean =>
      own.some((one) => one.kind === kind && JSON.stringify(one.rule) === JSON.stringify(rule));
    const kinds = Object.entries(entry.rules);
    if (!kinds.some(([kind, { levels }]) => levels.some((rule) => isEnded(kind, rule)))) return entry;
    const rules = kinds.map(
      ([kind, { levels, ...rest }]) => [kind, { ...rest, levels: levels.filter((rule) => !isEnded(kind, rule)) }] as const,
    );
    return { ...entry, rules: Object.fromEntries(rules) };
  });
  return entries.every((entry, index) => entry === chat.entries[index]) ? chat : { ...chat, entries };
}
