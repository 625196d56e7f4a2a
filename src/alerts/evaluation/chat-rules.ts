/** Evaluates measurements for one chat. Rule states change in the same write as the alert they cause. Pure. */
import { DAY, type Instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { Measurement } from '../../feeds/feed.js';
import { absenceBehind, lateAfterAbsence, type Absence } from '../watchlist/absence.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { coreOf, evaluate, hadToWait, keyOf, wordsOf, type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import type { RuleState } from './threshold.js';
import { covering } from './match.js';
import { enqueue, type Member, type Queue } from '../queue/queue.js';
import { isOver } from '../rules/lifetime.js';
import { isOff, rulesFor } from '../rules/presets.js';
import type { EndedRule } from '../watchlist/ended-rules.js';
import { seriesOf } from './series.js';
import type { Chat } from '../watchlist/watchlists.js';

/** How often a state is written when only its last value changed; the check record has that value too. */
const WRITTEN_EVERY = DAY;
/** How long the state of a series without measurements is kept. */
const KEPT = 90 * DAY;

export interface ChatEvaluation {
  /** The same object if nothing needs a write. */
  readonly queue: Queue;
  readonly alerts: readonly Measurement[];
  /** To be removed from the watchlist: they alert no more. */
  readonly ended: readonly EndedRule[];
}

type States = NonNullable<Queue['ruleStates']>;
type Own = ReadonlyMap<string, RuleState>;
const NOTHING: Own = new Map();

/** Idempotent. */
export function evaluateForChat(queue: Queue, chat: Chat, measuredCheck: MeasuredCheck): ChatEvaluation {
  const known = bySeries(queue.ruleStates ?? EMPTY);
  const evaluated = new Map<string, Own>();
  const members: Member[] = [];
  const alerts: Measurement[] = [];
  const ended: EndedRule[] = [];
  const absence = absenceBehind(chat, measuredCheck.checkedAt, measuredCheck.now);
  const late = lateAfterAbsence(chat, measuredCheck.checkedAt, measuredCheck.now) ?? measuredCheck.late;
  for (const measurement of measuredCheck.measurements) {
    const series = seriesOf(measurement);
    const entry = decidingEntry(measurement, chat, measuredCheck.now);
    const states = evaluated.get(series) ?? (measuredCheck.first ? NOTHING : (known.get(series) ?? NOTHING));
    const hasFired = (tail: string): boolean => [...new Map([...known, ...evaluated]).values()].some((own) => firedIn(own, tail));
    const judged = evaluateRules(measurement, { series, entry, states, check: measuredCheck, absence, hasFired });
    evaluated.set(series, judged.states);
    if (entry !== undefined)
      ended.push(...judged.ended.map((rule) => ({ entry: targetName(entry.target), kind: measurement.event.feed, rule })));
    if (entry === undefined || judged.crossings.length === 0) continue;
    alerts.push(measurement);
    members.push({
      ...{ event: measurement.event.id, entry: targetName(entry.target), queuedAt: measuredCheck.now },
      rule: judged.crossings.map(({ rule }) => wordsOf(rule)).join('; '),
      crossings: judged.crossings,
      ...(late === undefined ? {} : { late }),
    });
  }
  const isQuiet = members.length === 0 && [...evaluated].every(([series, now]) => !isWorthWriting(known.get(series) ?? NOTHING, now));
  if (isQuiet) return { queue, alerts, ended };
  const states = [...new Map([...known, ...evaluated]).values()].flatMap((own) => [...own]);
  return {
    queue: { ...enqueue(queue, members), ruleStates: Object.fromEntries(currentStates(states, chat, measuredCheck.now)) },
    alerts,
    ended,
  };
}

const EMPTY: States = {};
const indexes = new WeakMap<States, ReadonlyMap<string, Own>>();

/** Cached per `states` object: most checks change none. */
function bySeries(states: States): ReadonlyMap<string, Own> {
  const index = indexes.get(states) ?? indexOf(states);
  indexes.set(states, index);
  return index;
}

function indexOf(states: States): ReadonlyMap<string, Own> {
  const index = new Map<string, Map<string, RuleState>>();
  for (const [key, state] of Object.entries(states)) {
    const series = seriesIn(key);
    const own = index.get(series) ?? new Map<string, RuleState>();
    index.set(series, own.set(key, state));
  }
  return index;
}

/** The most specific entry; none if it has the kind switched off; an older one if it is younger than the measurement. */
function decidingEntry({ event, at }: Measurement, chat: Chat, now: Instant): Entry | undefined {
  const [first, ...others] = covering(event, chat);
  // A watch that begins in the future predates a clock that was set back.
  const isOlder = ({ since }: Entry): boolean => since <= at || since > now;
  const entry = first === undefined || isOlder(first) ? first : (others.find(isOlder) ?? first);
  return [first, entry].some((one) => one !== undefined && isOff(one, event.feed)) ? undefined : entry;
}

/** An edited rule or a re-added entry starts with a new state. */
export const ruleStateKey = (series: string, entry: Entry, rule: ThresholdRule): string => `${series}/${tailOf(entry, rule)}`;

/** A rule that alerts once has a state of its own: that of the same rule without an end may have alerted before. */
const ONCE = ' once';

const firedIn = (states: Own, tail: string): boolean =>
  [...states].some(([key, { alertedAt }]) => alertedAt !== undefined && key.endsWith(`/${tail}`));

const tailOf = ({ target, since }: Entry, rule: ThresholdRule): string =>
  `${targetName(target)}@${since}/${keyOf(rule)}${rule.once === true ? ONCE : ''}`;

const seriesIn = (key: string): string => key.slice(0, key.lastIndexOf('/', key.lastIndexOf('/') - 1));

interface RuleContext {
  readonly series: string;
  readonly entry: Entry | undefined;
  readonly states: Own;
  readonly check: MeasuredCheck;
  /** Since the check before: rules continue from their own state. */
  readonly absence: Absence | undefined;
  /** For a rule that alerts once: whether it has, in any series. */
  readonly hasFired: (tail: string) => boolean;
}

function evaluateRules(
  measurement: CheckedMeasurement,
  { series, entry, states, check: measuredCheck, absence, hasFired }: RuleContext,
): { readonly states: Own; readonly crossings: readonly Crossing[]; readonly ended: readonly ThresholdRule[] } {
  const rules = new Map(
    entry === undefined
      ? []
      : rulesFor(entry, measurement.event.feed).levels.map((rule) => [ruleStateKey(series, entry, rule), rule] as const),
  );
  // States of another entry, or of removed rules, would be outdated when they are evaluated again.
  const after = new Map([...states].filter(([key]) => rules.has(key)));
  const crossings: Crossing[] = [];
  const ended: ThresholdRule[] = [];
  // A watch that begins in the future predates a clock that was set back.
  const began = entry !== undefined && entry.since <= measuredCheck.now ? entry.since : undefined;
  for (const [key, rule] of rules) {
    const known = after.get(key);
    if (isOver(rule, measuredCheck.now) || (rule.once === true && entry !== undefined && hasFired(tailOf(entry, rule)))) {
      ended.push(rule);
      continue;
    }
    if (measurement.since !== undefined && absence === undefined && !hadToWait(known, measurement.since)) continue;
    const judgement = evaluate({ measurement, rule, state: known, began, absence, check: measuredCheck });
    if (judgement.state !== undefined) after.set(key, judgement.state);
    if (judgement.alert === undefined) continue;
    if (rule.once === true) ended.push(rule);
    const { side, now, was, since, zScore } = judgement.alert;
    crossings.push({ rule, side, now, was, since, ...(zScore === undefined ? {} : { zScore }) });
  }
  return { states: after, crossings, ended };
}

type Remembered = readonly (readonly [key: string, state: RuleState])[];

function currentStates(states: Remembered, chat: Chat, now: Instant): Remembered {
  const tails = new Map<string, ReadonlySet<string>>();
  const tailsOf = (feed: string): ReadonlySet<string> => {
    const entries = chat.entries.filter((entry) => !isOff(entry, feed));
    return new Set(entries.flatMap((entry) => rulesFor(entry, feed).levels.map((rule) => tailOf(entry, rule))));
  };
  return states.filter(([key, { last }]) => {
    const feed = key.slice(0, key.indexOf('/'));
    const there = tails.get(feed) ?? tailsOf(feed);
    tails.set(feed, there);
    return now - last.at <= KEPT && there.has(key.slice(seriesIn(key).length + 1));
  });
}

/** The queue without outdated states; the same object if there are none. */
export function withCurrentStates(queue: Queue, chat: Chat, now: Instant): Queue {
  const states = Object.entries(queue.ruleStates ?? EMPTY);
  const kept = currentStates(states, chat, now);
  return kept.length === states.length ? queue : { ...queue, ruleStates: Object.fromEntries(kept) };
}

const isWorthWriting = (before: Own, after: Own): boolean =>
  after.size !== before.size ||
  [...after].some(([key, now]) => {
    const was = before.get(key);
    if (was === now) return false;
    return was === undefined || coreOf(was) !== coreOf(now) || Math.abs(now.last.at - was.last.at) >= WRITTEN_EVERY;
  });
