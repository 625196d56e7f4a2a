/**
 * What a rule makes of a measurement. It is worked out once for all chats whose equal rules remember the same: they share the judgement, and the state
 * that follows. Pure but for what it remembers of one check.
 */
import { instant, later, MINUTE, type Instant } from '../../base/clock.js';
import { COOLDOWN } from '../../domain/crossing.js';
import { thresholdWords, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { Decimal } from '../../domain/scalars.js';
import type { Measurement } from '../../feeds/feed.js';
import type { Absence } from '../watchlist/absence.js';
import { evaluateRule, type RuleInput, type RuleResult, type RuleState } from './threshold.js';
import type { LastMeasurement } from '../checks/check-records.js';
import type { Member } from '../queue/member.js';
import { seriesOf } from './series.js';

/** What was found so shortly before a watch began was so when it began. */
export const JUST_NOW = MINUTE;

/** What one check measured, and what is known around it. */
export interface MeasuredCheck {
  readonly measurements: readonly CheckedMeasurement[];
  /** What was measured before this check. It may be newer than what the states remember, and is what a rule that has no state yet begins from. */
  readonly before: readonly LastMeasurement[];
  /** This is the first check of the subject, or the first at this service: what is remembered means nothing, and nothing is alerted. */
  readonly first: boolean;
  readonly late?: Member['late'];
  /** When the subject was last checked before. */
  readonly checkedAt?: Instant | undefined;
  readonly now: Instant;
}

/** A measurement; `since`: the check found the same value as at that moment, so it alerts only by a rule that had to wait then. */
export interface CheckedMeasurement extends Measurement {
  readonly since?: Instant;
}

export interface Evaluation {
  readonly measurement: CheckedMeasurement;
  readonly rule: ThresholdRule;
  /** What the rule remembers in this chat. */
  readonly state: RuleState | undefined;
  /** When the watch began. */
  readonly began: Instant | undefined;
  /** The chat came back since the check before: its rules go by what they knew when it left, whatever other chats were alerted of meanwhile. */
  readonly absence: Absence | undefined;
  /** The same object for all chats, so that they share what is worked out. */
  readonly check: MeasuredCheck;
}

/** What is shared by all chats that one check is judged for. */
interface Shared {
  readonly before: ReadonlyMap<string, LastMeasurement>;
  readonly judgements: Map<CheckedMeasurement, Map<string, RuleResult>>;
}

const shares = new WeakMap<MeasuredCheck, Shared>();

function sharedOf(measuredCheck: MeasuredCheck): Shared {
  // Of several measurements of one series the first counts.
  const before = () => new Map(measuredCheck.before.toReversed().map((one) => [one.series, one]));
  const shared = shares.get(measuredCheck) ?? { before: before(), judgements: new Map() };
  shares.set(measuredCheck, shared);
  return shared;
}

export function evaluate(one: Evaluation): RuleResult {
  const { measurement, rule, state, began, absence, check: measuredCheck } = one;
  const shared = sharedOf(measuredCheck);
  const before = shared.before.get(seriesOf(measurement));
  // What is dated before the watch began is where it begins.
  const begins = measuredCheck.first || (began !== undefined && measurement.at < began);
  const isUnknown = absence !== undefined && before !== undefined && before.at > absence.from;
  const isStale = began !== undefined && before !== undefined && (before.foundAt ?? before.at) < began - JUST_NOW;
  const judgements = shared.judgements.get(measurement) ?? new Map<string, RuleResult>();
  shared.judgements.set(measurement, judgements);
  const key = begins ? `${textOf(rule)} begins` : `${textOf(rule)} ${isUnknown} ${isStale} ${stateText(state)}`;
  const known = judgements.get(key);
  if (known !== undefined) return known;
  const from = begins ? undefined : currentState(state, { measurement, rule, check: measuredCheck, before, isUnknown, isStale });
  const judgement = evaluateRule({ ...rule, entry: wordsOf(rule) }, from, ruleInput(measurement, rule));
  judgements.set(key, judgement);
  return judgement;
}

const texts = new WeakMap<ThresholdRule, string>();

/** Equal rules have the same text. */
function textOf(rule: ThresholdRule): string {
  const text = texts.get(rule) ?? JSON.stringify(rule);
  texts.set(rule, text);
  return text;
}

const words = new WeakMap<ThresholdRule, string>();

/** Each check asks for the words of every rule, and writing numbers out takes long. */
export function wordsOf(rule: ThresholdRule): string {
  const known = words.get(rule) ?? thresholdWords(rule);
  words.set(rule, known);
  return known;
}

/** Everything that a state says. */
const stateText = (state: RuleState | undefined): string =>
  state === undefined ? 'nothing' : `${coreOf(state)} ${state.last.at} ${state.last.value}`;

const cores = new WeakMap<RuleState, string>();

/** Everything that decides about alerts but the last value. */
export function coreOf(state: RuleState): string {
  const { armed, anchor, alertedAt } = state;
  const core = cores.get(state) ?? `${armed} ${anchor.at} ${anchor.value} ${anchor.side} ${alertedAt}`;
  cores.set(state, core);
  return core;
}

function ruleInput(
  measurement: CheckedMeasurement,
  rule: ThresholdRule,
  of: { at: Instant; value: Decimal | undefined } = valueAt(measurement, rule),
): RuleInput {
  const history = measurement.history?.[rule.measure];
  return {
    ...{ id: measurement.event.id, kind: measurement.event.feed, subject: seriesOf(measurement), ...of },
    ...(history === undefined ? {} : { history }),
  };
}

const valueAt = ({ at, values }: CheckedMeasurement, { measure }: ThresholdRule) => ({ at, value: values[measure] });

/** Whether a measurement was made in the cooldown after an alert. */
export const hadToWait = (state: RuleState | undefined, at: Instant): boolean =>
  state?.alertedAt !== undefined && at > state.alertedAt && at < later(state.alertedAt, COOLDOWN);

interface StateContext extends Pick<Evaluation, 'measurement' | 'rule' | 'check'> {
  /** What was read before this check. */
  readonly before: LastMeasurement | undefined;
  /** It was read while the chat was away. */
  readonly isUnknown: boolean;
  /** It was last found long before the watch began. */
  readonly isStale: boolean;
}

/**
 * What the rule remembers, with the value that was read last, which may not have been worth a write of its own; a rule that remembers nothing begins
 * from it, so that the first thing that happens after it was set is not lost; but not from what was last found so long before the watch began, since
 * nobody knows what happened between. On a clock that runs on from there.
 */
function currentState(
  state: RuleState | undefined,
  { measurement, rule, check: measuredCheck, before, isUnknown, isStale }: StateContext,
): RuleState | undefined {
  const isBack = state !== undefined && state.last.at > measuredCheck.now && measurement.at < state.last.at;
  const clocked = isBack ? setBack(state, measurement.at) : state;
  const value = before?.values[rule.measure];
  if (before === undefined || value === undefined || before.at > measuredCheck.now || isUnknown) return clocked;
  if (clocked === undefined)
    return isStale
      ? undefined
      : evaluateRule({ ...rule, entry: wordsOf(rule) }, undefined, ruleInput(measurement, rule, { at: before.at, value })).state;
  return before.at <= clocked.last.at ? clocked : { ...clocked, last: { at: before.at, value } };
}

/** What was read in the future was read before the clock was set back: a rule must not be deaf until the clock has caught up. */
function setBack(state: RuleState, at: Instant): RuleState {
  const just = instant(at - 1);
  const past = (moment: Instant): Instant => (moment > just ? just : moment);
  return {
    ...state,
    anchor: { ...state.anchor, at: past(state.anchor.at) },
    last: { ...state.last, at: past(state.last.at) },
    ...(state.alertedAt === undefined ? {} : { alertedAt: past(state.alertedAt) }),
  };
}
