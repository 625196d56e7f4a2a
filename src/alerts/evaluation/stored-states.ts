/** Rule states in a queue document: keys, series index, and which are of use. Pure. */
import { DAY, later, type Instant } from '../../base/clock.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { Queue } from '../queue/queue.js';
import { isOff, rulesFor } from '../rules/presets.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import { keyOf } from './evaluate.js';
import { isReference, resolved, seriesIn, sharedKeyOf, type SharedStates, type StoredState } from './shared-states.js';

/** For a series without measurements. */
const KEPT = 90 * DAY;

type States = NonNullable<Queue['ruleStates']>;
export type StoredStates = ReadonlyMap<string, StoredState>;

const EMPTY: States = {};
const indexes = new WeakMap<States, ReadonlyMap<string, StoredStates>>();

/** Cached: most checks change none. */
export function bySeries({ ruleStates = EMPTY }: Pick<Queue, 'ruleStates'>): ReadonlyMap<string, StoredStates> {
  const index = indexes.get(ruleStates) ?? indexOf(ruleStates);
  indexes.set(ruleStates, index);
  return index;
}

function indexOf(states: States): ReadonlyMap<string, StoredStates> {
  const index = new Map<string, Map<string, StoredState>>();
  for (const [key, state] of Object.entries(states)) {
    const series = seriesIn(key);
    const own = index.get(series) ?? new Map<string, StoredState>();
    index.set(series, own.set(key, state));
  }
  return index;
}

/** An edited rule or a re-added entry starts with a new state. */
export const ruleStateKey = (series: string, entry: Entry, rule: ThresholdRule): string => `${series}/${tailOf(entry, rule)}`;

/** A rule that ends has its own state: without an end it may have alerted. */
const endOf = ({ once, until }: ThresholdRule): string => `${once === true ? ' once' : ''}${until === undefined ? '' : ' until'}`;

const tailOf = ({ target, since }: Entry, rule: ThresholdRule): string => `${targetName(target)}@${since}/${keyOf(rule)}${endOf(rule)}`;

/** Without the series. */
export const tailIn = (key: string): string => key.slice(seriesIn(key).length + 1);

/** The rule has alerted here. Rules that end have no reference. */
export const firedIn = (states: StoredStates, tail: string): boolean =>
  [...states].some(([key, state]) => !isReference(state) && state.alertedAt !== undefined && key.endsWith(`/${tail}`));

type Remembered = readonly (readonly [key: string, state: StoredState])[];

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

/** Until when no check is needed, for the compared watchlist. */
const current = new WeakMap<States, { readonly chat: Chat; readonly until: Instant }>();

/** The same object if none is outdated. Ages are checked daily. */
export function withCurrentStates(queue: Queue, chat: Chat, now: Instant): Queue {
  const { ruleStates = EMPTY } = queue;
  const known = current.get(ruleStates);
  if (known?.chat === chat && now < known.until) return queue;
  const states = Object.entries(ruleStates);
  const kept = currentStates(states, chat, now);
  if (kept.length === states.length) current.set(ruleStates, { chat, until: later(now, DAY) });
  return kept.length === states.length ? queue : { ...queue, ruleStates: Object.fromEntries(kept) };
}

const refersTo = (queue: Queue, series: string): boolean => [...(bySeries(queue).get(series)?.values() ?? [])].some(isReference);

/** Replaces references to `shared` by own states. */
export function detached(queue: Queue, of: ReadonlySet<string>, shared: SharedStates): Queue {
  if (![...of].some((series) => refersTo(queue, series))) return queue;
  const states = Object.entries(queue.ruleStates ?? EMPTY).flatMap(([key, stored]): [string, StoredState][] => {
    const state = of.has(seriesIn(key)) ? resolved(stored, shared[sharedKeyOf(key)]) : stored;
    return state === undefined ? [] : [[key, state]];
  });
  return { ...queue, ruleStates: Object.fromEntries(states) };
}
