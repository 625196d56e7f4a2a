/**
 * This module plans how a check changes the states of rules: shared ones, and own ones of chats that differ. It stores nothing.
 */
import { yieldToEventLoop } from '../../base/yield.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { DAY } from '../../base/clock.js';
import { lastPoint, seriesOf } from '../checks/check-records.js';
import type { Member } from '../queue/queued-event.js';
import { thresholdsAbout } from '../rules/filter.js';
import { isOff, ruleName, sharedRules } from '../rules/presets.js';
import { concerns, isOver } from '../rules/rule-end.js';
import { absenceBehind } from '../watchlist/absence.js';
import type { CompactChat, SharedEntry } from '../watchlist/compact-chat.js';
import { marketIn } from '../watchlist/entry.js';
import { entryAbout } from '../watchlist/exceptions.js';
import { standsSince } from '../watchlist/standing.js';
import type { EndedRule } from '../watchlist/ended-rules.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';
import { decidingEntry, decidingNow, evaluateForChat, isOccurrence, isReturnOf, returnId, rulesIn, type Remembered } from './chat-rules.js';
import { earlierValues, type CheckedMeasurement, type MeasuredCheck } from './evaluate.js';
import { coveringPlaces, coversOneOf } from '../watchlist/match.js';
import { rememberedOf, stateOf, type OwnStates, type RulesCommit, type SharedCrossing, type SubjectRules } from './rule-states.js';
import { evolve, join, lastUntil, sharedStateOf, type JoiningRule, type SharedState, type SharedStates } from './shared-states.js';
import { isSameState, isStateWorthWriting, isUneventful, type RuleState } from './threshold.js';

export interface CheckPlan {
  /** Undefined if nothing is worth a write. */
  readonly commit: RulesCommit | undefined;
  readonly ended: ReadonlyMap<Address, readonly EndedRule[]>;
}

type List = readonly SharedState[];
type Lists = Map<string, Map<string, List>>;

export interface Planning {
  readonly watchlists: Pick<Watchlists, 'here' | 'kept' | 'compact' | 'readOnly' | 'evaluating'>;
  readonly rules: SubjectRules;
}

const AT_ONCE = 1_000;

export async function planCheck(check: MeasuredCheck, { watchlists, rules }: Planning): Promise<CheckPlan> {
  const audience = new Audience(check, { watchlists, rules });
  await audience.findMoved();
  const until = watchlists.evaluating(check.now);
  const lists: Lists = new Map();
  const crossings: SharedCrossing[] = [];
  for (const measurement of check.measurements) {
    const series = seriesOf(measurement);
    const known = lists.get(series) ?? new Map(Object.entries(check.first ? {} : (rules.shared[series] ?? {})));
    const joining = await audience.joining(measurement, { known, until });
    for (const [name, rule] of sharedRules(measurement.event.feed)) {
      const before = evolve(known.get(name) ?? [], rule, measurement, check);
      const after = join(before.list, joining.get(name) ?? [], { rule, measurement, check, until });
      if (after.list.length > 0) known.set(name, after.list);
      for (const one of [...before.crossings, ...after.crossings]) {
        const { id } = measurement.event;
        crossings.push({ event: one.crossing.furthest === undefined ? id : returnId(id, name), name, ...one });
      }
    }
    lists.set(series, known);
  }
  const own = await audience.ownAfter(lists);
  return { commit: commitOf(check, { rules, lists, crossings, own }), ended: own.ended };
}

/** How chats with the same entries cover a measurement. */
interface Cover {
  /** Indexes of all entries that cover the measurement, the most specific one first. */
  readonly places: readonly number[];
  readonly place: number;
  readonly names: readonly string[];
  /** The first entry's rules that chats do not share, by name. */
  readonly own: ReadonlyMap<string, ThresholdRule>;
  /** True if any of the entries has rules that chats do not share. */
  readonly hasOwn: boolean;
  /** When the project's exclusion ended. */
  readonly returnedAt: Instant | undefined;
}

interface OwnAfter {
  readonly states: Map<Address, OwnStates | undefined>;
  readonly members: Map<Address, readonly Member[]>;
  readonly ended: Map<Address, readonly EndedRule[]>;
}

/** The chats that a check concerns. */
class Audience {
  readonly #check: MeasuredCheck;
  readonly #watchlists: Planning['watchlists'];
  readonly #rules: SubjectRules;
  readonly #isConcerned: (entry: SharedEntry) => boolean;
  readonly #subjects: readonly FeedEvent[];
  /** Old addresses of moved chats, by new address. */
  readonly #moved = new Map<Address, Address>();
  /** Chats that are evaluated one by one. */
  readonly #single = new Set<Address>();

  constructor(check: MeasuredCheck, { watchlists, rules }: Planning) {
    this.#check = check;
    this.#watchlists = watchlists;
    this.#rules = rules;
    const { measurements } = check;
    this.#subjects = [
      ...new Map(measurements.map(({ event }) => [`${event.feed} ${event.project} ${event.wallet} ${marketIn(event)}`, event])).values(),
    ];
    this.#isConcerned = coversOneOf(this.#subjects);
  }

  async findMoved(): Promise<void> {
    let visited = 0;
    for (const from of this.#rules.own.keys()) {
      if ((visited += 1) % AT_ONCE === 0) await yieldToEventLoop();
      const to = addressNow(from, this.#watchlists);
      if (to !== from && !this.#rules.own.has(to)) this.#moved.set(to, from);
    }
  }

  /** Returns the rules, by name, that have no state yet in some of the chats. Rules of one list begin together. */
  async joining(
    measurement: CheckedMeasurement,
    { known, until }: { readonly known: ReadonlyMap<string, List>; readonly until: Instant },
  ): Promise<ReadonlyMap<string, readonly JoiningRule[]>> {
    const joining = new Map<string, JoiningRule[]>();
    const last = this.#check.before.find(({ series }) => series === seriesOf(measurement));
    // A rule begins only with a new, known value.
    const beginning = [...sharedRules(measurement.event.feed)].filter(
      ([, { measure }]) =>
        measurement.since === undefined && (measurement.values[measure] !== undefined || lastPoint(last, measure) !== undefined),
    );
    const ends = new Map(beginning.map(([name]) => [name, lastUntil(known.get(name))]));
    const covers = new Map<readonly SharedEntry[], Cover | undefined>();
    let visited = 0;
    for (const address of this.#watchlists.here.to(measurement.event)) {
      if ((visited += 1) % AT_ONCE === 0) await yieldToEventLoop();
      const chat = this.#watchlists.compact(address);
      if (chat === undefined) continue;
      if (!covers.has(chat.shared)) covers.set(chat.shared, coverOf(measurement, chat.shared));
      const cover = covers.get(chat.shared);
      if (cover === undefined) continue;
      const isAbsent = absenceBehind(chat.bare, this.#check.checkedAt, this.#check.now) !== undefined;
      const mayDiffer = cover.hasOwn || this.#ownOf(address) !== undefined;
      if (isAbsent || (mayDiffer && !this.#isUneventful(chat, cover, measurement))) this.#single.add(address);
      if (isAbsent || (chat.since[cover.place] ?? until) <= endOf(cover, chat, ends)) continue;
      for (const [name, one] of this.#begins(chat, cover, measurement)) {
        const end = ends.get(name);
        if (end === undefined || one.stands <= end || one.stands > until) continue;
        const all = joining.get(name);
        if (all === undefined) joining.set(name, [one]);
        else all.push(one);
      }
    }
    return joining;
  }

  *#begins(chat: CompactChat<Chat>, cover: Cover, measurement: CheckedMeasurement): Iterable<readonly [string, JoiningRule]> {
    const { event, at } = measurement;
    const { place, names } = cover;
    const since = chat.since[place] ?? this.#check.now;
    if (areBegun(cover, chat.since, { at, now: this.#check.now })) {
      const stands = chat.stands?.[place];
      const plain: JoiningRule = { stands: since, since };
      for (const name of names) yield [name, stands === undefined ? plain : { stands: standsSince({ since, stands }, event, name), since }];
      return;
    }
    const entry = decidingEntry(measurement, this.#watchlists.readOnly(chat.bare.address, this.#isConcerned), this.#check.now);
    if (entry === undefined) return;
    for (const rule of thresholdsAbout(entry, event)) {
      const name = ruleName(rule);
      if (sharedRules(event.feed).has(name)) yield [name, { stands: standsSince(entry, event, name), since: entry.since }];
    }
  }

  /** Tells whether an evaluation of this chat would change none of its states: most values are far from most thresholds. */
  #isUneventful({ bare: { address }, since, stands }: CompactChat<Chat>, cover: Cover, measurement: CheckedMeasurement): boolean {
    const { first, now } = this.#check;
    const { event, at, values } = measurement;
    const began = since[cover.place];
    if (first || began === undefined || this.#moved.has(address) || !areBegun(cover, since, { at, now })) return false;
    const all = this.#rules.own.get(address);
    // An evaluation forgets what is left of series without measurements.
    if (cover.own.size === 0) return all === undefined;
    const own = all?.[seriesOf(measurement)] ?? {};
    if (Object.keys(own).length !== cover.own.size) return false;
    for (const [name, rule] of cover.own) {
      const [value, kept] = [values[rule.measure], own[name]];
      if (value === undefined || kept?.state === undefined || isOver(rule, now)) return false;
      if (kept.stands !== standsSince({ since: began, stands: stands?.[cover.place] }, event, name)) return false;
      if (!isUneventful(rule, kept.state, { at, value }, earlierValues(measurement, rule.measure, this.#check))) return false;
    }
    return true;
  }

  /** Returns the states of single chats after the check, where they differ from those that chats share. */
  async ownAfter(lists: Lists): Promise<OwnAfter> {
    const after: OwnAfter = { states: new Map(), members: new Map(), ended: new Map() };
    let visited = 0;
    for (const address of this.#single) {
      if ((visited += 1) % AT_ONCE === 0) await yieldToEventLoop();
      const chat = this.#watchlists.readOnly(address, this.#isConcerned);
      const own = this.#ownOf(address);
      const remembered = rememberedOf({ shared: this.#rules.shared, own });
      const evaluated = evaluateForChat(chat, this.#check, remembered);
      const stateIn = (series: string, name: string): RuleState | undefined => evaluated.states.get(series)?.get(name);
      this.#keep(after, address, ownStates(this.#check, { chat, own, lists, stateIn, remembered }));
      if (evaluated.members.length > 0) after.members.set(address, evaluated.members);
      if (evaluated.ended.length > 0) after.ended.set(address, evaluated.ended);
    }
    await this.#keepAway(after, lists);
    return after;
  }

  /** Chats that are away keep the states from when they left. Chats that no longer watch the subject keep none. */
  async #keepAway(after: OwnAfter, lists: Lists): Promise<void> {
    const isChanged = [...lists].some(([series, rules]) =>
      [...rules].some(([name, list]) => isOther(this.#rules.shared[series]?.[name], list)),
    );
    let visited = 0;
    for (const address of isChanged ? this.#subjects.flatMap((event) => [...this.#watchlists.kept.to(event)]) : []) {
      if ((visited += 1) % AT_ONCE === 0) await yieldToEventLoop();
      if (this.#watchlists.compact(address)?.bare.left === undefined) continue;
      const chat = this.#watchlists.readOnly(address, this.#isConcerned);
      const own = this.#ownOf(address);
      const stateIn = (series: string, name: string, stands: Instant): RuleState | undefined =>
        stateOf({ shared: this.#rules.shared, own }, { series, name, stands });
      const remembered = rememberedOf({ shared: this.#rules.shared, own });
      this.#keep(after, address, ownStates(this.#check, { chat, own, lists, stateIn, remembered }));
    }
    for (const address of this.#rules.own.keys()) {
      if ((visited += 1) % AT_ONCE === 0) await yieldToEventLoop();
      const now = addressNow(address, this.#watchlists);
      if (!this.#isKept(now) || (now !== address && after.states.has(now))) after.states.set(address, undefined);
    }
  }

  #keep({ states }: OwnAfter, address: Address, own: OwnStates | undefined): void {
    const before = this.#rules.own.get(address);
    if (this.#moved.has(address) || isWorthWriting(before, own)) states.set(address, own);
  }

  #isKept(address: Address): boolean {
    const chat = this.#watchlists.compact(address);
    return chat !== undefined && chat.bare.left?.movedTo === undefined && chat.shared.some(this.#isConcerned);
  }

  #ownOf(address: Address): OwnStates | undefined {
    const from = this.#moved.get(address);
    return this.#rules.own.get(from ?? address);
  }
}

/** Returns the current address of a chat that may have moved. */
export function addressNow(address: Address, watchlists: Pick<Watchlists, 'compact'>): Address {
  let now = address;
  for (let seen: readonly Address[] = []; ;) {
    const to = watchlists.compact(now)?.bare.left?.movedTo;
    if (to === undefined || seen.includes(to)) return now;
    seen = [...seen, to];
    now = to;
  }
}

/** Returns the latest start of a watch that has all shared states, or -Infinity if the chat must be read to know. */
const endOf = ({ places, names, returnedAt }: Cover, { stands }: CompactChat<Chat>, ends: ReadonlyMap<string, Instant>): number =>
  stands !== undefined || returnedAt !== undefined || places.length > 1
    ? Number.NEGATIVE_INFINITY
    : names.reduce((least, name) => Math.min(least, ends.get(name) ?? least), Number.POSITIVE_INFINITY);

/** The first entry decides where all are older than the value. A watch that begins in the future was stored before the clock was set back. */
const areBegun = (
  { places, returnedAt }: Cover,
  since: readonly Instant[],
  { at, now }: { readonly at: Instant; readonly now: Instant },
): boolean => returnedAt === undefined && places.every((place) => !((since[place] ?? at) > at && (since[place] ?? at) <= now));

function coverOf({ event }: CheckedMeasurement, entries: readonly SharedEntry[]): Cover | undefined {
  const places = coveringPlaces(event, entries);
  const [place] = places;
  const entryAt = (at: number): SharedEntry | undefined => {
    const one = entries[at];
    return one && entryAbout(one, event);
  };
  const entry = place === undefined ? undefined : entryAt(place);
  if (place === undefined || entry === undefined) return undefined;
  const thresholds = isOff(entry, event.feed) ? [] : thresholdsAbout(entry, event);
  const names = thresholds.map(ruleName);
  const shared = sharedRules(event.feed);
  // An older entry may decide about a value that is dated before the first one.
  const hasOwn = places.some((at) => {
    const one = at === place ? entry : entryAt(at);
    return one !== undefined && !isOff(one, event.feed) && thresholdsAbout(one, event).some((rule) => !shared.has(ruleName(rule)));
  });
  const own = new Map(thresholds.flatMap((rule) => (shared.has(ruleName(rule)) || !concerns(rule, event) ? [] : [[ruleName(rule), rule]])));
  return { places, place, names: names.filter((name) => shared.has(name)), own, hasOwn, returnedAt: entry.exception?.since };
}

interface SingleChat {
  readonly chat: Chat;
  readonly own: OwnStates | undefined;
  readonly lists: Lists;
  readonly stateIn: (series: string, name: string, stands: Instant) => RuleState | undefined;
  readonly remembered: Remembered;
}

/** Returns a chat's states where they differ from those that chats share after the check. */
function ownStates(check: MeasuredCheck, { chat, own, lists, stateIn, remembered }: SingleChat): OwnStates | undefined {
  const isAway = chat.left !== undefined;
  const after: Record<string, OwnStates[string]> = check.first && !isAway ? {} : { ...own };
  for (const measurement of check.measurements) {
    const series = seriesOf(measurement);
    const entry = decidingNow(measurement, chat, { check, remembered });
    const rules = (entry === undefined ? [] : rulesIn(entry, measurement, chat)).flatMap(([rule, stands]): [string, OwnState][] => {
      const name = ruleName(rule);
      const kept = own?.[series]?.[name];
      // Only this state has the last value before the absence.
      if (isAway && kept?.stands === stands) return [[name, kept]];
      const state = stateIn(series, name, stands) ?? (isOccurrence(rule) && kept?.stands === stands ? kept.state : undefined);
      // A rule that alerts once is removed from the watchlist before the next check.
      if (rule.once === true && state?.alertedAt !== undefined) return [];
      return isSameState(state, sharedStateOf(lists.get(series)?.get(name), stands)) ? [] : [[name, { stands, ...(state && { state }) }]];
    });
    if (rules.length === 0) delete after[series];
    else after[series] = Object.fromEntries(rules);
  }
  const recent = Object.entries(after).filter(([, rules]) => Object.values(rules).some(({ state }) => isRecent(state, check.now)));
  return recent.length === 0 ? undefined : Object.fromEntries(recent);
}

type OwnState = OwnStates[string][string];

/** A series without measurements is kept this long. */
const KEPT = 90 * DAY;

const isRecent = (state: RuleState | undefined, now: Instant): boolean => state === undefined || now - state.last.at <= KEPT;

const named = (states: OwnStates = {}) =>
  new Map(
    Object.entries(states).flatMap(([series, rules]) => Object.entries(rules).map(([name, one]) => [`${series}/${name}`, one] as const)),
  );

function isWorthWriting(before: OwnStates | undefined, after: OwnStates | undefined): boolean {
  const [was, is] = [named(before), named(after)];
  return (
    was.size !== is.size ||
    [...is].some(([key, { stands, state }]) => was.get(key)?.stands !== stands || isStateChanged(was.get(key)?.state, state))
  );
}

const isStateChanged = (before: RuleState | undefined, after: RuleState | undefined): boolean =>
  after === undefined ? before !== undefined : isStateWorthWriting(before, after);

const isOther = (before: List | undefined = [], after: List): boolean =>
  before.length !== after.length ||
  after.some(({ until, state }, index) => before[index]?.until !== until || !isSameState(before[index].state, state));

const isListWorthWriting = (before: List | undefined = [], after: List): boolean =>
  isOther(before, after) || after.some(({ state }, index) => isStateWorthWriting(before[index]?.state, state));

const sharedIn = (lists: Lists): SharedStates =>
  Object.fromEntries([...lists].map(([series, rules]) => [series, Object.fromEntries(rules)]));

interface Planned {
  readonly rules: SubjectRules;
  readonly lists: Lists;
  readonly crossings: readonly SharedCrossing[];
  readonly own: OwnAfter;
}

function commitOf(check: MeasuredCheck, { rules, lists, crossings, own }: Planned): RulesCommit | undefined {
  const isShared = [...lists].some(([series, all]) =>
    [...all].some(([name, list]) => isListWorthWriting(rules.shared[series]?.[name], list)),
  );
  if (!isShared && own.states.size + own.members.size === 0) return undefined;
  const alerting = new Set([
    ...crossings.map(({ event }) => event),
    ...[...own.members.values()].flatMap((all) => all.map(({ event }) => event)),
  ]);
  const events = [...new Map(check.measurements.map(({ event }) => [event.id, event])).values()].flatMap((event) =>
    [...alerting].flatMap((id) => (id === event.id || isReturnOf(id, event.id) ? [{ ...event, id }] : [])),
  );
  const shared = Object.entries({ ...(check.first ? {} : rules.shared), ...sharedIn(lists) }).filter(([, all]) =>
    Object.values(all).some((list) => list.some(({ state }) => isRecent(state, check.now))),
  );
  return {
    shared: Object.fromEntries(shared),
    own: own.states,
    members: own.members,
    crossed: events.length === 0 ? undefined : { events, ...(check.late && { late: check.late }), shared: crossings },
  };
}
