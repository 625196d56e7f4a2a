/** Whether a chat follows shared states, so needs no own evaluation. */
import { later, type Instant } from '../../base/clock.js';
import type { Measure } from '../../domain/measures.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { lastPoint, seriesOf } from '../checks/check-records.js';
import type { Queue } from '../queue/queue.js';
import { isOff, rulesFor } from '../rules/presets.js';
import { absenceBehind } from '../watchlist/absence.js';
import type { CompactChat, SharedEntry } from '../watchlist/compact-chat.js';
import { targetName } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import { type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import { coveringPlaces } from './match.js';
import {
  hasOwnStates,
  onlyReferences,
  statesOf,
  type OnlyReferences,
  type References,
  type StoredStates,
} from './shared-state-references.js';
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

const levelsOf = (entry: SharedEntry, feed: string): readonly ThresholdRule[] =>
  isOff(entry, feed) ? NO_RULES : rulesFor(entry, feed).levels;

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

interface FollowedCheck {
  readonly check: MeasuredCheck;
  readonly before: SharedStates;
}

type IsFollower = (queue: Queue, chat: CompactChat<Chat>) => boolean;

/** Whether, without shared alerts, all rules of a chat stand as the shared ones. What chats have in common is decided once. */
export function followersOf({ check, before }: FollowedCheck): IsFollower {
  const each = check.measurements.map((measurement) => followersOfMeasurement(measurement, { check, before }));
  return (queue, chat) =>
    absenceBehind(chat.bare, check.checkedAt, check.now) === undefined && each.every((follows) => follows(queue, chat));
}

/** Of chats that all differ. */
const MAX_LISTS = 10_000;

function followersOfMeasurement(measurement: CheckedMeasurement, { check, before }: FollowedCheck): IsFollower {
  const { event } = measurement;
  const series = seriesOf(measurement);
  const isFollowing = ({ rules, unknown, isOther }: Following): boolean => {
    if (isOther || rules.length === 0) return false;
    const last = unknown.length === 0 ? undefined : check.before.find((one) => one.series === series);
    if (unknown.some((measure) => measurement.values[measure] !== undefined || lastPoint(last, measure) !== undefined)) return false;
    return rules.every((one) => isDecidedAlike(one, before[one.key], measurement));
  };

  const decided = new Map<readonly string[], Map<readonly ThresholdRule[], boolean>>();
  const isFollowingNames = (names: readonly string[], levels: readonly ThresholdRule[]): boolean => {
    const byLevels = decided.get(names) ?? new Map<readonly ThresholdRule[], boolean>();
    decided.set(names, byLevels);
    const known = byLevels.get(levels) ?? isFollowing(followingByNames(names, levels, series));
    byLevels.set(levels, known);
    return known;
  };

  const lists = new Map<References['rules'], OnlyReferences | undefined>();
  const onlyIn = (rules: References['rules']): OnlyReferences | undefined => {
    if (lists.has(rules)) return lists.get(rules);
    const only = onlyReferences(rules, series);
    if (lists.size < MAX_LISTS) lists.set(rules, only);
    return only;
  };

  const covered = new Map<readonly SharedEntry[], Covered | undefined>();
  const coveredIn = (entries: readonly SharedEntry[]): Covered | undefined => {
    if (covered.has(entries)) return covered.get(entries);
    const places = coveringPlaces(event, entries);
    const [place] = places;
    const entry = place === undefined ? undefined : entries[place];
    const own =
      place === undefined || entry === undefined
        ? undefined
        : { places, place, entry, name: targetName(entry.target), levels: levelsOf(entry, event.feed) };
    if (covered.size < MAX_LISTS) covered.set(entries, own);
    return own;
  };
  /** An unknown one too. */
  const isLater = (since: Instant | undefined): boolean => since === undefined || since > measurement.at || since > check.now;

  const hasBegun = (places: readonly number[], since: readonly Instant[]): boolean => places.every((place) => !isLater(since[place]));

  /** Neighbours mostly watch and follow the same. */
  let last: DecidedAlike | undefined;
  return (queue, { shared, since }) => {
    const references = queue.references !== undefined && hasOwnStates(queue, series) ? undefined : queue.references;
    if (last !== undefined && last.shared === shared && last.rules === references?.rules) {
      const { own, only, follows } = last;
      if (!hasBegun(own.places, since)) return false;
      if (references.since[only.index] === since[own.place]) return follows;
    }
    const own = coveredIn(shared);
    if (own === undefined || !hasBegun(own.places, since)) return false;
    const {
      levels,
      name,
      entry: { target },
    } = own;
    const began = since[own.place] ?? check.now;
    const only = references && onlyIn(references.rules);
    if (references === undefined || only === undefined || only.target !== name || references.since[only.index] !== began)
      return isFollowing(followingIn(statesOf(queue, series), levels, (rule) => ruleStateKey(series, { target, since: began }, rule)));
    const follows = isFollowingNames(only.names, levels);
    last = { shared, rules: references.rules, own, only, follows };
    return follows;
  };
}

/** A verdict that holds wherever the watch began when the references say. */
interface DecidedAlike {
  readonly shared: readonly SharedEntry[];
  readonly rules: References['rules'];
  readonly own: Covered;
  readonly only: OnlyReferences;
  readonly follows: boolean;
}

/** What the entries of a chat have for a measurement. */
interface Covered {
  /** Of all entries that cover it. */
  readonly places: readonly number[];
  /** Of the most specific one. */
  readonly place: number;
  readonly entry: SharedEntry;
  readonly name: string;
  readonly levels: readonly ThresholdRule[];
}
