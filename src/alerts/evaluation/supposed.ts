/** This module decides whether a check with supposed results would alert a chat, or arm or disarm a rule. It stores nothing. */
import type { FeedEvent } from '../../domain/event.js';
import type { Measurement } from '../../feeds/feed.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { lastMeasurements, type LastMeasurement, seriesOf } from '../checks/check-records.js';
import { thresholdsAbout } from '../rules/filter.js';
import { decidingEntry, evaluateForChat } from './chat-rules.js';
import { type MeasuredCheck } from './evaluate.js';
import type { CompactChat } from '../watchlist/compact-chat.js';
import { begun, coversOneOf, match } from '../watchlist/match.js';
import type { Chat } from '../watchlist/watchlists.js';
import type { Routing } from './route.js';
import { rememberedOf, type SubjectRules } from './rule-states.js';

export interface SupposedCheck {
  readonly events: readonly FeedEvent[];
  readonly measurements: readonly Measurement[];
  /** The confirmed values, or without any, the values that the list showed in its first sweep. */
  readonly before: readonly LastMeasurement[] | { readonly swept: readonly Measurement[] };
  readonly rules: Pick<SubjectRules, 'shared' | 'own'>;
  readonly checkedAt: MeasuredCheck['checkedAt'];
}

const AT_ONCE = 500;
const OF_HISTORY: ReadonlySet<ThresholdRule['when']> = new Set(['extreme', 'z-score']);

export interface SupposedChange {
  /** The reason in words, for the log and `/why`. */
  readonly because: string;
  /** A rule on an extreme or a z-score would alert. */
  readonly needsHistory: boolean;
}

/** Returns what would change, or undefined. Reads the concerned chats until one would be alerted. */
export async function wouldChange(
  { events, measurements, before, rules, checkedAt }: SupposedCheck,
  { watchlists, now }: Pick<Routing, 'watchlists' | 'now'>,
): Promise<SupposedChange | undefined> {
  const isConcerned = coversOneOf([...events, ...measurements.map(({ event }) => event)]);
  const chats = new Set([...events, ...measurements.map(({ event }) => event)].flatMap((event) => [...watchlists.here.to(event)]));
  const starts = 'swept' in before ? before.swept : asLast(measurements, before);
  const how = { first: false, checkedAt, now };
  const last = 'swept' in before ? lastMeasurements(before.swept) : before;
  const check: MeasuredCheck = { ...how, measurements, before: last };
  // Rules without a state begin with the last confirmed values, or else with those of the first sweep.
  const begin: MeasuredCheck = { ...how, measurements: starts, before: [], first: true };
  const settledBefore = oldestOf({ measurements, before: last, rules });
  const seen = new Set<CompactChat<Chat>['shared']>();
  let asked = 0;
  for (const address of chats) {
    asked += 1;
    if (asked % AT_ONCE === 0) await yieldToEventLoop();
    const compact = watchlists.compact(address);
    if (events.length === 0 && compact !== undefined && !rules.own.has(address) && isSettled(compact, settledBefore)) {
      if (seen.has(compact.shared)) continue;
      seen.add(compact.shared);
    }
    const chat = begun(watchlists.readOnly(address, isConcerned), now);
    for (const event of events) {
      const verdict = match(event, chat);
      if (verdict.matched || (verdict.at === 'filter' && verdict.digestOnly))
        return { because: `${event.stage} of ${event.feed}`, needsHistory: false };
    }
    if (measurements.length === 0) continue;
    const known = rememberedOf({ shared: rules.shared, own: rules.own.get(address) });
    const { members, states } = evaluateForChat(chat, check, known);
    const [member] = members;
    if (member !== undefined)
      return {
        because: `a rule of ${member.event.slice(0, member.event.indexOf('/'))}`,
        needsHistory: (member.crossings ?? []).some(({ rule }) => OF_HISTORY.has(rule.when)),
      };
    const begins = starts.length === 0 ? undefined : evaluateForChat(chat, begin, known).states;
    for (const { event, at } of measurements) {
      const series = seriesOf({ event });
      const entry = decidingEntry({ event, at }, chat, now);
      if (entry === undefined) continue;
      const was = known.states(series, { entry, about: event, thresholds: thresholdsAbout(entry, event) });
      for (const [name, state] of states.get(series) ?? []) {
        const before = was.get(name) ?? begins?.get(series)?.get(name);
        if (before !== undefined && before.armed !== state.armed) return { because: 'a rule that re-arms', needsHistory: false };
        if ((before?.held === undefined) !== (state.held === undefined))
          return { because: 'a rule whose value must last', needsHistory: false };
      }
    }
  }
  return undefined;
}

/** Returns the earliest time with which a chat's times are compared. */
function oldestOf({ measurements, before, rules }: Pick<SupposedCheck, 'measurements' | 'rules'> & { before: readonly LastMeasurement[] }) {
  const untils = Object.values(rules.shared).flatMap((lists) => Object.values(lists).flatMap(([first]) => first?.until ?? []));
  const read = before.flatMap(({ at, foundAt = at }) => [at, foundAt]);
  return Math.min(...measurements.map(({ at }) => at), ...read, ...untils);
}

/** Tells whether a chat has no times of its own that matter, so that all such chats with the same entries have the same outcome. */
const isSettled = ({ bare, since, stands }: CompactChat<Chat>, before: number): boolean =>
  bare.absence === undefined && stands === undefined && since.every((at) => at <= before);

/** Returns the measurements with the values that were confirmed last. */
const asLast = (measurements: readonly Measurement[], known: readonly LastMeasurement[]): readonly Measurement[] =>
  measurements.flatMap((measurement): readonly Measurement[] => {
    const last = known.find(({ series }) => series === seriesOf(measurement));
    return last === undefined ? [] : [{ ...measurement, at: last.at, values: last.values, others: last.others }];
  });
