/** Words threshold alerts, for every rule and measure. */
import { never } from '../base/never.js';
import { capitalised } from '../base/sentence-lists.js';
import { DAY, HOUR, MINUTE } from '../base/clock.js';
import { absolute, compare, divide, isZero, roundKept, subtract } from './decimal.js';
import { date, duration, exact } from './format.js';
import { defaultHysteresis, hysteresisWords, MEASURES, thresholdOf, type Measure } from './measures.js';
import {
  backLevel,
  conditionsOf,
  conditionWords,
  flipHysteresis,
  isBack,
  lineWords,
  moveWords,
  rearmSide,
  Z_HYSTERESIS,
  type Condition,
  type LineRule,
} from './threshold-rule.js';
import type { Crossing, Point } from './crossing.js';
import { decimal, type Decimal, type Instant } from './scalars.js';

export interface CrossingSubject {
  /** "TIDE" for a premium, "Tidewater" for a treasury. */
  readonly who: string;
  /** The token whose holders are ranked, for a rank. */
  readonly token?: string | undefined;
}

export interface CrossingWords {
  /** Whether the value rose. A rank rises towards the first place. */
  readonly rose: boolean;
  readonly finding: string;
  /** For example "17.2% below NAV". */
  readonly value: string;
  /** For example "was 9.1% below a few minutes earlier". */
  readonly was: string;
  /** The earlier point that `was` describes. "Why?" shows the same one. */
  readonly from: Point;
  /** For example "Re-arms above −8% (at most hourly)"; undefined if any change is enough. */
  readonly rearms: string | undefined;
}

export const wasWords = (measure: Measure, from: Point, now: Point): string =>
  `was ${MEASURES[measure].before(from.value, now.value)} ${whenWords(from.at, now.at)}`;

const FEW_MINUTES = 10 * MINUTE;

/** After this time a date is clearer than a number of days. */
const MANY_DAYS = 14 * DAY;

/**
 * Returns "a few minutes earlier", "5 h earlier", "yesterday" or "on Oct 20", without a time of day, so that it is right in every timezone.
 */
export function whenWords(then: Instant, now: Instant): string {
  const age = now - then;
  if (age < FEW_MINUTES) return 'a few minutes earlier';
  if (age >= 20 * HOUR && age <= 30 * HOUR) return 'yesterday';
  return age < MANY_DAYS ? `${duration(age)} earlier` : `on ${date(then, now)}`;
}

/** Returns "since yesterday", "since Oct 20" or "in the last 5 h". */
export function sinceWords(then: Instant, now: Instant): string {
  const when = whenWords(then, now);
  return when.endsWith(' earlier') ? `in the last ${duration(Math.max(MINUTE, now - then))}` : `since ${when.replace(/^on /u, '')}`;
}

interface ZScoreMeasurement extends Pick<Crossing, 'zScore' | 'year'> {
  readonly value: Decimal;
}

/** Words the z-score, computed from the stored spread if there is one. Returns undefined without a z-score. */
export function zWords({ value, zScore, year }: ZScoreMeasurement): string | undefined {
  const computed = year && divide(subtract(value, year.mean), year.deviation);
  const shown = zScore && (computed ?? zScore);
  return shown && `z-score ${exact(roundKept(shown, 1))} (1Y)`;
}

export function crossingWords(crossing: Crossing, about: CrossingSubject): CrossingWords {
  const { rule, now, since, was } = crossing;
  const high = crossing.side === 'high';
  const { measure } = rule;
  // Moves and changes are compared with the last alert, other rules with the previous measurement. A flip that the cooldown delayed was flipped before.
  const isDelayed = rule.when === 'flip' && compare(was.value, ZERO) > 0 === high;
  const from = rule.when === 'move' || rule.when === 'change' || isDelayed ? since : was;
  const ended = endedBy(crossing);
  return {
    rose: ended === undefined ? (MEASURES[measure].lowerIsBetter ? !high : high) : ended.condition.when === 'below',
    finding: findingOf(crossing, about),
    value: valueOf(crossing),
    // If several values are shown, the sentence names the measure that it describes.
    was: `${isJoined(rule) ? `${MEASURES[measure].name} ` : ''}${wasWords(measure, from, now)}`,
    from,
    rearms: rearmsOf(crossing),
  };
}

/** Returns the value that crossed, both ends of a move, all values of joined conditions, or at their end the value that ended them. */
function valueOf(crossing: Crossing): string {
  const { rule, now, since } = crossing;
  if (isJoined(rule)) {
    const of = ({ measure }: Condition, value: Decimal): string => MEASURES[measure].value(value);
    const ended = endedBy(crossing);
    return ended === undefined
      ? valuesOf(crossing)
          .map(
            (one) =>
              `${one.condition.measure === rule.measure ? '' : `${MEASURES[one.condition.measure].name} `}${of(one.condition, one.value)}`,
          )
          .join(', ')
      : of(ended.condition, ended.value);
  }
  const spec = MEASURES[rule.measure];
  const zero = 'threshold' in rule && isZero(rule.threshold) ? thresholdOf(rule.measure).zero : undefined;
  const text = spec.ends(since.value, now.value) ?? (zero?.value ?? spec.value)(now.value);
  // A rounded value may look equal to the threshold that it crossed.
  return 'threshold' in rule && zero === undefined && text === spec.value(rule.threshold) ? withDigits(text, now.value) : text;
}

/** Turns "$5.00M" into "$4,998,712.3". */
function withDigits(text: string, value: Decimal): string {
  const size = absolute(value);
  const digits = exact(roundKept(size, compare(size, THOUSAND) < 0 ? 4 : 2));
  return text.replace(/(\$?)[\d.,]+[KMBT]?/u, (_, currency: string) => `${currency}${digits}`);
}

const THOUSAND = decimal('1000');
const ZERO = decimal('0');

type JoinedRule = LineRule & { readonly and: NonNullable<LineRule['and']> };
const isJoined = (rule: Crossing['rule']): rule is JoinedRule => 'threshold' in rule && rule.and !== undefined;

interface ConditionValue {
  readonly condition: Condition;
  readonly value: Decimal;
}

/** Returns the known values of all conditions. */
const valuesOf = ({ rule, now, others = {} }: Crossing): readonly ConditionValue[] =>
  (isJoined(rule) ? conditionsOf(rule) : []).flatMap((condition) => {
    const value = condition.measure === rule.measure ? now.value : others[condition.measure];
    return value === undefined ? [] : [{ condition, value }];
  });

/** Returns the first condition that is no longer met, if the crossing is a return. */
const endedBy = (crossing: Crossing): ConditionValue | undefined =>
  crossing.furthest === undefined ? undefined : valuesOf(crossing).find(({ condition, value }) => isBack(condition, value));

/** Returns "a premium below −10% and a runway above 12 months". */
const joinedWords = (rule: LineRule): string =>
  conditionsOf(rule)
    .map((one) => `${MEASURES[one.measure].name.startsWith('a') ? 'an' : 'a'} ${conditionWords(one)}`)
    .join(' and ');

/** Returns "TIDE has a premium below −10% and a runway above 12 months". Does not say which condition was met last. */
function joinedFinding(crossing: Crossing, rule: JoinedRule, who: string): string {
  const ended = endedBy(crossing);
  if (ended !== undefined)
    return `${MEASURES[ended.condition.measure].subject(who)} is back ${rearmSide(ended.condition)} ${lineName(ended.condition)}`;
  const { heldSince, now } = crossing;
  return `${who} ${heldSince === undefined ? 'has' : 'has had'} ${joinedWords(rule)}${heldSince === undefined ? '' : ` for ${duration(now.at - heldSince)}`}`;
}

function findingOf(crossing: Crossing, { who, token = 'a token' }: CrossingSubject): string {
  const { rule, side, now, was, since, furthest, heldSince } = crossing;
  if (isJoined(rule)) return joinedFinding(crossing, rule, who);
  const high = side === 'high';
  const spec = MEASURES[rule.measure];
  const whose = spec.subject(who);
  // "TIDE is at a 90-day low" would be read as its price.
  const series = rule.measure === 'premium' ? `${who}'s premium` : whose;
  if (spec.each && 'threshold' in rule) return `${whose} ${rule.when} your ${lineWords(rule.measure, rule.threshold)} threshold`;
  if (furthest !== undefined && 'threshold' in rule) return `${whose} is back ${rearmSide(rule)} ${lineName(rule)}`;
  if (heldSince !== undefined && 'threshold' in rule)
    return `${whose} has been ${rule.when} ${lineName(rule)} for ${duration(now.at - heldSince)}`;
  switch (rule.when) {
    case 'above':
      return lineFinding(whose, rule, { verb: 'rose', isOver: compare(was.value, rule.threshold) > 0 });
    case 'below':
      return lineFinding(whose, rule, { verb: 'dropped', isOver: compare(was.value, rule.threshold) < 0 });
    case 'move':
      return `${whose} ${high === spec.lowerIsBetter ? 'fell' : 'rose'}${spec.moved(since.value, now.value, token)}`;
    case 'change':
      return `${whose} was ${high ? 'raised' : 'lowered'}`;
    case 'flip':
      return `${who} flipped`;
    case 'extreme':
      return `${series} is at a ${exact(rule.days)}-day ${high ? 'high' : 'low'}`;
    case 'z-score':
      return `${series} is unusually ${high ? 'high' : 'low'}`;
    default:
      return never(rule);
  }
}

/** Words a threshold alert. One that the cooldown delayed says "again", because the value was beyond the threshold before. */
function lineFinding(
  whose: string,
  rule: LineRule,
  { verb, isOver }: { readonly verb: 'rose' | 'dropped'; readonly isOver: boolean },
): string {
  const line = lineName(rule);
  return isOver ? `${whose} is ${rule.when} ${line} again` : `${whose} ${verb} ${rule.when} ${line}`;
}

/** Returns "NAV" or "your −10% threshold". */
function lineName({ measure, threshold }: Condition): string {
  const { zero, adjective } = thresholdOf(measure);
  return isZero(threshold) && zero !== undefined ? zero.name : `your ${adjective?.(threshold) ?? lineWords(measure, threshold)} threshold`;
}

function rearmsOf({ rule, side, now, furthest }: Crossing): string | undefined {
  if (furthest !== undefined || rule.once === true || MEASURES[rule.measure].each) return undefined;
  switch (rule.when) {
    case 'above':
    case 'below':
      return `Re-arms ${backAcross(rule)} ${HOURLY}`;
    case 'move':
      return `Next alert after another ${moveWords(rule.measure, rule.by)} ${HOURLY}`;
    case 'flip':
      if (compare(absolute(now.value), flipHysteresis(rule.measure)) >= 0) return `Next alert when it flips back ${HOURLY}`;
      return `Next alert after it was ${hysteresisWords(rule.measure, flipHysteresis(rule.measure))} on either side ${HOURLY}`;
    case 'change':
      return undefined;
    case 'extreme':
      return `Next alert ${hysteresisWords(rule.measure, defaultHysteresis(rule.measure, now.value))} ${side === 'high' ? 'higher' : 'lower'}`;
    case 'z-score':
      return `Re-arms within a z-score of ${exact(subtract(rule.least, Z_HYSTERESIS))} ${HOURLY}`;
    default:
      return never(rule);
  }
}

export const HOURLY = '(at most hourly)';

/** Returns "after 3 d 4 h, low −14.2%" for a return, else undefined. The time counts from when the value went beyond the threshold. */
export function afterWords({ rule, side, now, since, furthest, heldSince = since.at }: Crossing): string | undefined {
  if (furthest === undefined) return undefined;
  const end = `${isJoined(rule) ? `${MEASURES[rule.measure].name} ` : ''}${side === 'high' ? 'low' : 'high'}`;
  return `after ${duration(Math.max(MINUTE, now.at - heldSince))}, ${end} ${MEASURES[rule.measure].brief(furthest.value)}`;
}

/** Returns "Back above −10% after 3 d 4 h, low −14.2%". */
export function backWords(crossing: Crossing): string | undefined {
  const { rule } = crossing;
  const after = afterWords(crossing);
  if (after === undefined || !('threshold' in rule)) return undefined;
  const condition = endedBy(crossing)?.condition ?? rule;
  const zero = isZero(condition.threshold) ? thresholdOf(condition.measure).zero?.name : undefined;
  const back = `${rearmSide(condition)} ${zero ?? lineWords(condition.measure, condition.threshold)} ${after}`;
  return isJoined(rule) ? `${capitalised(MEASURES[condition.measure].name)} back ${back}` : `Back ${back}`;
}

/** Returns "above −8%", or "when premium is above −8% or runway below 11 months". */
export function backAcross(rule: LineRule): string {
  if (!isJoined(rule)) return backOf(rule);
  const [first, ...others] = conditionsOf(rule);
  const each = [
    `${MEASURES[first.measure].name} is ${backOf(first)}`,
    ...others.map((one) => `${MEASURES[one.measure].name} ${backOf(one)}`),
  ];
  return `when ${each.join(' or ')}`;
}

function backOf(rule: Condition): string {
  const threshold = backLevel(rule);
  const name = isZero(threshold) ? thresholdOf(rule.measure).zero?.name : undefined;
  return `${rearmSide(rule)} ${name ?? lineWords(rule.measure, threshold)}`;
}
