/** Whether a chat follows shared states, so needs no evaluation of its own. */
import { instant, later, type Instant } from '../../base/clock.js';
import type { Measure } from '../../domain/measures.js';
import type { FeedEvent } from '../../domain/event.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { lastPoint } from '../checks/check-records.js';
import type { Queue } from '../queue/queue.js';
import { isOff, rulesFor } from '../rules/presets.js';
import { absenceBehind } from '../watchlist/absence.js';
import type { Chat } from '../watchlist/watchlists.js';
import type { CheckedMeasurement, MeasuredCheck } from './evaluate.js';
import { covering } from './match.js';
import { seriesOf } from './series.js';
import { isReference, ownPart, sharedKeyOf, type SharedReference, type SharedStates } from './shared-states.js';
import { bySeries, ruleStateKey, type StoredStates } from './stored-states.js';
import { COOLDOWN, type RuleState } from './threshold.js';

interface FollowedRule {
  readonly rule: ThresholdRule;
  /** Of the shared state. */
  readonly key: string;
  readonly reference: SharedReference;
}

/** Valid while the chat's document and stored states are the same. */
interface Following {
  readonly chat: Chat;
  /** Of the last entry that covers the series. */
  readonly latestSince: Instant;
  readonly rules: readonly FollowedRule[];
  /** Measures of rules without a state: no check has got a value. */
  readonly unknown: readonly Measure[];
  /** Other rules, rules that end, or states without reference. */
  readonly isOther: boolean;
}

const followings = new WeakMap<StoredStates, Following>();

function followingOf(
  stored: StoredStates,
  chat: Chat,
  { series, event }: { readonly series: string; readonly event: FeedEvent },
): Following {
  const known = followings.get(stored);
  if (known?.chat === chat) return known;
  const entries = covering(event, chat);
  const [entry] = entries;
  const levels = entry === undefined || isOff(entry, event.feed) ? [] : rulesFor(entry, event.feed).levels;
  const keyed = entry === undefined ? [] : levels.map((rule) => ({ rule, key: ruleStateKey(series, entry, rule) }));
  const rules = keyed.flatMap(({ rule, key }): FollowedRule[] => {
    const reference = stored.get(key);
    return isReference(reference) ? [{ rule, key: sharedKeyOf(key), reference }] : [];
  });
  const following = {
    chat,
    latestSince: instant(Math.max(0, ...entries.map(({ since }) => since))),
    rules,
    unknown: keyed.flatMap(({ rule, key }) => (stored.has(key) ? [] : [rule.measure])),
    isOther: rules.length !== stored.size || levels.some(({ once, until }) => once === true || until !== undefined),
  };
  followings.set(stored, following);
  return following;
}

/** Decided alike, although the anchor is the chat's own. */
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
  const known = bySeries(queue);
  return check.measurements.every((measurement) => {
    const series = seriesOf(measurement);
    const stored = known.get(series);
    if (stored === undefined) return false;
    const { rules, unknown, isOther, latestSince } = followingOf(stored, chat, { series, event: measurement.event });
    if (isOther || latestSince > measurement.at || latestSince > check.now) return false;
    const last = unknown.length === 0 ? undefined : check.before.find((one) => one.series === series);
    if (unknown.some((measure) => measurement.values[measure] !== undefined || lastPoint(last, measure) !== undefined)) return false;
    return rules.every((one) => isDecidedAlike(one, before[one.key], measurement));
  });
}
