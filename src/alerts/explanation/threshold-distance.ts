/** This module tells how far a measure is from a threshold. It is pure. */
import { later, MINUTE } from '../../base/clock.js';
import type { Line } from '../../chat/reply.js';
import type { Point } from '../../domain/crossing.js';
import { absolute, compare, roundKept, subtract } from '../../domain/decimal.js';
import { both } from '../../base/sentence-lists.js';
import { backAcross, HOURLY } from '../../domain/crossing-words.js';
import { duration, exact } from '../../domain/format.js';
import { hysteresisWords, MEASURES } from '../../domain/measures.js';
import {
  conditionsOf,
  conditionWords,
  flipHysteresis,
  isMet,
  lastsTime,
  moveWords,
  thresholdWords,
  timeWords,
  Z_HYSTERESIS,
  type LineRule,
  type ThresholdRule,
} from '../../domain/threshold-rule.js';
import type { Decimal, Instant } from '../../domain/scalars.js';
import { MIN_VALUES } from '../../domain/z-score.js';
import { movedBy, reachesBack, positionOf, startOf, type KnownValues } from '../evaluation/position.js';
import { COOLDOWN, type RuleState } from '../evaluation/threshold.js';
import type { Step } from './trace.js';

export interface DistanceQuestion {
  readonly rule: ThresholdRule;
  readonly name?: string | undefined;
  readonly read: { readonly at: Instant; readonly value: Decimal | undefined; readonly others?: KnownValues } | undefined;
  readonly state: RuleState | undefined;
  readonly history: readonly Point[] | undefined;
  /** When a check last showed the value; by default the value's own time. */
  readonly seenAt?: Instant | undefined;
  /** Milliseconds between checks. */
  readonly every?: number | undefined;
}

export function ruleStep(question: DistanceQuestion): Step {
  const { rule, name, read, state } = question;
  const whose = name === undefined ? '' : `${name}: `;
  const step = (ok: boolean, ...says: Line): Step => ({ name: 'changed', ok, says: [`${whose}${thresholdWords(rule)}: `, ...says] });
  if (MEASURES[rule.measure].each && state?.alertedAt === undefined) return step(false, ...awaited(read));
  if (read?.value === undefined)
    return step(false, MEASURES[rule.measure].of === 'topic' ? 'no live market at the last check' : 'the last check got no value');
  const { value, at, others } = read;
  const now: Line = [`${[MEASURES[rule.measure].brief(value), ...otherWords(rule, others)].join(', ')}, read `, { at }];
  if (state === undefined) return step(false, ...now, `; ${beginning(rule, { value, others })}`);
  if (state.alertedAt === at) return step(true, ...now, ': that was an alert');
  if (state.alertedAt === undefined && at <= state.anchor.at && state.armed)
    return step(false, ...now, '; the first check, so nothing to compare it with');
  return step(false, ...now, '; ', ...distance(question, { at, value, state }));
}

/** A rule on single trades has no value of now: it waits for those after it was set. */
const awaited = (read: DistanceQuestion['read']): Line =>
  read?.value === undefined
    ? ['waiting for the next trade; none was read yet']
    : [`waiting for the next trade; the last one was ${MEASURES.trade.brief(read.value)}, `, { at: read.at }];

/** Says what a rule that no check has evaluated yet begins with. */
function beginning(
  rule: ThresholdRule,
  { value, others = {} }: { readonly value: Decimal; readonly others: KnownValues | undefined },
): string {
  if (!('threshold' in rule)) return 'changes are measured from this value on';
  const isThere = conditionsOf(rule).every((condition) => {
    const known = condition.measure === rule.measure ? value : others[condition.measure];
    return known !== undefined && isMet(condition, known);
  });
  return isThere
    ? 'already there when the rule was set: alerts when it comes back and crosses again'
    : 'not there when the rule was set: alerts when it gets there';
}

/** Returns text such as "runway 14.2 months" for each other condition. All values are from one response, so they have the same age. */
const otherWords = (rule: ThresholdRule, others: KnownValues = {}): readonly string[] =>
  ('threshold' in rule ? (rule.and ?? []) : []).map(({ measure }) => {
    const value = others[measure];
    return `${MEASURES[measure].name} ${value === undefined ? 'n/a' : MEASURES[measure].brief(value)}`;
  });

/** Returns text such as "not met: runway above 12 months (1.1 months away)", with each condition that is not met. */
function unmetWords(rule: LineRule, value: Decimal, others: KnownValues = {}): string {
  const unmet = conditionsOf(rule).flatMap((condition): readonly string[] => {
    const { measure, threshold } = condition;
    const known = measure === rule.measure ? value : others[measure];
    if (known === undefined)
      return [`${conditionWords(condition)} (the service gave no ${MEASURES[measure].name}, so it counts as not met)`];
    if (isMet(condition, known)) return [];
    return [`${conditionWords(condition)} (${hysteresisWords(measure, roundKept(absolute(subtract(known, threshold)), 2))} away)`];
  });
  return `not met: ${both(unmet)}`;
}

/** Says how long the value has been beyond the threshold, and how long it must be. */
function lasting(
  { lasts = 0, and }: LineRule,
  held: NonNullable<RuleState['held']>,
  { at, every = 0 }: { at: Instant; every?: number | undefined },
): Line {
  const rare: Line =
    every > lasts && Number.isFinite(every)
      ? [`; checks are about every ${duration(every)} now, which is too rare for ${lastsTime(lasts)}`]
      : [];
  const soFar = at - held.since < MINUTE ? 'since now' : `for ${duration(at - held.since)} of ${lastsTime(lasts)}`;
  return [
    `${and === undefined ? 'beyond the threshold' : 'all conditions met'} ${soFar}; alerts if it still is `,
    { at: held.due },
    ...rare,
  ];
}

function distance(
  { rule, read, history, seenAt, every }: DistanceQuestion,
  { at, value, state }: { at: Instant; value: Decimal; state: RuleState },
): Line {
  const { anchor, alertedAt, armed } = state;
  const since: Line = [alertedAt === undefined ? ' since the first check ' : ' since the last alert ', { at: anchor.at }];
  const isSoon = alertedAt !== undefined && at < later(alertedAt, COOLDOWN);
  const soon: Line = [
    `crossed again within ${duration(COOLDOWN)} of the last alert; alerts if it still holds at `,
    { at: later(alertedAt ?? at, COOLDOWN) },
  ];
  const unarmed = (back: string): Line =>
    alertedAt === undefined
      ? [
          `${'and' in rule && rule.and !== undefined ? 'all conditions were met' : 'already beyond the threshold'} at the first check; re-arms ${back}`,
        ]
      : ['alerted ', { at: alertedAt }, `, not re-armed yet: re-arms ${back}${isSoon ? ` ${HOURLY}` : ''}`];
  switch (rule.when) {
    case 'above':
    case 'below': {
      if (!armed) return unarmed(backAcross(rule));
      const stand = positionOf(rule, state, { now: { at, value }, history: [], others: read?.others });
      if (state.held !== undefined && (seenAt ?? at) < state.held.due) return lasting(rule, state.held, { at: seenAt ?? at, every });
      if (stand?.beyond !== undefined && isSoon) return soon;
      if (rule.and !== undefined) return [unmetWords(rule, value, read?.others)];
      const apart = roundKept(absolute(subtract(value, rule.threshold)), 2);
      return [`not reached, ${hysteresisWords(rule.measure, apart)} from the threshold`];
    }
    case 'move': {
      if (rule.within !== undefined)
        return [`moved by less than ${moveWords(rule.measure, rule.by)} within ${timeWords(rule.within)}`, ...since];
      const moved = movedBy(rule.measure, anchor.value, value);
      if (moved !== undefined && compare(absolute(moved), rule.by) >= 0 && isSoon) return soon;
      const by = moved === undefined ? 'n/a' : moveWords(rule.measure, roundKept(absolute(moved), 2));
      return [`moved by ${by}`, ...since, `, ${moveWords(rule.measure, rule.by)} needed`];
    }
    case 'flip': {
      const away = hysteresisWords(rule.measure, flipHysteresis(rule.measure));
      const stand = positionOf(rule, state, { now: { at, value }, history: [] });
      if (stand?.beyond === undefined) return ['no flip', ...since];
      return armed && isSoon ? soon : [`flipped back, within ${away} of 0; alerts from ${away}`];
    }
    case 'change':
      return compare(value, anchor.value) === 0 ? ['unchanged', ...since] : soon;
    case 'extreme': {
      if (history === undefined) return [PAST_UNREAD];
      if (!reachesBack(rule, history, at)) return [`history too short: less than ${exact(rule.days)} days`];
      const [low, high] = ends(history.filter((point) => point.at >= startOf(rule, at)));
      if (low === undefined || high === undefined) return [PAST_UNREAD];
      return [`no new extreme: low ${MEASURES[rule.measure].brief(low)}, high ${MEASURES[rule.measure].brief(high)}`];
    }
    case 'z-score': {
      if (history === undefined) return [PAST_UNREAD];
      const stand = positionOf(rule, state, { now: { at, value }, history });
      if (stand?.zScore === undefined) return [`history too short: fewer than ${MIN_VALUES} different values in 1Y`];
      const z = `z-score ${exact(roundKept(stand.zScore, 2))}`;
      if (stand.beyond !== undefined && armed && isSoon) return soon;
      const back = `within a z-score of ${exact(subtract(rule.least, Z_HYSTERESIS))}`;
      return armed ? [`not reached: ${z}`] : [`${z}; `, ...unarmed(back)];
    }
  }
}

const PAST_UNREAD = 'its history is read again at the next check';

function ends(points: readonly Point[]): readonly [Decimal | undefined, Decimal | undefined] {
  const values = points.map(({ value }) => value).toSorted(compare);
  return [values[0], values.at(-1)];
}
