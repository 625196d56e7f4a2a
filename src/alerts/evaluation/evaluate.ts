/**
 * What a rule makes of a measurement. It is worked out once for all chats whose equal rules remember the same: they share the judgement, and the state
 * that follows. Pure but for what it remembers of one check.
 */
import { instant, later, MINUTE, type Instant } from '../../base/clock.js';
import { COOLDOWN } from '../../domain/crossing.js';
import { levelWords, type LevelRule } from '../../domain/level.js';
import type { Decimal } from '../../domain/scalars.js';
import type { Reading } from '../../feeds/feed.js';
import type { Absence } from '../watchlist/absence.js';
import { judge, type Figure, type Judgement, type LevelState } from './threshold.js';
import type { ReadFigures } from '../checks/check-records.js';
import type { Member } from '../queue/member.js';
import { seriesOf } from './series.js';

/** What was found so shortly before a watch began was so when it began. */
export const JUST_NOW = MINUTE;

/** What one check measured, and what is known around it. */
export interface Hearing {
  readonly readings: readonly Heeded[];
  /** What was measured before this check. It may be newer than what the states remember, and is what a rule that has no state yet begins from. */
  readonly before: readonly ReadFigures[];
  /** This is the first check of the subject, or the first at this service: what is remembered means nothing, and nothing is alerted. */
  readonly first: boolean;
  readonly late?: Member['late'];
  /** When the subject was last checked before. */
  readonly checkedAt?: Instant | undefined;
  readonly now: Instant;
}

/** A measurement; `since`: the check found the same value as at that moment, so it alerts only by a rule that had to wait then. */
export interface Heeded extends Reading {
  readonly since?: Instant;
}

export interface Evaluation {
  readonly reading: Heeded;
  readonly rule: LevelRule;
  /** What the rule remembers in this chat. */
  readonly state: LevelState | undefined;
  /** When the watch began. */
  readonly began: Instant | undefined;
  /** The chat came back since the check before: its rules go by what they knew when it left, whatever other chats were alerted of meanwhile. */
  readonly absence: Absence | undefined;
  /** The same object for all chats, so that they share what is worked out. */
  readonly hearing: Hearing;
}

/** What is shared by all chats that one check is judged for. */
interface Shared {
  readonly before: ReadonlyMap<string, ReadFigures>;
  readonly judgements: Map<Heeded, Map<string, Judgement>>;
}

const shares = new WeakMap<Hearing, Shared>();

function sharedOf(hearing: Hearing): Shared {
  // Of several measurements of one series the first counts.
  const before = () => new Map(hearing.before.toReversed().map((one) => [one.series, one]));
  const shared = shares.get(hearing) ?? { before: before(), judgements: new Map() };
  shares.set(hearing, shared);
  return shared;
}

export function evaluate(one: Evaluation): Judgement {
  const { reading, rule, state, began, absence, hearing } = one;
  const shared = sharedOf(hearing);
  const before = shared.before.get(seriesOf(reading));
  // What is dated before the watch began is where it begins.
  const begins = hearing.first || (began !== undefined && reading.at < began);
  const isUnknown = absence !== undefined && before !== undefined && before.at > absence.from;
  const isStale = began !== undefined && before !== undefined && (before.foundAt ?? before.at) < began - JUST_NOW;
  const judgements = shared.judgements.get(reading) ?? new Map<string, Judgement>();
  shared.judgements.set(reading, judgements);
  const key = begins ? `${textOf(rule)} begins` : `${textOf(rule)} ${isUnknown} ${isStale} ${stateText(state)}`;
  const known = judgements.get(key);
  if (known !== undefined) return known;
  const from = begins ? undefined : standing(state, { reading, rule, hearing, before, isUnknown, isStale });
  const judgement = judge({ ...rule, entry: wordsOf(rule) }, from, figureOf(reading, rule));
  judgements.set(key, judgement);
  return judgement;
}

const texts = new WeakMap<LevelRule, string>();

/** Equal rules have the same text. */
function textOf(rule: LevelRule): string {
  const text = texts.get(rule) ?? JSON.stringify(rule);
  texts.set(rule, text);
  return text;
}

const words = new WeakMap<LevelRule, string>();

/** Each check asks for the words of every rule, and writing numbers out takes long. */
export function wordsOf(rule: LevelRule): string {
  const known = words.get(rule) ?? levelWords(rule);
  words.set(rule, known);
  return known;
}

/** Everything that a state says. */
const stateText = (state: LevelState | undefined): string =>
  state === undefined ? 'nothing' : `${coreOf(state)} ${state.last.at} ${state.last.value}`;

const cores = new WeakMap<LevelState, string>();

/** Everything that decides about alerts but the last value. */
export function coreOf(state: LevelState): string {
  const { armed, anchor, alertedAt } = state;
  const core = cores.get(state) ?? `${armed} ${anchor.at} ${anchor.value} ${anchor.side} ${alertedAt}`;
  cores.set(state, core);
  return core;
}

function figureOf(reading: Heeded, rule: LevelRule, of: { at: Instant; value: Decimal | undefined } = valueAt(reading, rule)): Figure {
  const history = reading.history?.[rule.measure];
  return {
    ...{ id: reading.event.id, kind: reading.event.feed, subject: seriesOf(reading), ...of },
    ...(history === undefined ? {} : { history }),
  };
}

const valueAt = ({ at, values }: Heeded, { measure }: LevelRule) => ({ at, value: values[measure] });

/** Whether a measurement was made in the cooldown after an alert. */
export const hadToWait = (state: LevelState | undefined, at: Instant): boolean =>
  state?.alertedAt !== undefined && at > state.alertedAt && at < later(state.alertedAt, COOLDOWN);

interface Standing extends Pick<Evaluation, 'reading' | 'rule' | 'hearing'> {
  /** What was read before this check. */
  readonly before: ReadFigures | undefined;
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
function standing(state: LevelState | undefined, { reading, rule, hearing, before, isUnknown, isStale }: Standing): LevelState | undefined {
  const isBack = state !== undefined && state.last.at > hearing.now && reading.at < state.last.at;
  const clocked = isBack ? setBack(state, reading.at) : state;
  const value = before?.values[rule.measure];
  if (before === undefined || value === undefined || before.at > hearing.now || isUnknown) return clocked;
  if (clocked === undefined)
    return isStale
      ? undefined
      : judge({ ...rule, entry: wordsOf(rule) }, undefined, figureOf(reading, rule, { at: before.at, value })).state;
  return before.at <= clocked.last.at ? clocked : { ...clocked, last: { at: before.at, value } };
}

/** What was read in the future was read before the clock was set back: a rule must not be deaf until the clock has caught up. */
function setBack(state: LevelState, at: Instant): LevelState {
  const just = instant(at - 1);
  const past = (moment: Instant): Instant => (moment > just ? just : moment);
  return {
    ...state,
    anchor: { ...state.anchor, at: past(state.anchor.at) },
    last: { ...state.last, at: past(state.last.at) },
    ...(state.alertedAt === undefined ? {} : { alertedAt: past(state.alertedAt) }),
  };
}
