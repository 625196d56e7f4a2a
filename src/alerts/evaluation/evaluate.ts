/** This module evaluates a rule for a measurement. Chats with equal rules and a shared state share the result. */
import { instant, later, MINUTE, type Instant } from '../../base/clock.js';
import type { Point } from '../../domain/crossing.js';
import { MEASURES, type Measure } from '../../domain/measures.js';
import { conditionsOf, thresholdWords, type LineRule, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { Measurement } from '../../feeds/feed.js';
import { ruleName } from '../rules/presets.js';
import type { Absence } from '../watchlist/absence.js';
import type { EarlierValues } from './position.js';
import { COOLDOWN, evaluateRule, released, type RuleInput, type RuleResult, type RuleState } from './threshold.js';
import { lastPoint, type LastMeasurement, knownIn, seriesOf } from '../checks/check-records.js';
import type { Member } from '../queue/queued-event.js';

/** A value read at most this long before a watch began counts as the watch's starting value. */
export const JUST_NOW = MINUTE;

export interface MeasuredCheck {
  readonly measurements: readonly CheckedMeasurement[];
  readonly before: readonly LastMeasurement[];
  /** The first check of the subject or of the service. Earlier states are invalid, and nothing alerts. */
  readonly first: boolean;
  readonly late?: Member['late'];
  readonly checkedAt?: Instant | undefined;
  /** Returns the longest time (ms) between two checks during which a value counts as lasting. By default there is no limit. */
  readonly longestGap?: ((rule: LineRule & { readonly lasts: number }) => number) | undefined;
  readonly now: Instant;
}

/** `since` marks an unchanged value, which alerts only after a cooldown or when it has lasted long enough. */
export interface CheckedMeasurement extends Measurement {
  readonly since?: Instant;
}

export interface Evaluation {
  readonly measurement: CheckedMeasurement;
  readonly rule: ThresholdRule;
  readonly state: RuleState | undefined;
  readonly began: Instant | undefined;
  readonly absence: Absence | undefined;
  readonly check: MeasuredCheck;
}

type ResultsByState = Map<RuleState | typeof BEGINS | undefined, RuleResult>;

interface Shared {
  readonly before: ReadonlyMap<string, LastMeasurement>;
  readonly results: Map<CheckedMeasurement, Map<string, ResultsByState>>;
}

/** Stands for all states where a rule begins again with the measurement. */
const BEGINS = 'begins';

const shares = new WeakMap<MeasuredCheck, Shared>();

function sharedOf(measuredCheck: MeasuredCheck): Shared {
  // If a series has several measurements, the first one counts.
  const before = () => new Map(measuredCheck.before.toReversed().map((one) => [one.series, one]));
  const shared = shares.get(measuredCheck) ?? { before: before(), results: new Map() };
  shares.set(measuredCheck, shared);
  return shared;
}

/** Returns the time after which a new watch starts from this measurement, and not from the value before it. */
export function freshUntil(measurement: CheckedMeasurement, check: MeasuredCheck): Instant {
  const before = sharedOf(check).before.get(seriesOf(measurement));
  return before === undefined ? measurement.at : later(before.foundAt ?? before.at, JUST_NOW);
}

const earlierValuesOf = new WeakMap<CheckedMeasurement, Map<Measure, EarlierValues>>();

/** Returns the values before a measurement, the same object for all rules on a measure. */
export function earlierValues(measurement: CheckedMeasurement, measure: Measure, check: MeasuredCheck): EarlierValues {
  const known = earlierValuesOf.get(measurement) ?? new Map<Measure, EarlierValues>();
  earlierValuesOf.set(measurement, known);
  const last = (): Point | undefined => lastPoint(sharedOf(check).before.get(seriesOf(measurement)), measure);
  const earlier = known.get(measure) ?? { history: measurement.history?.[measure] ?? [], last: last() };
  known.set(measure, earlier);
  return earlier;
}

export function evaluate(one: Evaluation): RuleResult {
  const { measurement, rule, state, began, absence, check: measuredCheck } = one;
  const shared = sharedOf(measuredCheck);
  const before = shared.before.get(seriesOf(measurement));
  // A value dated before the watch is its starting value, unless it is found again after a crash and the rule has gone on since.
  const begins = measuredCheck.first || (began !== undefined && measurement.at < began && !hasSeen(state, measurement, measuredCheck));
  const unseenSince = absence !== undefined && before !== undefined && before.at > absence.from ? absence.from : undefined;
  // The value before the watch is too old to start from. Occurrences (`each`) need no starting value.
  const isStale =
    !MEASURES[rule.measure].each && began !== undefined && before !== undefined && began > freshUntil(measurement, measuredCheck);
  // What an absence or a late beginning changes is not shared, because few chats have either.
  const results = begins || (unseenSince === undefined && !isStale) ? resultsFor(shared, measurement, rule) : undefined;
  const key = begins ? BEGINS : state;
  const known = results?.get(key);
  if (known !== undefined) return known;
  const from = begins ? undefined : currentState(state, { measurement, rule, check: measuredCheck, before, unseenSince, isStale });
  const isUnbroken = unseenSince === undefined && isKnownBetween(from, { measurement, rule, check: measuredCheck, before });
  const input = { ...ruleInput(measurement, rule), ...(begins ? {} : { unseenSince, isUnbroken }) };
  const result = asFound(evaluateRule(rule, from, input), measurement);
  results?.set(key, result);
  return result;
}

/** Returns the results of equal rules so far, by state. States are compared by identity: those that chats share are one object. */
function resultsFor({ results }: Shared, measurement: CheckedMeasurement, rule: ThresholdRule): ResultsByState {
  const byRule = results.get(measurement) ?? new Map<string, ResultsByState>();
  results.set(measurement, byRule);
  const byState: ResultsByState = byRule.get(ruleName(rule)) ?? new Map();
  byRule.set(ruleName(rule), byState);
  return byState;
}

/** A state of the future was stored before the clock was set back, and says nothing. */
export const hasSeen = (
  state: RuleState | undefined,
  { at }: Pick<CheckedMeasurement, 'at'>,
  { now }: Pick<MeasuredCheck, 'now'>,
): boolean => state !== undefined && at <= state.last.at && state.last.at <= now;

/** A check that shows an unchanged value says that it was so until then. */
function isKnownBetween(
  state: RuleState | undefined,
  { measurement, rule, check: { longestGap }, before }: Pick<StateContext, 'measurement' | 'rule' | 'check' | 'before'>,
): boolean {
  if (longestGap === undefined || state === undefined || !('threshold' in rule) || rule.lasts === undefined) return true;
  const isLast = before !== undefined && conditionsOf(rule).every(({ measure }) => knownIn(before)[measure] !== undefined);
  // With several conditions, an earlier value of one measure does not confirm the others.
  const earlier = rule.and === undefined ? lastPoint(before, rule.measure)?.at : undefined;
  const seenAt = (isLast ? before.foundAt : undefined) ?? earlier ?? state.last.at;
  // After a crash a value is found again with its old date, so its detection counts.
  const at = measurement.at > state.last.at ? measurement.at : measurement.event.detectedAt;
  return at - Math.max(seenAt, state.last.at) <= longestGap({ ...rule, lasts: rule.lasts });
}

function asFound(result: RuleResult, { at, since }: CheckedMeasurement): RuleResult {
  const { state } = result;
  return since === undefined || state?.last.at !== at ? result : { ...result, state: { ...state, last: { ...state.last, at: since } } };
}

const words = new WeakMap<ThresholdRule, string>();

export function wordsOf(rule: ThresholdRule): string {
  const known = words.get(rule) ?? thresholdWords(rule);
  words.set(rule, known);
  return known;
}

function ruleInput(
  measurement: CheckedMeasurement,
  rule: ThresholdRule,
  of: Pick<RuleInput, 'at' | 'value' | 'others'> = valueAt(measurement, rule),
): RuleInput {
  const history = measurement.history?.[rule.measure];
  return {
    ...of,
    ...(history === undefined ? {} : { history }),
  };
}

const valueAt = (measurement: CheckedMeasurement, { measure }: ThresholdRule) => ({
  at: measurement.at,
  value: measurement.values[measure],
  others: knownIn(measurement),
});

/** Tells whether an unchanged value may alert now, because it crossed during the cooldown or must last. */
export const hadToWait = (state: RuleState | undefined, at: Instant): boolean => state?.held !== undefined || isInCooldown(state, at);

const isInCooldown = (state: RuleState | undefined, at: Instant): boolean =>
  state?.alertedAt !== undefined && at > state.alertedAt && at < later(state.alertedAt, COOLDOWN);

interface StateContext extends Pick<Evaluation, 'measurement' | 'rule' | 'check'> {
  readonly before: LastMeasurement | undefined;
  readonly unseenSince: Instant | undefined;
  readonly isStale: boolean;
}

/**
 * Returns the state to evaluate from. A rule without one starts from the last value unless that is stale, so that a first change alerts.
 */
function currentState(
  state: RuleState | undefined,
  { measurement, rule, check: measuredCheck, before, unseenSince, isStale }: StateContext,
): RuleState | undefined {
  const clocked =
    state !== undefined && newestOf(state) > Math.max(measuredCheck.now, measurement.at) ? setBack(state, measurement.at) : state;
  const last = lastPoint(before, rule.measure);
  // A rule whose value has not changed since it was set has no state. It begins with the latest value, even one from an absence.
  if (last === undefined || (unseenSince !== undefined && clocked !== undefined)) return clocked;
  const isFuture = last.at > measuredCheck.now;
  if (clocked === undefined) {
    const isCurrent = before?.values[rule.measure] !== undefined && !isStale && !isFuture;
    return isCurrent ? evaluateRule(rule, undefined, ruleInput(measurement, rule, { ...last, others: knownIn(before) })).state : undefined;
  }
  if (isFuture) return { ...clocked, last: { at: justBefore(measurement.at), value: last.value } };
  return last.at <= clocked.last.at ? clocked : { ...clocked, last };
}

const justBefore = (at: Instant): Instant => instant(at - 1);

const newestOf = ({ last, anchor, alertedAt = anchor.at }: RuleState): number => Math.max(last.at, anchor.at, alertedAt);

/** Corrects a state that was written before the clock was set back. */
function setBack(state: RuleState, at: Instant): RuleState {
  const just = justBefore(at);
  const past = (moment: Instant): Instant => (moment > just ? just : moment);
  const { heldSince } = state.anchor;
  // The duration was measured by another clock, so it begins again.
  return {
    ...released(state),
    anchor: { ...state.anchor, at: past(state.anchor.at), ...(heldSince === undefined ? {} : { heldSince: past(heldSince) }) },
    last: { ...state.last, at: past(state.last.at) },
    ...(state.alertedAt === undefined ? {} : { alertedAt: past(state.alertedAt) }),
    ...(state.furthest === undefined ? {} : { furthest: { ...state.furthest, at: past(state.furthest.at) } }),
  };
}
