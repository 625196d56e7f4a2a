/** Whether a chat follows shared states through a check, so that it need not be evaluated by itself. Pure but for what it remembers. */
import { instant, type Instant } from '../../base/clock.js';
import type { Side } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Queue } from '../queue/queue.js';
import { rulesFor } from '../rules/rule.js';
import { absenceBehind } from '../watchlist/absence.js';
import type { Chat } from '../watchlist/watchlists.js';
import type { MeasuredCheck } from './evaluate.js';
import { covering } from './match.js';
import { seriesOf } from './series.js';
import { isReference, sharedKeyOf, type SharedStates } from './shared-states.js';
import { bySeries, ruleStateKey, type StoredStates } from './stored-states.js';

/** What decides whether a chat follows the shared states of a series, for as long as its document and its stored states are the same. */
interface Following {
  readonly chat: Chat;
  /** When the last entry that covers the series was added. */
  readonly latestSince: Instant;
  /** The shared keys of its rules; undefined: it has to be evaluated by itself. */
  readonly keys: readonly string[] | undefined;
  /** The sides of its own anchors that have to be those of the shared ones. */
  readonly sides: readonly (readonly [key: string, side: Side | undefined])[];
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
  const levels = entry === undefined || entry.off.includes(event.feed) ? [] : rulesFor(entry.rules, event.feed).levels;
  const rules = entry === undefined ? [] : levels.map((rule) => ({ rule, key: ruleStateKey(series, entry, rule) }));
  const anchors = rules.map(({ rule, key }) => ({ rule, key, stored: stored.get(key) }));
  const follows = anchors.every(({ rule: { when }, stored: one }) => {
    if (!isReference(one)) return false;
    // The decision of the other rules depends on the value of the anchor.
    return one.anchor === undefined || when === 'above' || when === 'below' || when === 'z-score';
  });
  const following = {
    chat,
    latestSince: instant(Math.max(0, ...entries.map(({ since }) => since))),
    keys: follows && rules.length > 0 && rules.length === stored.size ? rules.map(({ key }) => sharedKeyOf(key)) : undefined,
    sides: anchors.flatMap(({ rule: { when }, key, stored: one }) =>
      when === 'z-score' && isReference(one) && one.anchor !== undefined ? [[sharedKeyOf(key), one.anchor.side] as const] : [],
    ),
  };
  followings.set(stored, following);
  return following;
}

interface Followable {
  readonly check: MeasuredCheck;
  readonly before: SharedStates;
  /** No rule of it was an alert, and no anchor moved. */
  readonly isUneventful: boolean;
}

/** The shared keys that a chat follows through this check without being evaluated by itself; undefined where it has to be. */
export function followedKeys(queue: Queue, chat: Chat, { check, before, isUneventful }: Followable): readonly string[] | undefined {
  if (!isUneventful || absenceBehind(chat, check.checkedAt, check.now) !== undefined) return undefined;
  const followed: string[] = [];
  for (const measurement of check.measurements) {
    const series = seriesOf(measurement);
    const stored = bySeries(queue).get(series);
    if (stored === undefined) return undefined;
    const { keys, latestSince, sides } = followingOf(stored, chat, { series, event: measurement.event });
    if (keys === undefined || latestSince > measurement.at || latestSince > check.now) return undefined;
    if (keys.some((key) => before[key] === undefined) || sides.some(([key, side]) => before[key]?.anchor.side !== side)) return undefined;
    followed.push(...keys);
  }
  return followed;
}
