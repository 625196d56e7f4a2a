/**
 * Evaluates measurements for one chat. Rule states change in the same write as the alert they cause; those that equal a shared state are references
 * to it (decision 19). Pure.
 */
import type { Instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import type { Measurement } from '../../feeds/feed.js';
import { absenceBehind, lateAfterAbsence, type Absence } from '../watchlist/absence.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { evaluate, hadToWait, wordsOf, type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import type { RuleState } from './threshold.js';
import { covering } from './match.js';
import { enqueue, type Member, type Queue } from '../queue/queue.js';
import { rulesFor } from '../rules/rule.js';
import { seriesOf } from './series.js';
import {
  isReference,
  isSameReference,
  isSameState,
  NOTHING_SHARED,
  referenceTo,
  resolved,
  sharedKeyOf,
  type SharedTransition,
  type StoredState,
} from './shared-states.js';
import { isStateWorthWriting } from './state-text.js';
import { bySeries, currentStates, ruleStateKey, type StoredStates } from './stored-states.js';
import type { Chat } from '../watchlist/watchlists.js';

export interface ChatEvaluation {
  /** The same object if nothing needs a write. */
  readonly queue: Queue;
  readonly alerts: readonly Measurement[];
  /** The states after this check, by series. */
  readonly states: ReadonlyMap<string, RuleStates>;
}

/** The states of one series, by their keys. */
export type RuleStates = ReadonlyMap<string, RuleState>;
const NO_STATES: RuleStates = new Map();
const NOTHING_STORED: StoredStates = new Map();

/** Idempotent. */
export function evaluateForChat(
  queue: Queue,
  chat: Chat,
  measuredCheck: MeasuredCheck,
  shared: SharedTransition = NOTHING_SHARED,
): ChatEvaluation {
  const known = bySeries(queue);
  const storedOf = (series: string): StoredStates => known.get(series) ?? NOTHING_STORED;
  const after = new Map<string, RuleStates>();
  const members: Member[] = [];
  const alerts: Measurement[] = [];
  const absence = absenceBehind(chat, measuredCheck.checkedAt, measuredCheck.now);
  const late = lateAfterAbsence(chat, measuredCheck.checkedAt, measuredCheck.now) ?? measuredCheck.late;
  for (const measurement of measuredCheck.measurements) {
    const series = seriesOf(measurement);
    const entry = decidingEntry(measurement, chat, measuredCheck.now);
    const states = after.get(series) ?? (measuredCheck.first ? NO_STATES : statesOf(storedOf(series), shared));
    const evaluated = evaluateRules(measurement, { series, entry, states, check: measuredCheck, absence });
    after.set(series, evaluated.states);
    if (entry === undefined || evaluated.crossings.length === 0) continue;
    alerts.push(measurement);
    members.push({
      ...thresholdMember(measurement.event.id, { entry, crossings: evaluated.crossings, now: measuredCheck.now }),
      ...(late && { late }),
    });
  }
  const isQuiet = members.length === 0 && [...after].every(([series, states]) => !isWorthWriting(storedOf(series), states, shared));
  if (isQuiet) return { queue, alerts, states: after };
  const stored = new Map([...after].map(([series, states]) => [series, toStore(storedOf(series), states, shared)] as const));
  const all = [...new Map([...known, ...stored]).values()].flatMap((own) => [...own]);
  const ruleStates = Object.fromEntries(currentStates(all, chat, measuredCheck.now));
  return { queue: { ...enqueue(queue, members), ruleStates }, alerts, states: after };
}

/** The alert of a measurement as it stands in a queue. */
export const thresholdMember = (
  event: string,
  { entry, crossings, now }: { readonly entry: Entry; readonly crossings: readonly Crossing[]; readonly now: Instant },
): Member => ({
  ...{ event, entry: targetName(entry.target), queuedAt: now },
  rule: crossings.map(({ rule }) => wordsOf(rule)).join('; '),
  crossings,
});

const statesOf = (stored: StoredStates, { before }: SharedTransition): RuleStates =>
  new Map(
    [...stored].flatMap(([key, one]): [string, RuleState][] => {
      const state = resolved(one, before[sharedKeyOf(key)]);
      return state === undefined ? [] : [[key, state]];
    }),
  );

/** A new reference needs the shared state to be stored; one that still holds does not. */
const toStore = (before: StoredStates, states: RuleStates, { after, isStored }: SharedTransition): StoredStates =>
  new Map(
    [...states].map(([key, state]): [string, StoredState] => {
      const shared = after[sharedKeyOf(key)];
      const reference = isStored ? referenceTo(shared, state) : undefined;
      const known = before.get(key);
      if (!isReference(known)) return [key, reference ?? state];
      if (reference !== undefined) return [key, isSameReference(known, reference) ? known : reference];
      return [key, isSameState(resolved(known, shared), state) ? known : state];
    }),
  );

function isWorthWriting(before: StoredStates, states: RuleStates, { after }: SharedTransition): boolean {
  if (states.size !== before.size) return true;
  return [...states].some(([key, state]) => {
    const known = before.get(key);
    return isReference(known) ? !isSameState(resolved(known, after[sharedKeyOf(key)]), state) : isStateWorthWriting(known, state);
  });
}

/** Whether all references of the chat hold after this check. */
export const stillRefers = (queue: Queue, { states }: Pick<ChatEvaluation, 'states'>, { after }: SharedTransition): boolean =>
  [...states].every(([series, now]) =>
    [...(bySeries(queue).get(series) ?? NOTHING_STORED)].every(([key, stored]) => {
      const state = now.get(key);
      return !isReference(stored) || (state !== undefined && isSameState(resolved(stored, after[sharedKeyOf(key)]), state));
    }),
  );

/** The most specific entry; none if it has the kind switched off; an older one if it is younger than the measurement. */
export function decidingEntry({ event, at }: Pick<Measurement, 'event' | 'at'>, chat: Chat, now: Instant): Entry | undefined {
  const [first, ...others] = covering(event, chat);
  // A watch that begins in the future predates a clock that was set back.
  const isOlder = ({ since }: Entry): boolean => since <= at || since > now;
  const entry = first === undefined || isOlder(first) ? first : (others.find(isOlder) ?? first);
  return first?.off.includes(event.feed) === true || entry?.off.includes(event.feed) === true ? undefined : entry;
}

interface RuleContext {
  readonly series: string;
  readonly entry: Entry | undefined;
  readonly states: RuleStates;
  readonly check: MeasuredCheck;
  /** Since the check before: rules continue from their own state. */
  readonly absence: Absence | undefined;
}

export function evaluateRules(
  measurement: CheckedMeasurement,
  { series, entry, states, check: measuredCheck, absence }: RuleContext,
): { readonly states: RuleStates; readonly crossings: readonly Crossing[] } {
  const rules = new Map(
    entry === undefined
      ? []
      : rulesFor(entry.rules, measurement.event.feed).levels.map((rule) => [ruleStateKey(series, entry, rule), rule] as const),
  );
  // States of another entry, or of removed rules, would be outdated when they are evaluated again.
  const after = new Map([...states].filter(([key]) => rules.has(key)));
  const crossings: Crossing[] = [];
  // A watch that begins in the future predates a clock that was set back.
  const began = entry !== undefined && entry.since <= measuredCheck.now ? entry.since : undefined;
  for (const [key, rule] of rules) {
    const known = after.get(key);
    if (measurement.since !== undefined && absence === undefined && !hadToWait(known, measurement.since)) continue;
    const judgement = evaluate({ measurement, rule, state: known, began, absence, check: measuredCheck });
    if (judgement.state !== undefined) after.set(key, judgement.state);
    if (judgement.alert === undefined) continue;
    const { side, now, was, since, zScore } = judgement.alert;
    crossings.push({ rule, side, now, was, since, ...(zScore === undefined ? {} : { zScore }) });
  }
  return { states: after, crossings };
}
