/** This module indexes which chats watch what. Each write of a watchlist updates it. */
import { type Instant, instant } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import { slug, type Slug } from '../../domain/scalars.js';
import type { WalletAddress } from '../../domain/wallet.js';
import { Absences, type Absence } from './absence.js';
import { kindsOff } from '../rules/presets.js';
import { KINDS } from '../rules/kinds.js';
import { LAUNCHES_FEED, kindsFor, marketIn, type About, type Entry, type Exceptions, type MarketTarget, type Target } from './entry.js';
import { entryAbout } from './exceptions.js';

/** A live view of the chats that want a kind for a subject. */
export interface Audience {
  readonly size: number;
  has(chat: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

export interface Group {
  readonly target: Target;
  /** Returns the chats that want a kind. With `project`, chats that turned the kind off for it are left out. */
  audience(kind: string, project?: string): Audience;
  returnedAt(kind: string, project?: string): Instant | undefined;
}

/** A live view of what is watched. */
interface Watched {
  readonly slugs: ReadonlySet<Slug>;
  readonly wallets: ReadonlySet<WalletAddress>;
  readonly all: boolean;
  readonly launches: boolean;
  /** The filters of saved screens. */
  readonly screens: ReadonlySet<string>;
}

export interface Subscribers {
  readonly watched: Watched;
  groups(): Iterable<Group>;
  /** Returns the chats that an event concerns, each once. */
  to(event: About): Iterable<Address>;
  /** Returns the absences that ended between `from` and `to`, both included. */
  absencesEnded(from: Instant, to: Instant): readonly Absence[];
  revision(): number;
  /** Reminder offsets that some chat has, in minutes before a date. */
  offsets(): readonly number[];
}

type WatchedEntry = Pick<Entry, 'target' | 'preset' | 'modes' | 'rules' | 'exceptions'>;

interface Listed {
  readonly address: Address;
  readonly entries: readonly WatchedEntry[];
  readonly absence?: Absence | undefined;
  readonly remind?: readonly { readonly before: number }[] | undefined;
}

interface Members {
  readonly chats: Set<Address>;
  readonly absences: Absences;
  readonly off: Map<string, Set<Address>>;
  readonly group: Group;
}

interface Wants {
  readonly target: Target;
  /** Kinds that are off, and kinds that are off for a project as written by `offFor`. */
  readonly off: readonly string[];
}

const offFor = (kind: string, project: string): string => `${kind}/${project}`;

/** Cached because many chats share these targets. */
const keys = new WeakMap<Target, string>();

function keyOf(target: Target): string {
  const known = keys.get(target);
  if (known !== undefined) return known;
  const own = { wallet: 'address', project: 'slug', market: 'topic', screen: 'filter' } as const;
  const key = target.kind === 'all' || target.kind === 'launches' ? target.kind : `${target.kind}/${Reflect.get(target, own[target.kind])}`;
  keys.set(target, key);
  return key;
}

function wantsIn(entries: readonly WatchedEntry[]): ReadonlyMap<string, Wants> {
  const wants = new Map<string, Wants>();
  for (const entry of entries) {
    const { target } = entry;
    const off = target.kind === 'market' ? kindsOffOf(target, entry) : kindsOff(entry);
    const key = keyOf(target);
    const same = wants.get(key);
    wants.set(key, same === undefined ? { target, off } : { target, off: off.filter((kind) => same.off.includes(kind)) });
  }
  const all = entries.find(({ target }) => target.kind === 'all');
  return all?.exceptions === undefined ? wants : withExceptions(wants, all, all.exceptions);
}

/** Returns the kinds that are off for a followed proposal or launch. It needs the checks of one kind, until its result is known. */
function kindsOffOf(target: MarketTarget, entry: WatchedEntry): readonly string[] {
  const there = target.endedAt === undefined ? kindsFor(target, KINDS) : [];
  const off = kindsOff(entry);
  return KINDS.filter((kind) => !there.includes(kind) || off.includes(kind));
}

/**
 * Adds what an entry with exceptions wants. A kind that is on only for a project is wanted for that project, unless it has its own entry.
 */
function withExceptions(wants: Map<string, Wants>, all: WatchedEntry, exceptions: Exceptions): ReadonlyMap<string, Wants> {
  const usual = kindsOff(all);
  const off = [...usual];
  for (const [name, { excluded }] of Object.entries(exceptions)) {
    const project = slug(name);
    const target: Target = { kind: 'project', slug: project };
    const held = entryAbout(all, { project });
    const without = held === undefined ? kindsFor(target, KINDS) : kindsOff(held);
    off.push(...without.filter((kind) => !usual.includes(kind)).map((kind) => offFor(kind, project)));
    if (excluded === true || wants.has(keyOf(target)) || usual.every((kind) => without.includes(kind))) continue;
    wants.set(keyOf(target), { target, off: KINDS.filter((kind) => !usual.includes(kind) || without.includes(kind)) });
  }
  return wants.set(keyOf(all.target), { target: all.target, off });
}

/** Indexes chats by what they watch. Its views are live. */
export class SubscriberIndex implements Subscribers {
  readonly #members = new Map<string, Members>();
  readonly #slugs = new Set<Slug>();
  readonly #wallets = new Set<WalletAddress>();
  readonly #screens = new Set<string>();
  readonly #absences = new Absences();
  /** How many chats have each reminder offset. */
  readonly #offsets = new Map<number, number>();
  #revision = 0;
  /** The latest result is cached, because many chats watch the same. */
  #latest: { readonly entries: Listed['entries']; readonly wants: ReadonlyMap<string, Wants> } | undefined;
  readonly watched: Watched;

  constructor() {
    const members = this.#members;
    this.watched = {
      slugs: this.#slugs,
      wallets: this.#wallets,
      screens: this.#screens,
      get all() {
        return members.has('all');
      },
      get launches() {
        return members.has('launches');
      },
    };
  }

  *groups(): Iterable<Group> {
    for (const { group } of this.#members.values()) yield group;
  }

  to(event: About): Iterable<Address> {
    return eachOnce(keysFor(event).flatMap((key) => this.#members.get(key)?.chats ?? []));
  }

  absencesEnded(from: Instant, to: Instant): readonly Absence[] {
    return this.#absences.endedWithin(from, to);
  }

  revision(): number {
    return this.#revision;
  }

  offsets(): readonly number[] {
    return [...this.#offsets.keys()];
  }

  groupOf(target: Target): Group | undefined {
    return this.#members.get(keyOf(target))?.group;
  }

  /** Replaces a chat in the index; undefined means that there was or is none. */
  replace(before: Listed | undefined, after: Listed | undefined): void {
    this.#countOffsets(offsetsIn(before), -1);
    this.#countOffsets(offsetsIn(after), 1);
    if (before?.entries === after?.entries && before?.absence === after?.absence) return;
    if (before?.absence !== after?.absence) replaceAbsence(this.#absences, before, after);
    const [was, is] = [this.#wantsOf(before), this.#wantsOf(after)];
    // New targets are added before old ones are removed, so that a group that keeps its chat is never empty.
    if (after !== undefined) for (const [key, wants] of is) this.#put(key, { before, after, was: was.get(key), is: wants });
    if (before !== undefined) for (const [key, wants] of was) if (!is.has(key)) this.#leave(key, wants, before);
  }

  #put(
    key: string,
    {
      before,
      after,
      was,
      is,
    }: { readonly before: Listed | undefined; readonly after: Listed; readonly was: Wants | undefined; readonly is: Wants },
  ): void {
    if (before === undefined || was === undefined) this.#join(key, is, after);
    else if (before.absence !== after.absence || !isSame(was.off, is.off)) this.#renew(key, { before, after, was, is });
  }

  #join(key: string, { target, off }: Wants, { address, absence }: Listed): void {
    let members = this.#members.get(key);
    if (members === undefined) {
      members = membersOf(target);
      this.#members.set(key, members);
      this.#note(target, 'add');
    }
    members.chats.add(address);
    if (absence !== undefined) members.absences.add(address, absence);
    turnOff(members, off, address);
    this.#revision += 1;
  }

  #leave(key: string, { target, off }: Wants, { address, absence }: Listed): void {
    const members = this.#members.get(key);
    if (members === undefined) return;
    members.chats.delete(address);
    if (absence !== undefined) members.absences.delete(address, absence);
    for (const kind of off) members.off.get(kind)?.delete(address);
    this.#revision += 1;
    if (members.chats.size > 0) return;
    this.#members.delete(key);
    this.#note(target, 'delete');
  }

  #renew(
    key: string,
    { before, after, was, is }: { readonly before: Listed; readonly after: Listed; readonly was: Wants; readonly is: Wants },
  ): void {
    const members = this.#members.get(key);
    if (members === undefined) return;
    replaceAbsence(members.absences, before, after);
    for (const kind of was.off) members.off.get(kind)?.delete(before.address);
    turnOff(members, is.off, after.address);
    this.#revision += 1;
  }

  #note(target: Target, change: 'add' | 'delete'): void {
    if (target.kind === 'project') this.#slugs[change](target.slug);
    if (target.kind === 'wallet') this.#wallets[change](target.address);
    if (target.kind === 'screen') this.#screens[change](target.filter);
  }

  #countOffsets(offsets: readonly number[], by: number): void {
    for (const offset of offsets) {
      const chats = (this.#offsets.get(offset) ?? 0) + by;
      if (chats > 0) this.#offsets.set(offset, chats);
      else this.#offsets.delete(offset);
    }
  }

  #wantsOf(chat: Listed | undefined): ReadonlyMap<string, Wants> {
    if (chat === undefined) return NO_WANTS;
    const { entries } = chat;
    if (this.#latest?.entries !== entries) this.#latest = { entries, wants: wantsIn(entries) };
    return this.#latest.wants;
  }
}

const NO_WANTS: ReadonlyMap<string, Wants> = new Map();

function replaceAbsence(absences: Absences, before: Listed | undefined, after: Listed | undefined): void {
  if (before?.absence !== undefined) absences.delete(before.address, before.absence);
  if (after?.absence !== undefined) absences.add(after.address, after.absence);
}

function turnOff({ off }: Members, kinds: readonly string[], chat: Address): void {
  for (const kind of kinds) off.set(kind, (off.get(kind) ?? new Set()).add(chat));
}

function offsetsIn(chat: Listed | undefined): readonly number[] {
  if (chat === undefined) return [];
  const rules = chat.entries.flatMap((entry) => [entry.rules, ...Object.values(entry.exceptions ?? {}).map((one) => one.rules)]);
  const own = rules.flatMap((kinds) => Object.values(kinds ?? {}).flatMap(({ filters }) => filters.remind ?? []));
  const all = (chat.remind ?? []).map(({ before }) => before);
  return own.length + all.length === 0 ? NO_OFFSETS : [...new Set([...own, ...all])];
}

const NO_OFFSETS: readonly number[] = [];

function* eachOnce(sets: readonly ReadonlySet<Address>[]): Iterable<Address> {
  for (const [index, chats] of sets.entries()) {
    const before = sets.slice(0, index);
    for (const chat of chats) if (!before.some((one) => one.has(chat))) yield chat;
  }
}

/**
 * Returns the index keys for an event. They must find all chats that `covering` in match.ts does; they also find chats that exclude the
 * project.
 */
function keysFor(about: About): readonly string[] {
  const { feed, project, wallet, screen } = about;
  if (screen !== undefined) return [`screen/${screen}`];
  if (wallet !== undefined) return [`wallet/${wallet}`];
  const market = marketIn(about);
  return [
    ...(market === undefined ? [] : [`market/${market}`]),
    ...(project === undefined ? [] : [`project/${project}`]),
    ...(feed === LAUNCHES_FEED ? ['launches'] : []),
    'all',
  ];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((kind) => other.includes(kind)));

function membersOf(target: Target): Members {
  const [chats, off] = [new Set<Address>(), new Map<string, Set<Address>>()];
  const absences = new Absences();
  const withoutFor = (kind: string, project: string | undefined): readonly ReadonlySet<Address>[] =>
    [kind, ...(project === undefined ? [] : [offFor(kind, project)])].flatMap((key) => {
      const set = off.get(key);
      return set === undefined || set.size === 0 ? [] : [set];
    });
  const audience = (kind: string, project?: string): Audience => {
    const without = withoutFor(kind, project);
    if (without.length === 0) return chats;
    return others(chats, without);
  };
  const returnedAt = (kind: string, project?: string): Instant | undefined => {
    const without = withoutFor(kind, project);
    for (const { chat, absence } of absences.latestFirst()) if (!without.some((set) => set.has(chat))) return absence.to;
    return undefined;
  };
  return { chats, absences, off, group: { target, audience, returnedAt } };
}

/** Returns the chats without some sets of them. The sets must not overlap, or `size` is wrong. */
const others = (chats: ReadonlySet<string>, without: readonly ReadonlySet<string>[]): Audience => ({
  get size() {
    return without.reduce((left, { size }) => left - size, chats.size);
  },
  has: (chat) => chats.has(chat) && !without.some((set) => set.has(chat)),
  *[Symbol.iterator]() {
    for (const chat of chats) if (!without.some((set) => set.has(chat))) yield chat;
  },
});

/** Joins two views. `few` is usually empty, so joining must cost nothing then. */
export function joinSubscribers(many: SubscriberIndex, few: SubscriberIndex): Subscribers {
  return {
    watched: {
      get slugs() {
        return union(many.watched.slugs, few.watched.slugs);
      },
      get wallets() {
        return union(many.watched.wallets, few.watched.wallets);
      },
      get screens() {
        return union(many.watched.screens, few.watched.screens);
      },
      get all() {
        return many.watched.all || few.watched.all;
      },
      get launches() {
        return many.watched.launches || few.watched.launches;
      },
    },
    *groups() {
      for (const group of many.groups()) {
        const other = few.groupOf(group.target);
        yield other === undefined ? group : joinGroups(group, other);
      }
      for (const group of few.groups()) if (many.groupOf(group.target) === undefined) yield group;
    },
    *to(event) {
      yield* many.to(event);
      yield* few.to(event);
    },
    absencesEnded: (from, to) => [...many.absencesEnded(from, to), ...few.absencesEnded(from, to)],
    revision: () => many.revision() + few.revision(),
    offsets: () => [...new Set([...many.offsets(), ...few.offsets()])],
  };
}

const union = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> => (other.size === 0 ? one : new Set([...one, ...other]));

const joinGroups = (one: Group, other: Group): Group => ({
  target: one.target,
  audience: (kind, project) => joinAudiences(one.audience(kind, project), other.audience(kind, project)),
  returnedAt(kind, project) {
    const known = [one.returnedAt(kind, project), other.returnedAt(kind, project)].filter((at) => at !== undefined);
    return known.length === 0 ? undefined : instant(Math.max(...known));
  },
});

const joinAudiences = (one: Audience, other: Audience): Audience => ({
  get size() {
    return one.size + other.size;
  },
  has: (chat) => one.has(chat) || other.has(chat),
  *[Symbol.iterator]() {
    yield* one;
    yield* other;
  },
});
