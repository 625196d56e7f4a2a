/** This module keeps chats in memory. Equal parts of chats are kept once, and a chat's entries are built when it is read. */
import { RecentMap } from '../../base/bounded-cache.js';
import type { Instant } from '../../base/clock.js';
import type { Entry, Target } from './entry.js';

/** An entry without the fields that differ from chat to chat. */
export type SharedEntry = Omit<Entry, 'since' | 'stands' | 'by' | 'byId'>;

type Author = Pick<Entry, 'by' | 'byId'>;

interface WithEntries {
  readonly entries: readonly Entry[];
}

export interface CompactChat<C extends WithEntries> {
  /** The chat without its entries. */
  readonly bare: C;
  /** Chats that watch the same share one list. */
  readonly shared: readonly SharedEntry[];
  /** One time for each entry. */
  readonly since: readonly Instant[];
  /** One value for each entry; undefined if no rule of the chat was set after its entry. */
  readonly stands?: readonly Entry['stands'][] | undefined;
  /** One author for all entries, or one for each. */
  readonly authors: readonly Author[];
}

export interface Compactor<C extends WithEntries> {
  compact(chat: C): CompactChat<C>;
  /** Builds the chat with the wanted entries, by default with all. */
  expand(chat: CompactChat<C>, isWanted?: (entry: SharedEntry) => boolean): C;
}

/** Distinct parts that are remembered for sharing. */
const MAX_POOLED = 10_000;

export function createCompactor<C extends WithEntries>(): Compactor<C> {
  const share = createEntryPool();
  const author = createAuthorPool();
  /** The latest list by its first entry. */
  const lists = new WeakMap<SharedEntry, readonly SharedEntry[]>();
  const listOf = (all: readonly SharedEntry[]): readonly SharedEntry[] => {
    const [first] = all;
    if (first === undefined) return NO_ENTRIES;
    const last = lists.get(first);
    if (last !== undefined && isSameList(last, all)) return last;
    lists.set(first, all);
    return all;
  };

  return {
    compact(chat) {
      const { entries } = chat;
      const authors = entries.map(author);
      return {
        bare: { ...chat, entries: NO_ENTRIES },
        shared: listOf(entries.map(share)),
        since: entries.map(({ since }) => since),
        ...(entries.some(({ stands }) => stands !== undefined) ? { stands: entries.map(({ stands }) => stands) } : {}),
        authors: authors.every((one) => one === authors[0]) ? authors.slice(0, 1) : authors,
      };
    },
    expand({ bare, shared, since, stands, authors }, isWanted) {
      const entries: Entry[] = [];
      for (const [index, entry] of shared.entries()) {
        if (isWanted?.(entry) === false) continue;
        const began = since[index];
        const by = authors[index] ?? authors[0];
        const standing = stands?.[index];
        if (began !== undefined && by !== undefined)
          entries.push({ ...entry, since: began, ...(standing === undefined ? {} : { stands: standing }), ...by });
      }
      return { ...bare, entries };
    },
  };
}

const NO_ENTRIES: readonly [] = [];

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

const PLAIN: ReadonlySet<string> = new Set(['target', 'preset', 'since', 'stands', 'by', 'byId'] satisfies readonly (keyof Entry)[]);

function isPlain(entry: Entry): boolean {
  for (const name in entry) if (!PLAIN.has(name)) return false;
  return true;
}

function createEntryPool(): (entry: Entry) => SharedEntry {
  const targets = createTargetPool();
  const plain = new WeakMap<Target, Map<Entry['preset'], SharedEntry>>();
  const others = pool<SharedEntry>();
  return (entry) => {
    const target = targets(entry.target);
    // Most entries have only a preset, and building a text key would cost more.
    if (isPlain(entry)) {
      const { preset } = entry;
      const presets = plain.get(target) ?? new Map<Entry['preset'], SharedEntry>();
      plain.set(target, presets);
      const known = presets.get(preset) ?? { target, preset };
      presets.set(preset, known);
      return known;
    }
    const { since: _since, stands: _stands, by: _by, byId: _byId, ...own } = entry;
    return others(JSON.stringify(own), { ...own, target });
  };
}

function createAuthorPool(): (entry: Author) => Author {
  const authors = pool<Author>();
  /** Usually one person added all entries of a chat, so only the last author is compared. */
  let last: Author | undefined;
  return ({ by, byId }) => {
    if (last === undefined || last.by !== by || last.byId !== byId)
      last = authors(`${by}\n${byId ?? ''}`, byId === undefined ? { by } : { by, byId });
    return last;
  };
}

function createTargetPool(): (target: Target) => Target {
  const [projects, others] = [pool<Target>(), pool<Target>()];
  return (target) => {
    if (target.kind === 'project') return projects(target.slug, target);
    if (target.kind === 'market') return others(JSON.stringify(target), target);
    if (target.kind === 'screen') return others(`screen ${target.filter}`, target);
    if (target.kind !== 'wallet') return others(target.kind, target);
    return others(target.label === undefined ? target.address : `${target.address}/${target.label}`, target);
  };
}

/** Returns a function that returns the first value given for each key. */
function pool<T>(): (key: string, value: T) => T {
  const known = new RecentMap<string, T>(MAX_POOLED);
  return (key, value) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, value);
    return value;
  };
}
