/**
 * Works out once for all chats what a check makes of the shared states, and which chats have to be evaluated by themselves. A chat follows a shared
 * state for as long as its own evaluation would give the same. Pure.
 */
import { instant } from '../../base/clock.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Queue } from '../queue/queue.js';
import { rulesFor } from '../rules/rule.js';
import type { Entry } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import { evaluateForChat, evaluateRules, stillRefers, type RuleStates } from './chat-rules.js';
import type { MeasuredCheck } from './evaluate.js';
import { followedKeys } from './following.js';
import { seriesOf } from './series.js';
import { isReference, sharedKeyOf, withoutAnchor, type SharedAlert, type SharedStates, type SharedTransition } from './shared-states.js';
import { isStateWorthWriting } from './state-text.js';
import { bySeries, refersTo, ruleStateKey } from './stored-states.js';
import type { RuleState } from './threshold.js';

/** Shared states are those of a chat that has watched everything ever since, with default rules. */
const EVER_SINCE: Entry = { target: { kind: 'all' }, since: instant(0), by: '', off: [] };

interface SharedEvaluation {
  /** By series; a series of a kind without default rules is left out. */
  readonly series: ReadonlyMap<string, RuleStates>;
  readonly after: SharedStates;
  readonly crossings: readonly { readonly event: FeedEvent; readonly key: string; readonly crossing: Crossing }[];
}

/** The keys of the states that are shared of a measurement. */
const sharedKeys = (series: string, feed: string): readonly string[] =>
  rulesFor(undefined, feed).levels.map((rule) => ruleStateKey(series, EVER_SINCE, rule));

export const hasDefaultRules = ({ measurements }: Pick<MeasuredCheck, 'measurements'>): boolean =>
  measurements.some(({ event }) => rulesFor(undefined, event.feed).levels.length > 0);

function evaluateShared(check: MeasuredCheck, before: SharedStates): SharedEvaluation {
  const series = new Map<string, RuleStates>();
  const crossings: SharedEvaluation['crossings'][number][] = [];
  for (const measurement of check.measurements) {
    const { event } = measurement;
    const name = seriesOf(measurement);
    const keys = sharedKeys(name, event.feed);
    if (keys.length === 0) continue;
    const stored = new Map(keys.map((key) => [key, before[sharedKeyOf(key)]] as const).filter(isKnown));
    const states = series.get(name) ?? stored;
    const evaluated = evaluateRules(measurement, { series: name, entry: EVER_SINCE, states, check, absence: undefined });
    series.set(name, evaluated.states);
    for (const crossing of evaluated.crossings)
      crossings.push({ event, key: sharedKeyOf(ruleStateKey(name, EVER_SINCE, crossing.rule)), crossing });
  }
  const after = Object.fromEntries([...series.values()].flatMap((states) => [...states].map(([key, state]) => [sharedKeyOf(key), state])));
  return { series, after, crossings };
}

const isKnown = (one: readonly [string, RuleState | undefined]): one is readonly [string, RuleState] => one[1] !== undefined;

export interface SharedPlan {
  readonly transition: SharedTransition;
  /** What has to be durable together before any chat is written; undefined where nothing is worth a write. */
  readonly write: { readonly states: SharedStates; readonly alerts: readonly SharedAlert[] } | undefined;
  /** Chats whose references stop to hold with that write. */
  readonly leaving: readonly Chat[];
  /** Chats in which something is worth a write. */
  readonly changed: readonly Chat[];
}

/** Collects what each chat does with a check; `done` then decides what is shared. */
export function planShared(check: MeasuredCheck, before: SharedStates) {
  const evaluation: SharedEvaluation = check.first ? { series: new Map(), after: {}, crossings: [] } : evaluateShared(check, before);
  const { after, crossings } = evaluation;
  const isUneventful =
    !check.first &&
    crossings.length === 0 &&
    Object.entries(after).every(([key, { anchor }]) => before[key] === undefined || before[key].anchor.at === anchor.at);
  const assumed: SharedTransition = { before: check.first ? {} : before, after, isStored: !check.first };
  const [leaving, changed]: [Chat[], Chat[]] = [[], []];
  const followed = new Set<string>();
  const candidates: (readonly [key: string, state: RuleState])[] = [];
  const measured = new Set(check.measurements.map(seriesOf));
  const possible = new Set(
    check.first ? [] : check.measurements.flatMap((one) => sharedKeys(seriesOf(one), one.event.feed)).map(sharedKeyOf),
  );

  return {
    add({ chat, queue }: { readonly chat: Chat; readonly queue: Queue }): void {
      if (chat.left !== undefined) {
        if ([...measured].some((series) => refersTo(queue, series))) leaving.push(chat);
        return;
      }
      const keys = followedKeys(queue, chat, { check, before, isUneventful });
      if (keys !== undefined) {
        for (const key of keys) followed.add(key);
        return;
      }
      const evaluated = evaluateForChat(queue, chat, check, assumed);
      const stays = stillRefers(queue, evaluated, assumed);
      // At a first check nothing is shared yet, and nothing that was stored counts.
      if (!stays && !check.first) leaving.push(chat);
      if (evaluated.queue !== queue) changed.push(chat);
      for (const [series, states] of evaluated.states) {
        const stored = bySeries(queue).get(series);
        for (const [key, state] of states) {
          const sharedKey = sharedKeyOf(key);
          if (stays && isReference(stored?.get(key))) followed.add(sharedKey);
          else if (evaluated.queue !== queue && possible.has(sharedKey)) candidates.push([sharedKey, state]);
        }
      }
    },

    done(): SharedPlan {
      const others = Object.entries(assumed.before).filter(([key]) => !possible.has(key));
      const kept = Object.entries(after).filter(([key]) => followed.has(key));
      const seeds = seedsOf(candidates.filter(([key]) => !followed.has(key)));
      const states: SharedStates = Object.fromEntries([...others, ...kept, ...seeds]);
      const isJoined = (key: string, state: RuleState): boolean => {
        const shared = followed.has(key) ? after[key] : undefined;
        return shared !== undefined && withoutAnchor(shared) === withoutAnchor(state);
      };
      const isWorthWriting =
        !check.first &&
        (seeds.length > 0 ||
          kept.some(([key, state]) => isStateWorthWriting(before[key], state)) ||
          candidates.some(([key, state]) => isJoined(key, state)));
      return {
        transition: { before: assumed.before, after: states, isStored: isWorthWriting },
        write: isWorthWriting
          ? {
              states,
              alerts: alertsOf(
                crossings.filter(({ key }) => followed.has(key)),
                { before, late: check.late },
              ),
            }
          : undefined,
        leaving: isWorthWriting || check.first ? leaving : [],
        changed,
      };
    },
  };
}

/** What nobody follows begins from the state that most chats have, where two have it. */
function seedsOf(candidates: readonly (readonly [key: string, state: RuleState])[]): readonly (readonly [string, RuleState])[] {
  const counts = new Map<string, Map<string, { readonly state: RuleState; readonly count: number }>>();
  for (const [key, state] of candidates) {
    const alike = counts.get(key) ?? new Map<string, { readonly state: RuleState; readonly count: number }>();
    const text = withoutAnchor(state);
    const known = alike.get(text);
    alike.set(text, { state: known?.state ?? state, count: (known?.count ?? 0) + 1 });
    counts.set(key, alike);
  }
  return [...counts].flatMap(([key, alike]) => {
    const [most] = [...alike.values()].filter(({ count }) => count > 1).toSorted((a, b) => b.count - a.count);
    return most === undefined ? [] : [[key, most.state] as const];
  });
}

function alertsOf(
  crossings: SharedEvaluation['crossings'],
  { before, late }: { readonly before: SharedStates; readonly late: SharedAlert['late'] },
): readonly SharedAlert[] {
  const events = new Map(crossings.map(({ event }) => [event.id, event]));
  return [...events.values()].map((event) => ({
    event,
    ...(late && { late }),
    rules: crossings.flatMap(({ event: { id }, key, crossing }) => {
      const state = before[key];
      return id === event.id && state !== undefined ? [{ key, crossing, before: state }] : [];
    }),
  }));
}
