/**
 * This module updates rule states that chats share. Chats in which a rule was set within the same span of time have one state.
 */
import { z } from 'zod';
import { instant, type Instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import { instantSchema } from '../../domain/scalars.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { evaluateRules } from './chat-rules.js';
import { freshUntil, type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import { isSameState, ruleStateSchema, type RuleState } from './threshold.js';

const sharedStateSchema = z.object({
  /** The state is for chats in which the rule was set at or before this time, and after the `until` of the previous state. */
  until: instantSchema,
  /** When the latest watch of these chats began. `until` is later if the rule was set after that. */
  since: instantSchema,
  state: ruleStateSchema,
});
export type SharedState = z.infer<typeof sharedStateSchema>;

/** Lists by series and rule name, earliest state first. */
export const sharedStatesSchema = z.record(z.string(), z.record(z.string(), z.array(sharedStateSchema).readonly()));
export type SharedStates = z.infer<typeof sharedStatesSchema>;

export const sharedStateOf = (list: readonly SharedState[] | undefined, stands: Instant): RuleState | undefined =>
  list?.find(({ until }) => stands <= until)?.state;

export const lastUntil = (list: readonly SharedState[] | undefined): Instant => list?.at(-1)?.until ?? instant(Number.NEGATIVE_INFINITY);

/** The chats in which a rule was set after `after` and no later than `until`. */
export interface StandingSpan {
  readonly after: Instant | undefined;
  readonly until: Instant;
}

export interface Evolved {
  readonly list: readonly SharedState[];
  readonly crossings: readonly (StandingSpan & { readonly crossing: Crossing })[];
}

interface Piece extends StandingSpan, Pick<SharedState, 'since'> {
  readonly state: RuleState | undefined;
  /** When the watch of these chats began, or long ago if that does not affect the result. */
  readonly began: Instant;
}

/** Evaluates a measurement for all shared states of one rule. */
export function evolve(list: readonly SharedState[], rule: ThresholdRule, measurement: CheckedMeasurement, check: MeasuredCheck): Evolved {
  const pieces = list.flatMap((one, index) => piecesOf(one, list[index - 1]?.until, measurement, check.now));
  return evaluated(pieces, rule, measurement, check);
}

const LONG_AGO = instant(0);

/** Splits a state at the measurement's time, because watches that began after it start from this value. */
function piecesOf(
  { until, since, state }: SharedState,
  after: Instant | undefined,
  { at }: CheckedMeasurement,
  now: Instant,
): readonly Piece[] {
  if (since <= at) return [{ after, until, since, state, began: LONG_AGO }];
  const bounds = [...new Set([at, now, until])].filter((bound) => (after === undefined || bound > after) && bound <= until);
  return bounds
    .toSorted((a, b) => a - b)
    .map((bound, index, all) => ({
      after: all[index - 1] ?? after,
      until: bound,
      since: bound < since ? bound : since,
      state,
      // A time in the future was stored before the clock was set back.
      began: bound > at && bound <= now ? bound : LONG_AGO,
    }));
}

function evaluated(pieces: readonly Piece[], rule: ThresholdRule, measurement: CheckedMeasurement, check: MeasuredCheck): Evolved {
  const list: SharedState[] = [];
  const crossings: (StandingSpan & { readonly crossing: Crossing })[] = [];
  for (const { after, until, since, state, began } of pieces) {
    const {
      states,
      crossings: found,
      returns,
    } = evaluateRules(measurement, {
      rules: new Map([[NAME, rule]]),
      states: new Map(state === undefined ? [] : [[NAME, state]]),
      check,
      began,
      absence: undefined,
      hasFired: () => false,
    });
    const is = states.get(NAME);
    if (is === undefined) continue;
    list.push({ until, since, state: is });
    for (const crossing of [...found, ...returns]) crossings.push({ after, until, crossing });
  }
  return { list: merged(list), crossings };
}

const NAME = 'rule';

/** Merges neighbouring states that decide alike. */
function merged(list: readonly SharedState[]): readonly SharedState[] {
  const all: SharedState[] = [];
  for (const one of list) {
    const last = all.at(-1);
    const isSame = last !== undefined && isSameState(last.state, one.state);
    if (isSame) all.pop();
    all.push(isSame && last.since > one.since ? { ...one, since: last.since } : one);
  }
  return all;
}

/** A rule that is set in a chat and has no state there yet. */
export interface JoiningRule {
  readonly stands: Instant;
  /** When its entry's watch began. */
  readonly since: Instant;
}

/** Returns first states for rules that were set after the last state of `list`. */
export function join(
  list: readonly SharedState[],
  joining: readonly JoiningRule[],
  {
    rule,
    measurement,
    check,
    until,
  }: { readonly rule: ThresholdRule; readonly measurement: CheckedMeasurement; readonly check: MeasuredCheck; readonly until: Instant },
): Evolved {
  const [first] = joining;
  if (first === undefined) return { list, crossings: [] };
  const pieces: Piece[] = [];
  const groups = groupsOf(joining, beginningOf(measurement, check));
  for (const [index, { since }] of groups.entries()) {
    const next = groups[index + 1];
    const after = pieces.at(-1)?.until ?? list.at(-1)?.until;
    const end = next === undefined ? until : instant(next.first - 1);
    pieces.push({ after, until: end, since, state: undefined, began: since > check.now ? LONG_AGO : since });
  }
  const begun = evaluated(pieces, rule, measurement, check);
  return { list: merged([...list, ...begun.list]), crossings: begun.crossings };
}

interface Group {
  /** The latest such time. */
  since: Instant;
  first: Instant;
  last: Instant;
}

/** Groups neighbours that begin with the same state, earliest first. */
function groupsOf(joining: readonly JoiningRule[], kindOf: (since: Instant) => string): readonly Group[] {
  const groups: Group[] = [];
  const isOneKind = new Set(joining.map(({ since }) => kindOf(since))).size === 1;
  for (const one of isOneKind ? joining : joining.toSorted((a, b) => a.stands - b.stands)) {
    const group = groups.at(-1);
    if (group !== undefined && (isOneKind || group.last === one.stands || kindOf(group.since) === kindOf(one.since))) extend(group, one);
    else groups.push(groupOf(one));
  }
  return groups;
}

const groupOf = ({ stands, since }: JoiningRule): Group => ({ since, first: stands, last: stands });

function extend(group: Group, { stands, since }: JoiningRule): void {
  if (since > group.since) group.since = since;
  if (stands < group.first) group.first = stands;
  if (stands > group.last) group.last = stands;
}

/** Returns a function that classifies watches; those of one class begin with the same state. */
function beginningOf(measurement: CheckedMeasurement, check: MeasuredCheck): (since: Instant) => string {
  const fresh = freshUntil(measurement, check);
  return (since) => (since > check.now ? 'future' : since > measurement.at ? 'young' : since > fresh ? 'stale' : 'fresh');
}
