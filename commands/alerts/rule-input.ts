/** Text form of rules. */
import { alertKind } from '../../src/alerts/rules/kinds.js';
import { lifetimeTyped } from '../../src/alerts/rules/rule-end.js';
import { filterWords, wordsOf, type KindRules } from '../../src/alerts/rules/rule.js';
import type { Mention } from '../../src/chat/reply.js';
import { compare } from '../../src/domain/decimal.js';
import { exact } from '../../src/domain/format.js';
import { defaultHysteresis, defaultHysteresisWords } from '../../src/domain/measures.js';
import { Z_HYSTERESIS, type ThresholdRule } from '../../src/domain/threshold-rule.js';
import { commandLine, type Remedy } from '../../src/reply/index.js';

/** "below -10", "runway below 6 band 2", "extreme 90". Parses back to the same rule. */
export const typed = (kind: string, level: ThresholdRule): string =>
  [typedThreshold(kind, level), lifetimeTyped(level)].filter((part) => part !== '').join(' ');

/** Without its lifetime. */
export function typedThreshold(kind: string, level: ThresholdRule): string {
  const figure = level.measure === kind ? '' : `${level.measure} `;
  switch (level.when) {
    case 'above':
    case 'below': {
      const usual = compare(level.band, defaultHysteresis(level.measure, level.level)) === 0;
      return `${figure}${level.when} ${level.level}${usual ? '' : ` band ${level.band}`}`;
    }
    case 'move':
      return `${figure}move ${level.by}`;
    case 'change':
      return `${figure}changes`;
    case 'extreme':
      return `${figure}extreme ${level.days}`;
    case 'z-score':
      return `${figure}z ${level.least}`;
  }
}

export function typedRules({ kind, filters, levels }: KindRules): readonly string[] {
  const [level, ...others] = levels;
  if (level !== undefined && others.length === 0 && filterWords(filters) === '') return typed(kind, level).split(' ');
  return [wordsOf({ kind, filters, levels }).slice(kind.length + 2)];
}

export function meaning(level: ThresholdRule): string {
  switch (level.when) {
    case 'above':
    case 'below':
      return 'at most hourly';
    case 'move':
      return 'measured from the value of its last alert (at most hourly)';
    case 'change':
      return 'every change since its last alert (at most hourly)';
    case 'extreme':
      return `a new high or low; the next alert is ${defaultHysteresisWords(level.measure)} further`;
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

/** As code: it mentions nobody. */
export const mentionText = ({ kind, id }: Mention): string => (kind === 'role' ? `<@&${id}>` : `<@${id}>`);
