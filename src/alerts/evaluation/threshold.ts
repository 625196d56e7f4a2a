/** This module evaluates one rule for one measurement, with hysteresis. It is pure. */
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY, HOUR, later } from '../../base/clock.js';
import { pointSchema, sideSchema, type Point, type Side, type YearSpread } from '../../domain/crossing.js';
import { absolute, add, compare, endsOf, isNegative, percentChange, subtract } from '../../domain/decimal.js';
import { defaultHysteresis, MEASURES, type Measure } from '../../domain/measures.js';
import { flipHysteresis, Z_HYSTERESIS, type LineRule, type ThresholdRule } from '../../domain/threshold-rule.js';
import { decimal, instantSchema, type Decimal, type Instant } from '../../domain/scalars.js';
import { yearSpreadOf, zScoreOf } from '../../domain/z-score.js';

/** It is in ms; alerts within it are delayed, and dropped if no longer true. */
export const COOLDOWN = HOUR;

const anchorSchema = pointSchema.extend({ side: sideSchema.optional() });

export const ruleStateSchema = z.object({
  /** It is false after an alert until the value is back by the hysteresis. */
  armed: z.boolean(),
  /** It is the last alerted value, or else the first; it has a `side` if it is beyond the threshold. */
  anchor: anchorSchema,
  last: pointSchema,
  /** Suppression does not change it. */
  alertedAt: instantSchema.optional(),
  /** It is the value furthest beyond the threshold since the alert, as long as that is not over. */
  furthest: pointSchema.optional(),
});
export type RuleState = z.infer<typeof ruleStateSchema>;

export interface RuleInput {
  readonly at: Instant;
  /** It is in the measure's unit. A measurement without it is ignored. */
  readonly value?: Decimal | undefined;
  /** The points may be in any order. */
  readonly history?: readonly Point[];
  /** The state may be a day older than this time. */
  readonly unseenSince?: Instant | undefined;
}

interface ThresholdAlert {
  readonly side: Side;
  readonly now: Point;
  readonly was: Point;
  /** It is the last alerted value, or else the first. */
  readonly since: Point;
  /** It is the distance from the mean of the year. */
  readonly zScore?: Decimal;
  readonly year?: YearSpread | undefined;
}

/** The value is back by the hysteresis after an alert, which was that of `since`. */
interface ThresholdReturn {
  readonly side: Side;
  readonly now: Point;
  readonly was: Point;
  readonly since: Point;
  readonly furthest: Point;
}

type RuleReason =
  | 'alert'
  | 'unknown'
  | 'older than the last measurement'
  | 'first check'
  | 'history too short'
  | 'not reached'
  | 'back, armed again'
  | 'within the hysteresis'
  | 'too soon after the last alert';

export interface RuleResult {
  readonly state: RuleState | undefined;
  readonly alert?: ThresholdAlert;
  readonly back?: ThresholdReturn;
  readonly reason: RuleReason;
}

interface ThresholdPosition {
  readonly beyond: Side | undefined;
  /** It is true if the value is back by the hysteresis. */
  readonly back: boolean;
  readonly zScore?: Decimal;
  readonly year?: YearSpread | undefined;
}

export function evaluateRule(rule: ThresholdRule, state: RuleState | undefined, measurement: RuleInput): RuleResult {
  const { value, at } = measurement;
  if (value === undefined) return { state, reason: 'unknown' };
  if (state !== undefined && at <= state.last.at) return { state, reason: 'older than the last measurement' };
  const now: Point = { at, value };
  const stand = positionOf(rule, state, { now, history: measurement.history ?? [], unseenSince: measurement.unseenSince });
  if (state === undefined) {
    const side = stand?.beyond;
    return {
      state: { armed: side === undefined || rearmsAtOnce(rule), anchor: { ...now, ...(side && { side }) }, last: now },
      reason: 'first check',
    };
  }
  const furthest = furthestOf(rule, state, now);
  const seen: RuleState = { ...state, last: now, ...(furthest && { furthest }) };
  if (stand === undefined) return { state: seen, reason: 'history too short' };
  const { beyond, back, zScore, year } = stand;
  const isOpposite = beyond !== undefined && state.anchor.side !== undefined && beyond !== state.anchor.side;
  // The opposite side of a z-score is a new crossing. That of a flip is not, or one that hovers at 0 would alert again and again.
  const armed = state.armed || back || (isOpposite && rule.when === 'z-score');
  if (beyond === undefined) {
    const reason = armed === state.armed ? (armed ? 'not reached' : 'within the hysteresis') : 'back, armed again';
    if (!armed || furthest === undefined) return { state: { ...seen, armed }, reason };
    const { furthest: _, ...over } = seen;
    const { at: since, value: alerted, side } = state.anchor;
    const returned = {
      side: side === 'low' ? 'high' : 'low',
      now,
      was: state.last,
      since: { at: since, value: alerted },
      furthest,
    } as const;
    return { state: { ...over, armed }, back: returned, reason };
  }
  if (!armed) return { state: seen, reason: 'within the hysteresis' };
  // Extremes have no cooldown, because the next check would compare with this value. Their hysteresis spaces them.
  const isSpaced = rule.when === 'extreme' || MEASURES[rule.measure].each;
  const soon = state.alertedAt !== undefined && at < later(state.alertedAt, COOLDOWN) && !isSpaced;
  if (soon) return { state: { ...seen, armed }, reason: 'too soon after the last alert' };
  const alert: ThresholdAlert = {
    side: beyond,
    now,
    was: state.last,
    since: { at: state.anchor.at, value: state.anchor.value },
    ...(zScore && { zScore, year }),
  };
  const begins = returns(rule) ? { furthest: now } : {};
  return {
    // A flip that ends away from 0 is armed at once: an unchanged margin is measured only once, and could not arm it later.
    state: {
      armed: rearmsAtOnce(rule) || (rule.when === 'flip' && back),
      anchor: { ...now, side: beyond },
      last: now,
      alertedAt: at,
      ...begins,
    },
    alert,
    reason: 'alert',
  };
}

/** Only a threshold on a lasting value has a way back. */
export const returns = (rule: ThresholdRule): rule is LineRule => 'threshold' in rule && !MEASURES[rule.measure].each;

/** It is undefined unless an alert of the rule is not over. */
function furthestOf(rule: ThresholdRule, { armed, furthest }: RuleState, now: Point): Point | undefined {
  if (armed || furthest === undefined || !returns(rule)) return undefined;
  const order = compare(now.value, furthest.value);
  return (rule.when === 'below' ? order < 0 : order > 0) ? now : furthest;
}

/** These rules are spaced by the last alerted value, or every value is an occurrence of its own. */
const rearmsAtOnce = ({ when, measure }: ThresholdRule): boolean =>
  when === 'move' || when === 'change' || when === 'extreme' || MEASURES[measure].each;

interface Seen extends Pick<RuleInput, 'unseenSince'> {
  readonly now: Point;
  readonly history: readonly Point[];
}

export function positionOf(
  rule: ThresholdRule,
  state: RuleState | undefined,
  { now, history, unseenSince }: Seen,
): ThresholdPosition | undefined {
  const { value } = now;
  switch (rule.when) {
    case 'above':
      return {
        beyond: compare(value, rule.threshold) > 0 ? 'high' : undefined,
        back: compare(value, subtract(rule.threshold, rule.hysteresis)) <= 0,
      };
    case 'below':
      return {
        beyond: compare(value, rule.threshold) < 0 ? 'low' : undefined,
        back: compare(value, add(rule.threshold, rule.hysteresis)) >= 0,
      };
    case 'move':
      return rule.within === undefined
        ? sinceAnchor(state, value, (anchor) => isMovedBy(rule, anchor, value))
        : movedWithin({ ...rule, within: rule.within }, state, { now, history });
    case 'change':
      return sinceAnchor(state, value, () => true);
    case 'flip':
      return {
        beyond: state === undefined || isOver(state.anchor.value) === isOver(value) ? undefined : isOver(value) ? 'high' : 'low',
        back: compare(absolute(value), flipHysteresis(rule.measure)) >= 0,
      };
    case 'extreme':
      return extreme(rule, state, { now, history, unseenSince });
    case 'z-score':
      return deviation(rule.least, { now, history });
  }
}

/** At 0 is not over it: a market at its threshold does not pass. */
const isOver = (value: Decimal): boolean => compare(value, ZERO) > 0;
const ZERO = decimal('0');

type MoveRule = Extract<ThresholdRule, { when: 'move' }>;

/** From zero, every change exceeds any percentage. */
function isMovedBy({ measure, by }: MoveRule, from: Decimal, to: Decimal): boolean {
  const moved = movedBy(measure, from, to);
  return moved === undefined || compare(absolute(moved), by) >= 0;
}

/** What the rule alerted of, or saw before it began, does not count again. */
function movedWithin(
  rule: MoveRule & { readonly within: number },
  state: RuleState | undefined,
  { now, history }: Pick<Seen, 'now' | 'history'>,
): ThresholdPosition {
  if (state === undefined) return { beyond: undefined, back: true };
  const from = Math.max(now.at - rule.within, state.anchor.at);
  const points = [...history, state.last, state.anchor].filter(({ at }) => at >= from && at < now.at);
  const [least, most] = endsOf(points.map(({ value }) => value));
  const rose = least !== undefined && compare(now.value, least) > 0 && isMovedBy(rule, least, now.value);
  const fell = most !== undefined && compare(now.value, most) < 0 && isMovedBy(rule, most, now.value);
  return { beyond: rose ? 'high' : fell ? 'low' : undefined, back: true };
}

/** It is in the move's unit, and undefined for a percentage of zero. */
export const movedBy = (measure: Measure, from: Decimal, to: Decimal): Decimal | undefined =>
  MEASURES[measure].move.by === 'difference' ? subtract(to, from) : percentChange(from, to);

function sinceAnchor(state: RuleState | undefined, value: Decimal, isFar: (anchor: Decimal) => boolean): ThresholdPosition {
  const anchor = state?.anchor.value ?? value;
  const order = compare(value, anchor);
  // Measured from its anchor, a rule is always armed.
  return { beyond: order === 0 || !isFar(anchor) ? undefined : order > 0 ? 'high' : 'low', back: true };
}

type ExtremeRule = Extract<ThresholdRule, { when: 'extreme' }>;

export const startOf = ({ days }: ExtremeRule, at: Instant): number => at - Number(days) * DAY;

/** Charts begin hours late. */
export const reachesBack = (rule: ExtremeRule, past: readonly Point[], at: Instant): boolean => isFrom(past, startOf(rule, at));
const isFrom = (past: readonly Point[], from: number): boolean => past.some(({ at }) => at <= from + DAY);

function extreme(rule: ExtremeRule, state: RuleState | undefined, { now, history, unseenSince }: Seen): ThresholdPosition | undefined {
  const from = startOf(rule, now.at);
  // The newest points of a chart are this measurement; points after the last check are not yet history.
  const past = pastOf(history, { from, until: Math.min(unseenSince ?? state?.last.at ?? now.at - 1, now.at - 1) });
  if (!past.reachesBack) return undefined;
  const points = state === undefined ? [] : unseenSince === undefined ? [state.last, state.anchor] : [state.anchor];
  const own = points.filter(({ at }) => at >= from).map(({ value }) => value);
  const compared = [...past.ends, ...own].map((value) => compare(now.value, value));
  // Without a state the newest point may be this value; equal then counts as an extreme already reached.
  const least = state === undefined ? 0 : 1;
  const side = compared.every((order) => order >= least) ? 'high' : compared.every((order) => -order >= least) ? 'low' : undefined;
  const anchor = state?.anchor;
  const isTold = anchor?.side === side && anchor !== undefined && anchor.at >= from;
  const near = isTold && compare(absolute(subtract(now.value, anchor.value)), defaultHysteresis(rule.measure, anchor.value)) < 0;
  return { beyond: compared.length === 0 || near ? undefined : side, back: true };
}

interface HistoryPart {
  readonly reachesBack: boolean;
  /** It has the smallest and largest value, if there are any. */
  readonly ends: readonly Decimal[];
}

interface Span {
  readonly from: number;
  readonly until: number;
}

const pasts = new WeakMap<readonly Point[], Map<string, HistoryPart>>();
const MAX_HISTORY_PARTS = 50;

function pastOf(history: readonly Point[], span: Span): HistoryPart {
  const known = pasts.get(history) ?? new RecentMap<string, HistoryPart>(MAX_HISTORY_PARTS);
  pasts.set(history, known);
  const key = `${span.from}/${span.until}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const past = partOf(history, span);
  known.set(key, past);
  return past;
}

function partOf(history: readonly Point[], { from, until }: Span): HistoryPart {
  const before = history.filter(({ at }) => at <= until);
  const values = before.filter(({ at }) => at >= from).map(({ value }) => value);
  return { reachesBack: isFrom(before, from), ends: endsOf(values) };
}

function deviation(least: Decimal, { now, history }: Seen): ThresholdPosition | undefined {
  const zScore = zScoreOf(now, history);
  if (zScore === undefined) return undefined;
  const size = absolute(zScore);
  return {
    beyond: compare(size, least) < 0 ? undefined : isNegative(zScore) ? 'low' : 'high',
    back: compare(size, subtract(least, Z_HYSTERESIS)) <= 0,
    zScore,
    year: yearSpreadOf(now, history),
  };
}

const cores = new WeakMap<RuleState, string>();

/** It leaves out the last value. */
function coreOf(state: RuleState): string {
  const { armed, anchor, alertedAt } = state;
  const core = cores.get(state) ?? `${armed} ${anchor.at} ${anchor.value} ${anchor.side} ${alertedAt}`;
  cores.set(state, core);
  return core;
}

/** Two states are the same if both decide alike. */
export const isSameState = (one: RuleState | undefined, other: RuleState | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && coreOf(one) === coreOf(other));

export const stateText = (state: RuleState | undefined): string =>
  state === undefined ? 'nothing' : `${coreOf(state)} ${state.last.at} ${state.last.value} ${state.furthest?.at} ${state.furthest?.value}`;

const WRITTEN_EVERY = DAY;

/** A value in the future was stored before the clock was set back. */
export const isStateWorthWriting = (before: RuleState | undefined, after: RuleState): boolean =>
  before !== after &&
  (before === undefined ||
    coreOf(before) !== coreOf(after) ||
    before.furthest?.value !== after.furthest?.value ||
    after.last.at < before.last.at ||
    after.last.at - before.last.at >= WRITTEN_EVERY);
