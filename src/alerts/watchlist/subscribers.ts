/** This module knows which chats watch what, and is updated with each write. */
import { type Instant, instant } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { Slug } from '../../domain/scalars.js';
import type { WalletAddress } from '../../domain/wallet.js';
import { createAbsences, type Absences, type Absence } from './absence.js';
import { kindsOff } from '../rules/presets.js';
import { LAUNCHES_FEED, type About, type Entry, type Target } from './entry.js';

/** An audience changes as chats change. */
export interface Audience {
  readonly size: number;
  has(chat: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

export interface Group {
  readonly target: Target;
  audience(kind: string): Audience;
  returnedAt(kind: string): Instant | undefined;
}

/** It changes as chats change. */
interface Watched {
  readonly slugs: ReadonlySet<Slug>;
  readonly wallets: ReadonlySet<WalletAddress>;
  readonly all: boolean;
  readonly launches: boolean;
}

export interface Subscribers {
  readonly watched: Watched;
  groups(): Iterable<Group>;
  /** Each address comes once. */
  to(event: About): Iterable<Address>;
  /** Both ends are included. */
  absencesEnded(from: Instant, to: Instant): readonly Absence[];
  revision(): number;
}

type WatchedEntry = Pick<Entry, 'target' | 'preset' | 'modes'>;

interface Listed {
  readonly address: Address;
  readonly entries: readonly WatchedEntry[];
  readonly absence?: Absence | undefined;
}

interface SubscriberIndex extends Subscribers {
  /** A side that is undefined means that there is none. */
  replace(before: Listed | undefined, after: Listed | undefined): void;
  groupOf(target: Target): Group | undefined;
}

interface Members {
  readonly chats: Set<Address>;
  readonly absences: Absences;
  readonly off: Map<string, Set<Address>>;
  readonly group: Group;
}

interface Wants {
  readonly target: Target;
  readonly off: readonly string[];
}

/** Many chats share these targets. */
const keys = new WeakMap<Target, string>();

function keyOf(target: Target): string {
  const known = keys.get(target);
  if (known !== undefined) return known;
  const own = target.kind === 'wallet' ? target.address : target.kind === 'project' ? target.slug : undefined;
  const key = own === undefined ? target.kind : `${target.kind}/${own}`;
  keys.set(target, key);
  return key;
}

function wantsIn(entries: readonly WatchedEntry[]): ReadonlyMap<string, Wants> {
  const wants = new Map<string, Wants>();
  for (const entry of entries) {
    const { target } = entry;
    const off = kindsOff(entry);
    const key = keyOf(target);
    const same = wants.get(key);
    wants.set(key, same === undefined ? { target, off } : { target, off: off.filter((kind) => same.off.includes(kind)) });
  }
  return wants;
}

export function createSubscribers(): SubscriberIndex {
  const members = new Map<string, Members>();
  const slugs = new Set<Slug>();
  const wallets = new Set<WalletAddress>();
  const absences = createAbsences();
  let revision = 0;
  /** The latest result is kept, because many chats watch the same. */
  let latest: { readonly entries: Listed['entries']; readonly wants: ReadonlyMap<string, Wants> } | undefined;
  const wantsOf = (entries: Listed['entries']): ReadonlyMap<string, Wants> => {
    if (latest?.entries !== entries) latest = { entries, wants: wantsIn(entries) };
    return latest.wants;
  };

  const note = (target: Target, isWatched: boolean): void => {
    const change = isWatched ? 'add' : 'delete';
    if (target.kind === 'project') slugs[change](target.slug);
    if (target.kind === 'wallet') wallets[change](target.address);
  };
  const join = (key: string, { target, off }: Wants, { address, absence }: Listed): void => {
    const known = members.get(key);
    const there = known ?? membersOf(target);
    if (known === undefined) {
      members.set(key, there);
      note(target, true);
    }
    there.chats.add(address);
    if (absence !== undefined) there.absences.add(address, absence);
    for (const kind of off) {
      const without = there.off.get(kind) ?? new Set();
      there.off.set(kind, without.add(address));
    }
    revision += 1;
  };
  const part = (key: string, { target, off }: Wants, { address, absence }: Listed): void => {
    const there = members.get(key);
    if (there === undefined) return;
    there.chats.delete(address);
    if (absence !== undefined) there.absences.delete(address, absence);
    for (const kind of off) there.off.get(kind)?.delete(address);
    revision += 1;
    if (there.chats.size > 0) return;
    members.delete(key);
    note(target, false);
  };

  return {
    watched: {
      slugs,
      wallets,
      get all() {
        return members.has('all');
      },
      get launches() {
        return members.has('launches');
      },
    },
    *groups() {
      for (const { group } of members.values()) yield group;
    },
    to(event) {
      return eachOnce(keysFor(event).flatMap((key) => members.get(key)?.chats ?? []));
    },
    absencesEnded: (from, to) => absences.endedWithin(from, to),
    revision: () => revision,
    groupOf: (target) => members.get(keyOf(target))?.group,

    replace(before, after) {
      if (before?.entries === after?.entries && before?.absence === after?.absence) return;
      if (before?.absence !== after?.absence) {
        if (before?.absence !== undefined) absences.delete(before.address, before.absence);
        if (after?.absence !== undefined) absences.add(after.address, after.absence);
      }
      if (before === undefined && after !== undefined) {
        for (const [key, wants] of wantsOf(after.entries)) join(key, wants, after);
        return;
      }
      const [was, is] = [wantsOf(before?.entries ?? []), wantsOf(after?.entries ?? [])];
      const stays = (one: Wants | undefined, other: Wants | undefined): boolean =>
        before?.absence === after?.absence && one !== undefined && other !== undefined && isSame(one.off, other.off);
      // Chats are updated in place, so that a group that keeps a chat is never empty meanwhile.
      for (const [key, wants] of is) {
        const old = was.get(key);
        if (after === undefined || stays(old, wants)) continue;
        if (before !== undefined && old !== undefined) renew(members.get(key), { before, after, was: old, is: wants });
        else join(key, wants, after);
      }
      for (const [key, wants] of was) if (before !== undefined && !is.has(key)) part(key, wants, before);
    },
  };

  function renew(
    there: Members | undefined,
    { before, after, was, is }: { readonly before: Listed; readonly after: Listed; readonly was: Wants; readonly is: Wants },
  ): void {
    if (there === undefined) return;
    if (before.absence !== undefined) there.absences.delete(before.address, before.absence);
    if (after.absence !== undefined) there.absences.add(after.address, after.absence);
    for (const kind of was.off) there.off.get(kind)?.delete(before.address);
    for (const kind of is.off) {
      const without = there.off.get(kind) ?? new Set();
      there.off.set(kind, without.add(after.address));
    }
    revision += 1;
  }
}

function* eachOnce(sets: readonly ReadonlySet<Address>[]): Iterable<Address> {
  for (const [index, chats] of sets.entries()) {
    const before = sets.slice(0, index);
    for (const chat of chats) if (!before.some((one) => one.has(chat))) yield chat;
  }
}

/** It must agree with `covering` in match.ts. */
function keysFor({ feed, project, wallet }: About): readonly string[] {
  if (wallet !== undefined) return [`wallet/${wallet}`];
  return [...(project === undefined ? [] : [`project/${project}`]), ...(feed === LAUNCHES_FEED ? ['launches'] : []), 'all'];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((kind) => other.includes(kind)));

function membersOf(target: Target): Members {
  const [chats, off] = [new Set<Address>(), new Map<string, Set<Address>>()];
  const absences = createAbsences();
  const audiences = new Map<string, Audience>();
  const audience = (kind: string): Audience => {
    const without = off.get(kind);
    if (without === undefined || without.size === 0) return chats;
    const known = audiences.get(kind) ?? others(chats, without);
    audiences.set(kind, known);
    return known;
  };
  const returnedAt = (kind: string): Instant | undefined => {
    for (const { chat, absence } of absences.latestFirst()) if (off.get(kind)?.has(chat) !== true) return absence.to;
    return undefined;
  };
  return { chats, absences, off, group: { target, audience, returnedAt } };
}

const others = (chats: ReadonlySet<string>, without: ReadonlySet<string>): Audience => ({
  get size() {
    return chats.size - without.size;
  },
  has: (chat) => chats.has(chat) && !without.has(chat),
  *[Symbol.iterator]() {
    for (const chat of chats) if (!without.has(chat)) yield chat;
  },
});

type IndexView = Omit<SubscriberIndex, 'replace'>;

/** The view `many` is large, and `few` is usually empty. */
export function joinSubscribers(many: IndexView, few: IndexView): Subscribers {
  return {
    watched: {
      get slugs() {
        return union(many.watched.slugs, few.watched.slugs);
      },
      get wallets() {
        return union(many.watched.wallets, few.watched.wallets);
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
  };
}

const union = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> => (other.size === 0 ? one : new Set([...one, ...other]));

const joinGroups = (one: Group, other: Group): Group => ({
  target: one.target,
  audience: (kind) => joinAudiences(one.audience(kind), other.audience(kind)),
  returnedAt(kind) {
    const known = [one.returnedAt(kind), other.returnedAt(kind)].filter((at) => at !== undefined);
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
