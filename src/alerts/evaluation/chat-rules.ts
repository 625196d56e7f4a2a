/** This module evaluates measurements for one chat, given the states of its rules. It is pure. */
import { hash } from 'node:crypto';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import { MEASURES } from '../../domain/measures.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { Measurement } from '../../feeds/feed.js';
import { seriesOf } from '../checks/check-records.js';
import type { Member } from '../queue/queued-event.js';
import { thresholdsAbout } from '../rules/filter.js';
import { isOff, ruleName } from '../rules/presets.js';
import { concerns, isOver } from '../rules/rule-end.js';
import { absenceBehind, lateAfterAbsence, type Absence } from '../watchlist/absence.js';
import { targetName, type About, type Entry } from '../watchlist/entry.js';
import { endedRule, type EndedRule } from '../watchlist/ended-rules.js';
import { standsSince } from '../watchlist/standing.js';
import type { Chat } from '../watchlist/watchlists.js';
import { evaluate, hadToWait, hasSeen, wordsOf, type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import { covering } from '../watchlist/match.js';
import type { RuleState } from './threshold.js';

/** States by rule name. */
export type NamedStates = ReadonlyMap<string, RuleState>;
const NO_STATES: NamedStates = new Map();

/** The states of a chat's rules before a check. */
export interface Remembered {
  states(series: string, of: { readonly entry: Entry; readonly about: About; readonly thresholds: readonly ThresholdRule[] }): NamedStates;
}

export interface ChatEvaluation {
  readonly members: readonly Member[];
  /** The states after the check, by series, of the entries that decided. States of removed rules are gone. */
  readonly states: ReadonlyMap<string, NamedStates>;
  readonly ended: readonly EndedRule[];
}

export function evaluateForChat(chat: Chat, check: MeasuredCheck, remembered: Remembered): ChatEvaluation {
  const after = new Map<string, NamedStates>();
  const members: Member[] = [];
  const ended: EndedRule[] = [];
  const absence = absenceBehind(chat, check.checkedAt, check.now);
  const late = lateAfterAbsence(chat, check.checkedAt, check.now) ?? check.late;
  for (const measurement of check.measurements) {
    const { event } = measurement;
    const series = seriesOf(measurement);
    const known = after.get(series) ?? NO_STATES;
    const entry = decidingNow(measurement, chat, { check, remembered });
    if (entry === undefined) {
      after.set(series, known);
      continue;
    }
    const thresholds = thresholdsAbout(entry, event);
    const evaluated = evaluateRules(measurement, {
      rules: new Map(thresholds.map((rule) => [ruleName(rule), rule])),
      states: new Map([...(check.first ? NO_STATES : remembered.states(series, { entry, about: event, thresholds })), ...known]),
      check,
      began: beganOf(entry, check.now),
      absence,
      hasFired: (name) => [...after.values()].some((states) => states.get(name)?.alertedAt !== undefined),
    });
    after.set(series, new Map([...known, ...evaluated.states]));
    ended.push(...evaluated.ended.map((rule) => endedRule(entry, event.feed, rule)));
    const member = (id: string, crossings: readonly Crossing[]): Member => ({
      ...thresholdMember(id, { entry, crossings, now: check.now }),
      ...(late && { late }),
    });
    if (evaluated.crossings.length > 0) members.push(member(event.id, evaluated.crossings));
    for (const one of evaluated.returns) members.push(member(returnId(event.id, ruleName(one.rule)), [one]));
  }
  return { members, states: after, ended };
}

/** Returns the id of a return: one for each rule, because each return edits the message of its own alert. */
export const returnId = (event: string, rule: string): string => `${event}${RETURN}${hash('sha256', rule, 'base64url').slice(0, 10)}`;

const RETURN = '-back-';

export const isReturnOf = (id: string, event: string): boolean => id.startsWith(`${event}${RETURN}`);

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

/** Returns the most specific entry older than the measurement, or undefined if that entry is off. */
export function decidingEntry({ event, at }: Pick<Measurement, 'event' | 'at'>, chat: Chat, now: Instant): Entry | undefined {
  const [first, ...others] = covering(event, chat);
  // A `since` in the future was stored before the clock was set back.
  const isOlder = ({ since }: Entry): boolean => since <= at || since > now;
  const entry = first === undefined || isOlder(first) ? first : (others.find(isOlder) ?? first);
  return [first, entry].some((one) => one !== undefined && isOff(one, event.feed)) ? undefined : entry;
}

/** A value dated before the latest entry is decided by an older one, unless it is found again after a crash: the latest one has seen it. */
export function decidingNow(
  measurement: CheckedMeasurement,
  chat: Chat,
  { check, remembered }: { readonly check: MeasuredCheck; readonly remembered: Remembered },
): Entry | undefined {
  const { event, at } = measurement;
  const [first] = covering(event, chat);
  const isDatedBefore = first !== undefined && first.since > at && !check.first && !isOff(first, event.feed);
  const of = isDatedBefore && { entry: first, about: event, thresholds: thresholdsAbout(first, event) };
  const isSeen =
    of !== false && [...remembered.states(seriesOf(measurement), of).values()].some((state) => hasSeen(state, measurement, check));
  return isSeen ? first : decidingEntry(measurement, chat, check.now);
}

/** A time in the future was stored before the clock was set back. */
const beganOf = ({ since }: Entry, now: Instant): Instant | undefined => (since <= now ? since : undefined);

interface RuleContext {
  readonly rules: ReadonlyMap<string, ThresholdRule>;
  readonly states: NamedStates;
  readonly check: MeasuredCheck;
  readonly began: Instant | undefined;
  /** An absence since the last check. */
  readonly absence: Absence | undefined;
  /** Tells whether the rule has fired in any series. */
  readonly hasFired: (key: string) => boolean;
}

export function evaluateRules(
  measurement: CheckedMeasurement,
  { rules, states, check: measuredCheck, began, absence, hasFired }: RuleContext,
): {
  readonly states: NamedStates;
  readonly crossings: readonly Crossing[];
  readonly returns: readonly Crossing[];
  readonly ended: readonly ThresholdRule[];
} {
  // Drop states of removed rules and of other entries: they would be outdated if the rules came back.
  const after = new Map([...states].filter(([key]) => rules.has(key)));
  const crossings: Crossing[] = [];
  const returned: Crossing[] = [];
  const ended: ThresholdRule[] = [];
  for (const [key, rule] of rules) {
    if (!concerns(rule, measurement.event)) continue;
    const known = after.get(key);
    if (isOver(rule, measuredCheck.now) || (rule.once === true && hasFired(key))) {
      ended.push(rule);
      continue;
    }
    if (measurement.since !== undefined && absence === undefined && !hadToWait(known, measurement.since)) continue;
    const judgement = evaluate({ measurement, rule, state: known, began, absence, check: measuredCheck });
    if (judgement.state !== undefined) after.set(key, judgement.state);
    if (judgement.back !== undefined) returned.push({ rule, ...judgement.back });
    if (judgement.alert === undefined) continue;
    if (rule.once === true) ended.push(rule);
    const { side, now, was, since, zScore, year, heldSince, others } = judgement.alert;
    crossings.push({ rule, side, now, was, since, ...omitUndefined({ zScore, year, heldSince, others }) });
  }
  return { states: after, crossings, returns: returned, ended };
}

/** Tells whether each value is an occurrence of its own, such as a single trade. */
export const isOccurrence = ({ measure }: ThresholdRule): boolean => MEASURES[measure].each;

/** Occurrences before the deciding entry may be found again after a crash, so what an older entry alerted stays known. */
export function rulesIn(entry: Entry, { event }: CheckedMeasurement, chat: Chat): readonly (readonly [ThresholdRule, Instant])[] {
  const inEntry = (one: Entry) => thresholdsAbout(one, event).map((rule) => [rule, standsSince(one, event, ruleName(rule))] as const);
  const decided = inEntry(entry);
  const names = new Set(decided.map(([rule]) => ruleName(rule)));
  const others = covering(event, chat).filter((one) => one !== entry && !isOff(one, event.feed));
  return [...decided, ...others.flatMap(inEntry).filter(([rule]) => isOccurrence(rule) && !names.has(ruleName(rule)))];
}
