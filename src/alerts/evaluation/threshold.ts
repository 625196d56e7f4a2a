/** This module evaluates one rule for one measurement, with hysteresis. It is pure. */
import { z } from 'zod';
import { DAY, HOUR, later, MINUTE } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { pointSchema, sideSchema, type Point, type Side, type YearSpread } from '../../domain/crossing.js';
import { compare } from '../../domain/decimal.js';
import { MEASURES } from '../../domain/measures.js';
import { isBack, isMet, type LineRule, type ThresholdRule } from '../../domain/threshold-rule.js';
import { instantSchema, type Decimal, type Instant } from '../../domain/scalars.js';
import { mayHaveMoved, positionOf, type EarlierValues, type KnownValues, type ThresholdPosition } from './position.js';

/** Milliseconds. Alerts within it are delayed, and dropped if they no longer hold. */
export const COOLDOWN = HOUR;

const anchorSchema = pointSchema.extend({
  side: sideSchema.optional(),
  /** Since when the alerted value had been beyond the threshold. */
  heldSince: instantSchema.optional(),
});

/** An armed rule whose value must stay beyond the threshold for some time before it alerts. */
const heldSchema = z.object({
  since: instantSchema,
  /** A measurement at or after this time alerts if the value is still beyond the threshold. */
  due: instantSchema,
  furthest: pointSchema,
});

export const ruleStateSchema = z.object({
  /** False after an alert until the value is back by the hysteresis. */
  armed: z.boolean(),
  /** The last alerted value, or else the first. `side` is set if it is beyond the threshold. */
  anchor: anchorSchema,
  last: pointSchema,
  /** When the rule last alerted, even if the alert was suppressed. */
  alertedAt: instantSchema.optional(),
  /** The value furthest beyond the threshold since the alert. Absent once the alert is over. */
  furthest: pointSchema.optional(),
  held: heldSchema.optional(),
});
export type RuleState = z.infer<typeof ruleStateSchema>;

export interface RuleInput {
  readonly at: Instant;
  /** The value is in the measure's unit. A measurement without a value is ignored. */
  readonly value?: Decimal | undefined;
  /** Values of a joined rule's other conditions, from the same response. */
  readonly others?: KnownValues | undefined;
  /** Past values, in any order. */
  readonly history?: readonly Point[];
  /** Values after this time were not seen; the state may be a day older. */
  readonly unseenSince?: Instant | undefined;
  /** False if the previous measurement is too long ago to know the value in between. */
  readonly isUnbroken?: boolean;
}

interface ThresholdAlert {
  readonly side: Side;
  readonly now: Point;
  readonly was: Point;
  /** The last alerted value, or else the first. */
  readonly since: Point;
  /** The distance from the year's mean, in standard deviations. */
  readonly zScore?: Decimal;
  readonly year?: YearSpread | undefined;
  readonly heldSince?: Instant | undefined;
  /** Values of the other conditions. */
  readonly others?: KnownValues | undefined;
}

/** The value is back by the hysteresis after an alert. `since` is the alert's value. */
interface ThresholdReturn {
  readonly side: Side;
  readonly now: Point;
  readonly was: Point;
  readonly since: Point;
  readonly furthest: Point;
  readonly heldSince?: Instant | undefined;
  readonly others?: KnownValues | undefined;
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
  | 'not long enough'
  | 'too soon after the last alert';

export interface RuleResult {
  readonly state: RuleState | undefined;
  readonly alert?: ThresholdAlert;
  readonly back?: ThresholdReturn;
  readonly reason: RuleReason;
}

export function evaluateRule(rule: ThresholdRule, state: RuleState | undefined, measurement: RuleInput): RuleResult {
  const { value, at } = measurement;
  if (value === undefined) return { state, reason: 'unknown' };
  if (state !== undefined && at <= state.last.at)
    return { state: measurement.isUnbroken === false ? released(state) : state, reason: 'older than the last measurement' };
  const now: Point = { at, value };
  const { history = [], unseenSince, others } = measurement;
  const stand = positionOf(rule, state, { now, history, unseenSince, others });
  // An unknown condition neither begins nor ends an alert.
  if (stand?.isOpen === true) return { state, reason: 'unknown' };
  if (state === undefined) {
    const side = stand?.beyond;
    return {
      state: { armed: side === undefined || rearmsAtOnce(rule), anchor: { ...now, ...(side && { side }) }, last: now },
      reason: 'first check',
    };
  }
  const furthest = furthestOf(rule, state, now);
  const seen: RuleState = { ...released(state), last: now, ...(furthest && { furthest }) };
  if (stand === undefined) return { state: seen, reason: 'history too short' };
  const { beyond, back } = stand;
  const isOpposite = beyond !== undefined && state.anchor.side !== undefined && beyond !== state.anchor.side;
  // A z-score on the opposite side is a new crossing. A flip back is not, or a margin that hovers at 0 would alert repeatedly.
  const armed = state.armed || back || (isOpposite && rule.when === 'z-score');
  if (beyond === undefined) return within({ seen, armed, before: state, now, joined: joinedValues(rule, others) });
  if (!armed) return { state: seen, reason: 'within the hysteresis' };
  const held = heldOf(rule, state, { now, isUnbroken: measurement.isUnbroken !== false });
  const waiting: RuleState = { ...seen, armed, ...(held && { held }) };
  if (held !== undefined && at < held.due) return { state: waiting, reason: 'not long enough' };
  // Extremes have no cooldown, because the next check would compare with this value. Hysteresis keeps them apart.
  const isSpaced = rule.when === 'extreme' || MEASURES[rule.measure].each;
  const soon = state.alertedAt !== undefined && at < later(state.alertedAt, COOLDOWN) && !isSpaced;
  if (soon) return { state: waiting, reason: 'too soon after the last alert' };
  return alerted(rule, state, { now, stand: { ...stand, beyond }, held, joined: joinedValues(rule, others) });
}

/** Evaluating the value would change nothing that is written. It is false where only an evaluation can tell. */
export function isUneventful(rule: ThresholdRule, state: RuleState, now: Point, earlier: EarlierValues): boolean {
  const { at, value } = now;
  const { armed, anchor, last, alertedAt = anchor.at, held, furthest } = state;
  if (held !== undefined || Math.max(anchor.at, alertedAt, last.at) > at || at - last.at >= WRITTEN_EVERY) return false;
  if (rule.when === 'move') {
    // A rule that alerts once ends at the check after its alert.
    const isEnding = rule.once === true && state.alertedAt !== undefined;
    return armed && !isEnding && !mayHaveMoved(rule, state, { now, earlier });
  }
  if (!('threshold' in rule)) return false;
  if (armed) return furthest === undefined && !isMet(rule, value);
  return rule.and === undefined && !isBack(rule, value) && furthestOf(rule, state, { at, value }) === furthest;
}

/** An alert keeps the values of all conditions of its rule. */
function joinedValues(rule: ThresholdRule, others: KnownValues = {}): { readonly others?: KnownValues } {
  if (!('threshold' in rule) || rule.and === undefined) return {};
  return { others: omitUndefined(Object.fromEntries(rule.and.map(({ measure }) => [measure, others[measure]]))) };
}

/** Restarts the time that a value must last. */
export const released = (state: RuleState): RuleState => omitUndefined({ ...state, held: undefined });

interface Inside {
  readonly seen: RuleState;
  readonly armed: boolean;
  readonly before: RuleState;
  readonly now: Point;
  readonly joined: ReturnType<typeof joinedValues>;
}

/** Evaluates a value that is not beyond the threshold. If it arms the rule again, the alert is over. */
function within({ seen, armed, before, now, joined }: Inside): RuleResult {
  const reason = armed === before.armed ? (armed ? 'not reached' : 'within the hysteresis') : 'back, armed again';
  const { furthest, ...over } = seen;
  if (!armed || furthest === undefined) return { state: { ...seen, armed }, reason };
  const { at: since, value: last, side, heldSince } = before.anchor;
  const returned = {
    side: side === 'low' ? 'high' : 'low',
    now,
    was: before.last,
    since: { at: since, value: last },
    // Another condition may have ended the alert while this value went further.
    furthest: before.furthest ?? furthest,
    ...(heldSince === undefined ? {} : { heldSince }),
    ...joined,
  } as const;
  return { state: { ...over, armed }, back: returned, reason };
}

interface Alerting {
  readonly now: Point;
  readonly stand: ThresholdPosition & { readonly beyond: Side };
  readonly held: RuleState['held'];
  readonly joined: ReturnType<typeof joinedValues>;
}

function alerted(
  rule: ThresholdRule,
  state: RuleState,
  { now, stand: { beyond, back, zScore, year }, held, joined }: Alerting,
): RuleResult {
  const since = held === undefined ? {} : { heldSince: held.since };
  const alert: ThresholdAlert = {
    side: beyond,
    now,
    was: state.last,
    since: { at: state.anchor.at, value: state.anchor.value },
    ...(zScore && { zScore, year }),
    ...since,
    ...joined,
  };
  const begins = returns(rule) ? { furthest: held?.furthest ?? now } : {};
  return {
    // A flip that ends away from 0 is armed at once. An unchanged margin is measured only once and could not arm it later.
    state: {
      armed: rearmsAtOnce(rule) || (rule.when === 'flip' && back),
      anchor: { ...now, side: beyond, ...since },
      last: now,
      alertedAt: now.at,
      ...begins,
    },
    alert,
    reason: 'alert',
  };
}

/** Returns since when the value is beyond the threshold. The time restarts if measurements are too far apart. */
function heldOf(
  rule: ThresholdRule,
  { held }: RuleState,
  { now, isUnbroken }: { readonly now: Point; readonly isUnbroken: boolean },
): RuleState['held'] {
  if (!('threshold' in rule) || rule.lasts === undefined) return undefined;
  if (held === undefined || !isUnbroken) return { since: now.at, due: later(now.at, rule.lasts), furthest: now };
  return { ...held, furthest: further(rule, held.furthest, now) };
}

const FEW_CHECKS = 2;
const SHORT_ABSENCE = 15 * MINUTE;

/** Returns the longest time (ms) between two measurements during which the value counts as beyond the threshold. */
export const longestGap = (lasts: number, every: number): number =>
  Math.max(FEW_CHECKS * Math.min(every, lasts), Math.min(SHORT_ABSENCE, lasts / FEW_CHECKS));

/** Tells whether a rule's alert can be over: only thresholds on values that last, not on occurrences. */
export const returns = (rule: ThresholdRule): rule is LineRule => 'threshold' in rule && !MEASURES[rule.measure].each;

/** Returns the furthest value since the alert; undefined if the rule has no alert that goes on. */
function furthestOf(rule: ThresholdRule, { armed, furthest }: RuleState, now: Point): Point | undefined {
  if (armed || furthest === undefined || !returns(rule)) return undefined;
  return further(rule, furthest, now);
}

function further({ when }: Pick<LineRule, 'when'>, furthest: Point, now: Point): Point {
  const order = compare(now.value, furthest.value);
  return (when === 'below' ? order < 0 : order > 0) ? now : furthest;
}

/** Tells whether a rule stays armed: it compares with the last alerted value, or each value is an occurrence. */
const rearmsAtOnce = ({ when, measure }: ThresholdRule): boolean =>
  when === 'move' || when === 'change' || when === 'extreme' || MEASURES[measure].each;

const cores = new WeakMap<RuleState, string>();

/** Returns the state as text, without its last value. */
function coreOf(state: RuleState): string {
  const { armed, anchor, alertedAt, held } = state;
  const core = cores.get(state) ?? `${armed} ${anchor.at} ${anchor.value} ${anchor.side} ${alertedAt} ${held?.since}`;
  cores.set(state, core);
  return core;
}

/** Tells whether two states decide alike. */
export const isSameState = (one: RuleState | undefined, other: RuleState | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && coreOf(one) === coreOf(other));

const WRITTEN_EVERY = DAY;

/** Tells whether a changed state must be stored. A value in the future was stored before the clock was set back. */
export const isStateWorthWriting = (before: RuleState | undefined, after: RuleState): boolean =>
  before !== after &&
  (before === undefined ||
    coreOf(before) !== coreOf(after) ||
    before.furthest?.value !== after.furthest?.value ||
    before.held?.furthest.value !== after.held?.furthest.value ||
    after.last.at < before.last.at ||
    after.last.at - before.last.at >= WRITTEN_EVERY);
