/** This module stores states of threshold rules: shared ones as `rules/<feed>/<subject>`, and chats' own states in pages. */
import { z } from 'zod';
import { instant } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { addressSchema, type Address } from '../../chat/address.js';
import { crossingSchema } from '../../domain/crossing.js';
import { eventSchema } from '../../domain/event.js';
import { instantSchema, slug, type Instant } from '../../domain/scalars.js';
import { walletAddress } from '../../domain/wallet.js';
import type { Collection, Store } from '../../store/store.js';
import { memberSchema, type Member } from '../queue/queued-event.js';
import { lateSchema } from '../watchlist/absence.js';
import { isOff, ruleName, rulesFor } from '../rules/presets.js';
import { WALLET_FEED, type About } from '../watchlist/entry.js';
import { standsSince } from '../watchlist/standing.js';
import type { Chat } from '../watchlist/watchlists.js';
import { covering } from '../watchlist/match.js';
import type { Remembered } from './chat-rules.js';
import { lastUntil, sharedStateOf, sharedStatesSchema, type SharedStates } from './shared-states.js';
import { ruleStateSchema, type RuleState } from './threshold.js';

const ownStateSchema = z.object({
  /** When the rule was set. A state with another time belongs to an earlier rule and is outdated. */
  stands: instantSchema,
  /** Absent if the rule has not begun. */
  state: ruleStateSchema.optional(),
});

/** States by series and rule name. */
const ownStatesSchema = z.record(z.string(), z.record(z.string(), ownStateSchema));
export type OwnStates = z.infer<typeof ownStatesSchema>;

/** An alert for all chats in which the rule was set within a span of time, except those with a state of their own. */
const sharedCrossingSchema = z.object({
  event: z.string(),
  name: z.string(),
  after: instantSchema.optional(),
  until: instantSchema,
  crossing: crossingSchema,
});
export type SharedCrossing = z.infer<typeof sharedCrossingSchema>;

/** Alerts stay here from the write of the states until every chat has them. */
const crossedSchema = z.object({
  events: z.array(eventSchema).readonly(),
  late: lateSchema.optional(),
  shared: z.array(sharedCrossingSchema).readonly(),
});
export type Crossed = z.infer<typeof crossedSchema>;

const headSchema = z.object({
  /** Number of the last commit. A page with a higher number was not confirmed. */
  commit: z.int(),
  shared: sharedStatesSchema,
  crossed: crossedSchema.optional(),
});

const pageSchema = z.object({
  commit: z.int(),
  chats: z.record(addressSchema, ownStatesSchema),
  /** The previous states of what this commit changed; null means that there was none. */
  was: z.record(addressSchema, ownStatesSchema.nullable()),
  /** Alerts from chats' own states, pending as long as those of the head. */
  crossed: z.record(addressSchema, z.array(memberSchema).readonly()).optional(),
});
type Page = z.infer<typeof pageSchema>;

const NEVER_TRIED = instant(0);

const MAX_PAGE_CHATS = 100;
/** Pages written at once. */
const AT_ONCE = 20;

/** The changes of one check, which become durable as a whole. */
export interface RulesCommit {
  readonly shared: SharedStates;
  /** Changed states by chat; undefined removes the chat's states. */
  readonly own: ReadonlyMap<Address, OwnStates | undefined>;
  readonly crossed: Crossed | undefined;
  readonly members: ReadonlyMap<Address, readonly Member[]>;
}

/** The rule states of one subject. */
export interface SubjectRules {
  readonly shared: SharedStates;
  readonly own: ReadonlyMap<Address, OwnStates>;
  readonly crossed: Crossed | undefined;
  /** The members of `crossed` in chats with states of their own. */
  readonly members: ReadonlyMap<Address, readonly Member[]>;
}

interface Subject {
  commit: number;
  /** Number of the last attempted commit. It includes failed ones, whose pages may be durable. */
  tried: number;
  shared: SharedStates;
  crossed: Crossed | undefined;
  readonly own: Map<Address, OwnStates>;
  members: ReadonlyMap<Address, readonly Member[]>;
  readonly pageOf: Map<Address, number>;
  readonly pages: Map<number, Set<Address>>;
  /** Stored pages that differ from memory and must be written again. */
  readonly torn: Set<number>;
  /** When values that must last will have lasted, earliest first. Computed on first use. */
  dues: readonly Instant[] | undefined;
}

const NO_SHARED: SharedStates = {};
export const NO_RULES: SubjectRules = { shared: NO_SHARED, own: new Map(), crossed: undefined, members: new Map() };

/** Returns the state of a chat's rule. */
export function stateOf(
  { shared, own }: { readonly shared: SharedStates; readonly own: OwnStates | undefined },
  { series, name, stands }: { readonly series: string; readonly name: string; readonly stands: Instant },
): RuleState | undefined {
  const kept = own?.[series]?.[name];
  return kept?.stands === stands ? kept.state : sharedStateOf(shared[series]?.[name], stands);
}

/** Returns the states of a chat's rules before a check. */
export const rememberedOf = (known: { readonly shared: SharedStates; readonly own: OwnStates | undefined }): Remembered => ({
  states: (series, { entry, about, thresholds }) =>
    new Map(
      thresholds.flatMap((rule): [string, RuleState][] => {
        const name = ruleName(rule);
        const state = stateOf(known, { series, name, stands: standsSince(entry, about, name) });
        return state === undefined ? [] : [[name, state]];
      }),
    ),
});

export class RuleStates {
  readonly #heads: Collection<z.infer<typeof headSchema>>;
  readonly #pages: Collection<Page>;
  readonly #subjects = new Map<string, Subject>();
  readonly #lanes = lanes();
  /** Rules that alert once and have fired, before they are removed from their watchlist. */
  readonly ending = new Set<string>();

  private constructor(store: Store) {
    this.#heads = store.collection({ prefix: 'rules', schema: headSchema, version: 1 });
    this.#pages = store.collection({ prefix: 'rules-page', schema: pageSchema, version: 1 });
  }

  /** Loads all states. Rejects if one is unreadable, because alerts would be lost or repeated. */
  static async open(store: Store): Promise<RuleStates> {
    const states = new RuleStates(store);
    for await (const { found, unreadable } of states.#heads.scan()) {
      refuse(unreadable);
      for (const [key, head] of found) Object.assign(states.#subject(key), { ...head, crossed: head.crossed, tried: head.commit });
    }
    for await (const { found, unreadable } of states.#pages.scan()) {
      refuse(unreadable);
      for (const [name, page] of found) states.#load(name, page);
    }
    return states;
  }

  of(key: string): SubjectRules {
    return this.#subjects.get(key) ?? NO_RULES;
  }

  keys(): readonly string[] {
    return [...this.#subjects.keys()];
  }

  /** Counts the states of a chat's rules. */
  countOf(chat: Chat): number {
    let count = 0;
    for (const [key, { shared, own }] of this.#subjects) {
      const [feed = ''] = key.split('/');
      const remembered = rememberedOf({ shared, own: own.get(chat.address) });
      const series = new Set([...Object.keys(shared), ...Object.keys(own.get(chat.address) ?? {})]);
      for (const topic of series) {
        // A market may have an entry of its own even if its project is not watched.
        const about = { ...aboutOf(feed, key.slice(feed.length + 1)), topic };
        const [entry] = covering(about, chat);
        if (entry === undefined || isOff(entry, feed)) continue;
        count += remembered.states(topic, { entry, about, thresholds: rulesFor(entry, feed).thresholds }).size;
      }
    }
    return count;
  }

  /** Returns when rules were last evaluated, as stored. Later changes of watchlists get later times, even if the clock was set back. */
  evaluatedAt(): Instant {
    const lists = [...this.#subjects.values()].flatMap(({ shared }) => Object.values(shared).flatMap((rules) => Object.values(rules)));
    return instant(lists.reduce((latest, list) => Math.max(latest, lastUntil(list)), 0));
  }

  /** Returns subjects with alerts that some chats may lack. */
  crossed(): readonly string[] {
    return this.keys().filter((key) => this.of(key).crossed !== undefined);
  }

  /** Returns the first time after `after` at which a value that must last will have lasted. */
  heldUntil(key: string, after: Instant = NEVER_TRIED): Instant | undefined {
    const subject = this.#subjects.get(key);
    if (subject === undefined) return undefined;
    subject.dues ??= [...subject.own.values()]
      .flatMap((series) => Object.values(series).flatMap((rules) => Object.values(rules)))
      .flatMap(({ state }) => state?.held?.due ?? [])
      .toSorted((a, b) => a - b);
    return subject.dues.find((due) => due > after);
  }

  /** Commits a check's changes. Pages are written before the head, and count only once it is written. */
  async commit(key: string, { shared, own, crossed, members }: RulesCommit): Promise<void> {
    return this.#lanes.run(key, async () => {
      const subject = this.#subject(key);
      const commit = (subject.tried += 1);
      const pages = this.#pagesFor(subject, new Set([...own.keys(), ...members.keys()]));
      for (const page of pages.keys()) subject.torn.add(page);
      const written = [...subject.torn];
      for (let from = 0; from < written.length; from += AT_ONCE) {
        if (from > 0) await yieldToEventLoop();
        const some = written.slice(from, from + AT_ONCE);
        await Promise.all(
          some.map(async (number) =>
            this.#pages.set(`${key}/${number}`, { commit, ...pageOf(subject, { number, changed: pages.get(number) ?? [], own, members }) }),
          ),
        );
      }
      await this.#heads.set(key, { commit, shared, crossed });
      Object.assign(subject, { commit, shared, crossed, members });
      subject.torn.clear();
      for (const [chat, states] of own) this.#put(subject, chat, states);
      for (const [number, chats] of pages) for (const chat of chats) if (subject.own.has(chat)) this.#place(subject, chat, number);
      if (crossed === undefined) for (const number of written) await this.#drop(key, subject, number);
    });
  }

  /** Ends the pending alerts of a subject, once every chat has them. */
  async routed(key: string): Promise<void> {
    return this.#lanes.run(key, async () => {
      const subject = this.#subjects.get(key);
      if (subject?.crossed === undefined) return;
      const { commit, shared } = subject;
      await this.#heads.set(key, { commit, shared });
      Object.assign(subject, { crossed: undefined, members: new Map() });
    });
  }

  /** Removes the states of a forgotten chat. */
  async forgetChat(address: Address): Promise<void> {
    for (const [key, subject] of this.#subjects) {
      const page = subject.pageOf.get(address);
      if (page === undefined) continue;
      const { shared, crossed } = subject;
      const members = new Map([...subject.members].filter(([chat]) => chat !== address));
      await this.commit(key, { shared, crossed, own: new Map([[address, undefined]]), members });
      // The page still contains the chat's previous states in `was`, so it is written once more.
      subject.torn.add(page);
      await this.commit(key, { shared, crossed, own: new Map(), members });
    }
  }

  /** Removes the states of series that get no more values, such as a market with a result. Idempotent. */
  async end(key: string, series: readonly string[]): Promise<void> {
    const { shared, own } = this.of(key);
    const isOver = ([name]: readonly [string, unknown]): boolean => series.includes(name);
    const left = new Map(
      [...own].flatMap(([chat, states]): [Address, OwnStates | undefined][] => {
        const all = Object.entries(states);
        const others = all.filter((one) => !isOver(one));
        return others.length === all.length ? [] : [[chat, others.length === 0 ? undefined : Object.fromEntries(others)]];
      }),
    );
    if (left.size === 0 && !Object.entries(shared).some(isOver)) return;
    const kept = Object.fromEntries(Object.entries(shared).filter((one) => !isOver(one)));
    await this.commit(key, { shared: kept, own: left, crossed: undefined, members: new Map() });
  }

  /** Removes the states of a subject that nobody watches. */
  async forget(key: string): Promise<void> {
    return this.#lanes.run(key, async () => {
      const subject = this.#subjects.get(key);
      if (subject === undefined) return;
      // The head is deleted first: pages without one do not count.
      await this.#heads.delete(key);
      for (const number of subject.pages.keys()) await this.#pages.delete(`${key}/${number}`);
      this.#subjects.delete(key);
    });
  }

  #subject(key: string): Subject {
    const known = this.#subjects.get(key);
    if (known !== undefined) return known;
    const empty = { commit: 0, tried: 0, shared: NO_SHARED, crossed: undefined, own: new Map(), members: new Map() };
    const subject: Subject = { ...empty, pageOf: new Map(), pages: new Map(), torn: new Set(), dues: undefined };
    this.#subjects.set(key, subject);
    return subject;
  }

  #load(name: string, { commit, chats, was, crossed = {} }: Page): void {
    const end = name.lastIndexOf('/');
    const number = Number(name.slice(end + 1));
    const subject = this.#subject(name.slice(0, end));
    const isConfirmed = commit <= subject.commit;
    subject.tried = Math.max(subject.tried, commit);
    subject.pages.set(number, new Set());
    if (!isConfirmed) subject.torn.add(number);
    // Commit 0 means that there is no head: the subject was forgotten or never committed, so its pages do not count.
    const before = isConfirmed ? chats : subject.commit === 0 ? {} : { ...chats, ...was };
    for (const [chat, states] of addressed(before)) {
      this.#put(subject, chat, states ?? undefined);
      if (states !== null) this.#place(subject, chat, number);
    }
    if (commit === subject.commit && subject.crossed !== undefined) subject.members = new Map([...subject.members, ...addressed(crossed)]);
  }

  /** Deletes a page that has no chats. */
  async #drop(key: string, { pages }: Subject, number: number): Promise<void> {
    if ((pages.get(number)?.size ?? 0) > 0) return;
    await this.#pages.delete(`${key}/${number}`);
    pages.delete(number);
  }

  #put(subject: Subject, chat: Address, states: OwnStates | undefined): void {
    subject.dues = undefined;
    if (states !== undefined) {
      subject.own.set(chat, states);
      return;
    }
    subject.own.delete(chat);
    const page = subject.pageOf.get(chat);
    if (page !== undefined) subject.pages.get(page)?.delete(chat);
    subject.pageOf.delete(chat);
  }

  #place(subject: Subject, chat: Address, page: number): void {
    subject.pageOf.set(chat, page);
    const chats = subject.pages.get(page) ?? new Set();
    subject.pages.set(page, chats.add(chat));
  }

  /** Returns the pages of these chats. Chats without one get the last page, or a new one. */
  #pagesFor({ pageOf, pages }: Subject, chats: ReadonlySet<Address>): ReadonlyMap<number, readonly Address[]> {
    const places = new Map<number, Address[]>();
    let last = Math.max(0, ...pages.keys());
    let size = pages.get(last)?.size ?? 0;
    for (const chat of chats) {
      let page = pageOf.get(chat);
      if (page === undefined) {
        if (size >= MAX_PAGE_CHATS) [last, size] = [last + 1, 0];
        [page, size] = [last, size + 1];
      }
      places.set(page, [...(places.get(page) ?? []), chat]);
    }
    return places;
  }
}

interface PageChange extends Pick<RulesCommit, 'own' | 'members'> {
  readonly number: number;
  readonly changed: readonly Address[];
}

function pageOf(subject: Subject, { number, changed, own, members }: PageChange): Omit<Page, 'commit'> {
  const chats = [...new Set([...(subject.pages.get(number) ?? []), ...changed])].flatMap((chat): [Address, OwnStates][] => {
    const states = own.has(chat) ? own.get(chat) : subject.own.get(chat);
    return states === undefined ? [] : [[chat, states]];
  });
  return {
    chats: Object.fromEntries(chats),
    was: Object.fromEntries(changed.map((chat) => [chat, subject.own.get(chat) ?? null])),
    crossed: Object.fromEntries(changed.flatMap((chat) => (members.has(chat) ? [[chat, members.get(chat) ?? []]] : []))),
  };
}

/** Parses a subject, which is a project's slug or a wallet's address. */
const aboutOf = (feed: string, subject: string): About =>
  feed === WALLET_FEED ? { feed, wallet: walletAddress(subject) } : { feed, project: slug(subject) };

const addressed = <T>(chats: Readonly<Record<string, T>>): readonly (readonly [Address, T])[] =>
  Object.entries(chats).map(([chat, of]) => [addressSchema.parse(chat), of]);

function refuse(unreadable: readonly { readonly key: string; readonly because: string }[]): void {
  const [broken] = unreadable;
  if (broken !== undefined)
    throw new Error(
      `alerts: the states of rules ${broken.key} cannot be read (${broken.because}); restore a backup of the store, or remove that document`,
    );
}
