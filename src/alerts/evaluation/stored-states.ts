/** Rule states in a queue document. Pure. */
import { DAY, later, type Instant } from '../../base/clock.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { Queue } from '../queue/queue.js';
import { isOff, rulesFor } from '../rules/presets.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import { keyOf } from './evaluate.js';
import { statesIn, statesOf, withStates, type StoredStates } from './shared-state-references.js';
import { isReference, resolved, seriesIn, sharedKeyOf, type SharedStates, type StoredState } from './shared-states.js';

/** For a series without measurements. */
const KEPT = 90 * DAY;

/** Edited rules and re-added entries start over. */
export const ruleStateKey = (series: string, entry: Pick<Entry, 'target' | 'since'>, rule: ThresholdRule): string =>
  `${series}/${tailOf(entry, rule)}`;

const endOf = ({ once, until }: ThresholdRule): string => `${once === true ? ' once' : ''}${until === undefined ? '' : ' until'}`;

export const nameOf = (rule: ThresholdRule): string => `${keyOf(rule)}${endOf(rule)}`;

const tailOf = ({ target, since }: Pick<Entry, 'target' | 'since'>, rule: ThresholdRule): string =>
  `${targetName(target)}@${since}/${nameOf(rule)}`;

export const tailIn = (key: string): string => key.slice(seriesIn(key).length + 1);

/** Rules that end have no reference. */
export const firedIn = (states: StoredStates, tail: string): boolean =>
  [...states].some(([key, state]) => !isReference(state) && state.alertedAt !== undefined && key.endsWith(`/${tail}`));

type Remembered = ReturnType<typeof statesIn>;

function currentStates(states: Remembered, chat: Chat, now: Instant): Remembered {
  const tails = new Map<string, ReadonlySet<string>>();
  const tailsOf = (feed: string): ReadonlySet<string> => {
    const entries = chat.entries.filter((entry) => !isOff(entry, feed));
    return new Set(entries.flatMap((entry) => rulesFor(entry, feed).levels.map((rule) => tailOf(entry, rule))));
  };
  return states.filter(([key, state]) => {
    const feed = key.slice(0, key.indexOf('/'));
    const there = tails.get(feed) ?? tailsOf(feed);
    tails.set(feed, there);
    return (isReference(state) || now - state.last.at <= KEPT) && there.has(tailIn(key));
  });
}

const current = new WeakMap<Queue, { readonly chat: Chat; readonly until: Instant }>();

/** The same object if none is outdated. */
export function withCurrentStates(queue: Queue, chat: Chat, now: Instant): Queue {
  const known = current.get(queue);
  if (known?.chat === chat && now < known.until) return queue;
  const states = statesIn(queue);
  const kept = currentStates(states, chat, now);
  if (kept.length === states.length) {
    current.set(queue, { chat, until: later(now, DAY) });
    return queue;
  }
  const bySeries = new Map(states.map(([key]) => [seriesIn(key), new Map<string, StoredState>()]));
  for (const [key, state] of kept) bySeries.get(seriesIn(key))?.set(key, state);
  return withStates(queue, bySeries);
}

/** Replaces references to `shared` by own states. */
export function detached(queue: Queue, of: ReadonlySet<string>, shared: SharedStates): Queue {
  const own = new Map<string, StoredStates>();
  for (const series of of) {
    const states = [...statesOf(queue, series)];
    if (!states.some(([, stored]) => isReference(stored))) continue;
    const resolvedStates = states.flatMap(([key, stored]): [string, StoredState][] => {
      const state = resolved(stored, shared[sharedKeyOf(key)]);
      return state === undefined ? [] : [[key, state]];
    });
    own.set(series, new Map(resolvedStates));
  }
  return own.size === 0 ? queue : withStates(queue, own);
}
