/** Whether a chat follows shared states, so needs no own evaluation. */
import { later, type Instant } from '../../base/clock.js';
import type { Measure } from '../../domain/measures.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { lastPoint } from '../checks/check-records.js';
import type { Queue } from '../queue/queue.js';
import { isOff, rulesFor } from '../rules/presets.js';
import { absenceBehind } from '../watchlist/absence.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import type { CheckedMeasurement, MeasuredCheck } from './evaluate.js';
import { covering } from './match.js';
import { onlyReferences, statesOf, type StoredStates } from './shared-state-references.js';
import { seriesOf } from './series.js';
import { FOLLOWS, isReference, ownPart, sharedKeyOf, type SharedReference, type SharedStates } from './shared-states.js';
import { nameOf, ruleStateKey } from './stored-states.js';
import { COOLDOWN, type RuleState } from './threshold.js';

interface FollowedRule {
  readonly rule: ThresholdRule;
  readonly key: string;
  readonly reference: SharedReference;
}

interface Following {
  readonly rules: readonly FollowedRule[];
  /** Without a state: no value yet. */
  readonly unknown: readonly Measure[];
  /** Other rules, rules that end, or own states. */
  readonly isOther: boolean;
}

function followingIn(stored: StoredStates, levels: readonly ThresholdRule[], keyFor: (rule: ThresholdRule) => string): Following {
  const keyed = levels.map((rule) => ({ rule, key: keyFor(rule) }));
  const rules = keyed.flatMap(({ rule, key }): FollowedRule[] => {
    const reference = stored.get(key);
    return isReference(reference) ? [{ rule, key: sharedKeyOf(key), reference }] : [];
  });
  return {
    rules,
    unknown: keyed.flatMap(({ rule, key }) => (stored.has(key) ? [] : [rule.measure])),
    isOther: rules.length !== stored.size || levels.some(({ once, until }) => once === true || until !== undefined),
  };
}

const followings = new WeakMap<readonly string[], WeakMap<readonly ThresholdRule[], { readonly series: string; readonly of: Following }>>();

function followingByNames(names: readonly string[], levels: readonly ThresholdRule[], series: string): Following {
  const byLevels = followings.get(names) ?? new WeakMap();
  followings.set(names, byLevels);
  const known = byLevels.get(levels);
  if (known?.series === series) return known.of;
  const keyFor = (name: string): string => `${series}/-/${name}`;
  const of = followingIn(new Map(names.map((name) => [keyFor(name), FOLLOWS])), levels, (rule) => keyFor(nameOf(rule)));
  byLevels.set(levels, { series, of });
  return of;
}

const NO_RULES: readonly ThresholdRule[] = [];

function followingOf(queue: Queue, entry: Entry, { series, feed }: { readonly series: string; readonly feed: string }): Following {
  const levels = isOff(entry, feed) ? NO_RULES : rulesFor(entry, feed).levels;
  const only = onlyReferences(queue, series);
  return only !== undefined && only.target === targetName(entry.target) && only.since === entry.since
    ? followingByNames(only.names, levels, series)
    : followingIn(statesOf(queue, series), levels, (rule) => ruleStateKey(series, entry, rule));
}

function isDecidedAlike(
  { rule: { when }, reference }: FollowedRule,
  shared: RuleState | undefined,
  { at, since = at }: CheckedMeasurement,
): boolean {
  if (shared === undefined) return false;
  const own = ownPart(reference, shared);
  if (own === undefined) return true;
  if (when === 'move' || when === 'change' || when === 'extreme') return false;
  if (when === 'z-score' && own.anchor.side !== shared.anchor.side) return false;
  const isOver = (alertedAt: Instant | undefined): boolean => alertedAt === undefined || later(alertedAt, COOLDOWN) <= since;
  return own.anchor.at <= since && isOver(own.alertedAt) && isOver(shared.alertedAt);
}

/** Without shared alerts, all the chat's rules stand as the shared ones. */
export function follows(
  queue: Queue,
  chat: Chat,
  { check, before }: { readonly check: MeasuredCheck; readonly before: SharedStates },
): boolean {
  if (absenceBehind(chat, check.checkedAt, check.now) !== undefined) return false;
  return check.measurements.every((measurement) => {
    const { event } = measurement;
    const series = seriesOf(measurement);
    const entries = covering(event, chat);
    const [entry] = entries;
    if (entry === undefined || entries.some(({ since }) => since > measurement.at || since > check.now)) return false;
    const { rules, unknown, isOther } = followingOf(queue, entry, { series, feed: event.feed });
    if (isOther || rules.length === 0) return false;
    const last = unknown.length === 0 ? undefined : check.before.find((one) => one.series === series);
    if (unknown.some((measure) => measurement.values[measure] !== undefined || lastPoint(last, measure) !== undefined)) return false;
    return rules.every((one) => isDecidedAlike(one, before[one.key], measurement));
  });
}
