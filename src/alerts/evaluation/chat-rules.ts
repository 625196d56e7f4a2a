/** Evaluates measurements for a chat. States change in the write of their alert (decision 19). Pure. */
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { Measurement } from '../../feeds/feed.js';
import { absenceBehind, lateAfterAbsence, type Absence } from '../watchlist/absence.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { evaluate, hadToWait, wordsOf, type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import { seriesOf } from '../checks/check-records.js';
import { type RuleState, isStateWorthWriting } from './threshold.js';
import { covering } from './match.js';
import { enqueue, type Member, type Queue } from '../queue/queue.js';
import { isOver } from '../rules/rule-end.js';
import { isOff, rulesFor } from '../rules/presets.js';
import type { EndedRule, Chat } from '../watchlist/watchlists.js';
import { ownStates, statesOf, withStates, type StoredStates } from './shared-state-references.js';
import { isReference, isSameState, NOTHING_SHARED, referenceTo, resolved, sharedKeyOf, type SharedTransition } from './shared-states.js';
import { firedIn, ruleStateKey, tailIn } from './stored-states.js';

export interface ChatEvaluation {
  /** The same object if nothing needs a write. */
  readonly queue: Queue;
  readonly alerts: readonly Measurement[];
  readonly states: ReadonlyMap<string, RuleStates>;
  readonly ended: readonly EndedRule[];
}

export type RuleStates = ReadonlyMap<string, RuleState>;
const NO_STATES: RuleStates = new Map();

/** Idempotent. */
export function evaluateForChat(
  queue: Queue,
  chat: Chat,
  measuredCheck: MeasuredCheck,
  shared: SharedTransition = NOTHING_SHARED,
): ChatEvaluation {
  const storedOf = (series: string): StoredStates => statesOf(queue, series);
  const after = new Map<string, RuleStates>();
  const members: Member[] = [];
  const alerts: Measurement[] = [];
  const ended: EndedRule[] = [];
  const absence = absenceBehind(chat, measuredCheck.checkedAt, measuredCheck.now);
  const late = lateAfterAbsence(chat, measuredCheck.checkedAt, measuredCheck.now) ?? measuredCheck.late;
  for (const measurement of measuredCheck.measurements) {
    const series = seriesOf(measurement);
    const entry = decidingEntry(measurement, chat, measuredCheck.now);
    const states = after.get(series) ?? (measuredCheck.first ? NO_STATES : resolvedStates(storedOf(series), shared));
    const levels = entry === undefined ? [] : rulesFor(entry, measurement.event.feed).levels;
    const evaluated = evaluateRules(measurement, {
      rules: new Map(entry === undefined ? [] : levels.map((rule) => [ruleStateKey(series, entry, rule), rule])),
      states,
      check: measuredCheck,
      began: beganOf(entry, measuredCheck.now),
      absence,
      hasFired: (key) => [...new Map([...ownStates(queue), ...after]).values()].some((own) => firedIn(own, tailIn(key))),
    });
    after.set(series, evaluated.states);
    if (entry !== undefined)
      ended.push(...evaluated.ended.map((rule) => ({ entry: targetName(entry.target), kind: measurement.event.feed, rule })));
    if (entry === undefined || evaluated.crossings.length === 0) continue;
    alerts.push(measurement);
    members.push({
      ...thresholdMember(measurement.event.id, { entry, crossings: evaluated.crossings, now: measuredCheck.now }),
      ...(late && { late }),
    });
  }
  const isQuiet =
    members.length === 0 &&
    [...after].every(([series, states]) => !isWorthWriting(storedOf(series), states, { ...shared, first: measuredCheck.first }));
  if (isQuiet) return { queue, alerts, states: after, ended };
  const stored = new Map([...after].map(([series, states]) => [series, toStore(states, shared)] as const));
  return { queue: withStates(enqueue(queue, members), stored), alerts, states: after, ended };
}

export const thresholdMember = (
  event: string,
  { entry, crossings, now }: { readonly entry: Entry; readonly crossings: readonly Crossing[]; readonly now: Instant },
): Member => ({
  event,
  entry: targetName(entry.target),
  queuedAt: now,
  rule: crossings.map(({ rule }) => wordsOf(rule)).join('; '),
  crossings,
});

const resolvedStates = (stored: StoredStates, { before }: SharedTransition): RuleStates =>
  new Map(
    [...stored].flatMap(([key, one]): [string, RuleState][] => {
      const state = resolved(one, before[sharedKeyOf(key)]);
      return state === undefined ? [] : [[key, state]];
    }),
  );

const toStore = (states: RuleStates, { after }: SharedTransition): StoredStates =>
  new Map([...states].map(([key, state]) => [key, referenceTo(after[sharedKeyOf(key)], state) ?? state]));

function isWorthWriting(
  before: StoredStates,
  states: RuleStates,
  { after, first }: SharedTransition & { readonly first: boolean },
): boolean {
  if (states.size !== before.size) return true;
  return [...states].some(([key, state]) => {
    const known = before.get(key);
    return isReference(known) ? first || !isSameState(resolved(known, after[sharedKeyOf(key)]), state) : isStateWorthWriting(known, state);
  });
}

/** The most specific entry older than the measurement; none if off. */
export function decidingEntry({ event, at }: Pick<Measurement, 'event' | 'at'>, chat: Chat, now: Instant): Entry | undefined {
  const [first, ...others] = covering(event, chat);
  // A watch that begins in the future predates a clock that was set back.
  const isOlder = ({ since }: Entry): boolean => since <= at || since > now;
  const entry = first === undefined || isOlder(first) ? first : (others.find(isOlder) ?? first);
  return [first, entry].some((one) => one !== undefined && isOff(one, event.feed)) ? undefined : entry;
}

/** One in the future predates a clock that was set back. */
const beganOf = (entry: Entry | undefined, now: Instant): Instant | undefined =>
  entry !== undefined && entry.since <= now ? entry.since : undefined;

interface RuleContext {
  readonly rules: ReadonlyMap<string, ThresholdRule>;
  readonly states: RuleStates;
  readonly check: MeasuredCheck;
  readonly began: Instant | undefined;
  /** Since the last check. */
  readonly absence: Absence | undefined;
  /** In any series. */
  readonly hasFired: (key: string) => boolean;
}

export function evaluateRules(
  measurement: CheckedMeasurement,
  { rules, states, check: measuredCheck, began, absence, hasFired }: RuleContext,
): { readonly states: RuleStates; readonly crossings: readonly Crossing[]; readonly ended: readonly ThresholdRule[] } {
  // States of another entry, or of removed rules, would be outdated when they are evaluated again.
  const after = new Map([...states].filter(([key]) => rules.has(key)));
  const crossings: Crossing[] = [];
  const ended: ThresholdRule[] = [];
  for (const [key, rule] of rules) {
    const known = after.get(key);
    if (isOver(rule, measuredCheck.now) || (rule.once === true && hasFired(key))) {
      ended.push(rule);
      continue;
    }
    if (measurement.since !== undefined && absence === undefined && !hadToWait(known, measurement.since)) continue;
    const judgement = evaluate({ measurement, rule, state: known, began, absence, check: measuredCheck });
    if (judgement.state !== undefined) after.set(key, judgement.state);
    if (judgement.alert === undefined) continue;
    if (rule.once === true) ended.push(rule);
    const { side, now, was, since, zScore, year } = judgement.alert;
    crossings.push({ rule, side, now, was, since, ...omitUndefined({ zScore, year }) });
  }
  return { states: after, crossings, ended };
}
