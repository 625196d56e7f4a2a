/** This module stores watchlists as `chat/<address>`. Changes of a chat are serialised, and subscribers are indexed in memory. */
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { HOUR, instant, later, type Clock } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import { createListeners } from '../../base/when-ready.js';
import { addressSchema, circleOf, type Address } from '../../chat/address.js';
import { clockTimeSchema } from '../../domain/day.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Collection, Store } from '../../store/store.js';
import { digestSettingSchema } from '../digest/setting.js';
import { absenceSchema, endedNow } from './absence.js';
import { createAddresses } from './addresses.js';
import { fileEndingSchema, MAX_FILE_ENDINGS } from './ended-rules.js';
import { entrySchema, MAX_AGE_HOURS, targetName, type Entry, type Target } from './entry.js';
import { withException, withExcluded } from './exceptions.js';
import { createCompactor, type CompactChat, type SharedEntry } from './compact-chat.js';
import { MAX_REMINDERS, offsetSchema } from '../../domain/reminder.js';
import { pingsSchema } from './pings.js';
import { presetSchema } from '../rules/presets.js';
import { createSubscribers, joinSubscribers, type Subscribers } from './subscribers.js';
import { startLoading, type Loading, type When } from './loading.js';
import { stamped } from './standing.js';

const editSchema = z.object({ at: instantSchema, by: z.string(), line: z.string() });
export const MAX_EDITS = 20;
const MAX_REMOVED = 5;

const chatSchema = z.object({
  address: addressSchema,
  entries: z.array(entrySchema).readonly(),
  mutedUntil: instantSchema.optional(),
  mutedKinds: z.record(z.string(), instantSchema).optional(),
  /** Proposals and launches by topic, such as `proposals/tide/9xQ…`. */
  mutedTopics: z.record(z.string(), instantSchema).optional(),
  /** An IANA name; the default is UTC. */
  timezone: z.string().optional(),
  /** Local times; if `from` is later than `to`, the hours span midnight. */
  quiet: z.object({ from: clockTimeSchema, to: clockTimeSchema }).optional(),
  /** The preset of new entries. The default is `DEFAULT_PRESET`. */
  preset: presetSchema.optional(),
  digest: digestSettingSchema.optional(),
  /** A message with current values, edited in place and pinned if `pin` is set. */
  board: z.object({ since: instantSchema, pin: z.boolean() }).optional(),
  /** Roles that alerts mention. Members take them themselves. */
  pings: pingsSchema.optional(),
  /** Reminders of all entries without their own. `since` is when an offset was set; earlier ones are not sent. */
  remind: z
    .array(z.object({ before: offsetSchema, since: instantSchema }))
    .max(MAX_REMINDERS)
    .readonly()
    .optional(),
  greetedAt: instantSchema.optional(),
  /** Listed servers and channels that admit a private chat (ACCESS). */
  admittedBy: z.array(z.string()).readonly().optional(),
  left: z.object({ at: instantSchema, because: z.string(), movedTo: addressSchema.optional() }).optional(),
  absence: absenceSchema.optional(),
  /** The last applied file of WATCHLISTS: its name, and hashes of its text and of the resulting list. */
  fromFile: z
    .object({
      name: z.string(),
      text: z.string(),
      list: z.string(),
      ended: z.array(fileEndingSchema).max(MAX_FILE_ENDINGS).readonly().optional(),
    })
    .optional(),
  /** What was unwatched last, the newest first, so that it can be taken back with its rules. */
  removed: z.array(entrySchema).max(MAX_REMOVED).readonly().optional(),
  /** These are the operator's command lines, the newest first. */
  edits: z.array(editSchema).readonly().optional(),
});
export type Chat = z.infer<typeof chatSchema>;

export const chatCollection = (store: Store): Collection<Chat> => store.collection({ prefix: 'chat', schema: chatSchema, version: 1 });

export const MAX_ENTRIES = 50;

/** Chats kept with their entries; those read last stay. */
const MAX_EXPANDED = 1_000;

export interface Watchlists {
  read(chat: Address): Chat;
  /** Reads a chat without building its entries; undefined if nothing is stored. */
  compact(chat: Address): CompactChat<Chat> | undefined;
  expand(chat: CompactChat<Chat>): Chat;
  /** Reads a chat with at least the wanted entries, which is cheaper in checks of many chats. */
  readOnly(chat: Address, isWanted: (entry: SharedEntry) => boolean): Chat;
  has(chat: Address): boolean;
  all(): readonly Chat[];
  /** The number of chats in `all`, without a scan. */
  count(): number;
  left(): readonly Chat[];
  /** The chats with a digest, without a scan. */
  withDigest(): Iterable<Address>;
  withBoard(): Iterable<Address>;
  addresses(): Iterable<Address>;
  /** Changes a chat, one change at a time; resolves when durable. With `isMove`, rules keep the times of the old address. */
  change(chat: Address, edit: (before: Chat) => Chat, how?: { readonly isMove?: boolean }): Promise<Chat>;
  /** Returns the time for a check that evaluates rules now: at or after every change so far, and before every later one. */
  evaluating(now: Instant): Instant;
  forget(chat: Address): Promise<void>;
  onChange(listener: (chat: Address) => void): void;
  readonly here: Subscribers;
  /** Subscribers including chats that are away, because their data stays. */
  readonly kept: Subscribers;
  /** Returns the chat itself and its topics. */
  under(chat: Address): readonly Address[];
  formerly(circle: string): readonly Address[];
}

interface WatchlistsWhen extends When {
  /** If there is no clock, stamps follow the times of checks and entries. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const atLeast = (one: Instant, other: Instant): Instant => (one < other ? other : one);

interface LoadingWatchlists extends Watchlists, Pick<Loading, 'loaded' | 'fetch'> {}

/** Opens watchlists and loads all. Rejects if one is unreadable. */
export async function openWatchlists(store: Store, when: WatchlistsWhen = {}): Promise<Watchlists> {
  const watchlists = startWatchlists(store, when);
  await watchlists.loaded;
  return watchlists;
}

/** Opens watchlists and loads them in the background. Until `loaded` resolves, only fetched or changed chats are known. */
export function startWatchlists(store: Store, { clock, ...when }: WatchlistsWhen = {}): LoadingWatchlists {
  const documents = chatCollection(store);
  const { compact, expand } = createCompactor<Chat>();
  const chats = new Map<Address, CompactChat<Chat>>();
  const expanded = new RecentMap<Address, Chat>(MAX_EXPANDED);
  const remember = (chat: Chat): Chat => {
    expanded.set(chat.address, chat);
    return chat;
  };
  const [here, away] = [createSubscribers(), createSubscribers()];
  const addresses = createAddresses();
  const moved = new Map<string, Set<Address>>();
  const digesting = new Set<Address>();
  const boards = new Set<Address>();
  let watching = 0;
  /** The latest time of a check, entry or stamp. Stamps follow it, so that a clock set back does not put a change before a check. */
  let latest = instant(0);
  let evaluated = instant(0);
  const stamp = (): Instant => (latest = atLeast(later(latest, 1), clock?.now() ?? latest));
  const put = (address: Address, chat: Chat | undefined): void => {
    const before = chats.get(address);
    const after = chat && compact(chat);
    expanded.delete(address);
    if (after === undefined) chats.delete(address);
    else chats.set(address, after);
    for (const { since, stands = {}, exceptions = {} } of chat?.entries ?? []) {
      const returned = Object.values(exceptions).flatMap((exception) => exception.since ?? []);
      latest = [...Object.values(stands), ...returned].reduce(atLeast, atLeast(latest, since));
    }
    if (chat?.digest === undefined) digesting.delete(address);
    else digesting.add(address);
    if (chat?.board === undefined) boards.delete(address);
    else boards.add(address);
    watching += Number(after !== undefined && isPresent(after)) - Number(before !== undefined && isPresent(before));
    here.replace(listedIf(isPresent, before), listedIf(isPresent, after));
    away.replace(listedIf(isAbsent, before), listedIf(isAbsent, after));
    if (after !== undefined && (isPresent(after) || after.bare.left !== undefined)) addresses.add(address);
    else addresses.delete(address);
    const [was, is] = [before?.bare.left?.movedTo, after?.bare.left?.movedTo];
    if (was === is) return;
    if (was !== undefined) moved.get(circleOf(was))?.delete(address);
    if (is !== undefined) moved.set(circleOf(is), (moved.get(circleOf(is)) ?? new Set()).add(address));
  };
  const writer = lanes();
  const changes = createListeners<Address>();
  const read = (address: Address): Chat => {
    const known = expanded.get(address);
    if (known !== undefined) return known;
    const stored = chats.get(address);
    return stored === undefined ? { address, entries: [] } : remember(expand(stored));
  };
  const { loaded, fetch, fetchOne } = startLoading({
    documents,
    lanes: writer,
    ...when,
    name: 'watchlist',
    put: (chat) => put(chat.address, chat),
  });

  return {
    loaded,
    fetch,
    read,
    compact: (address) => chats.get(address),
    expand: (chat) => expand(chat),
    readOnly(address, isWanted) {
      const stored = expanded.has(address) ? undefined : chats.get(address);
      return stored === undefined ? read(address) : expand(stored, isWanted);
    },
    has: (address) => chats.has(address),
    all: () => [...chats.values()].filter(isPresent).map((one) => expand(one)),
    count: () => watching,
    addresses: () => chats.keys(),
    withDigest: () => digesting,
    withBoard: () => boards,
    left: () => [...chats.values()].filter(({ bare }) => bare.left !== undefined).map((one) => expand(one)),
    change: async (address, edit, { isMove = false } = {}) =>
      writer.run(address, async () => {
        await fetchOne(address);
        const before = read(address);
        const edited = edit(before);
        if (edited === before) return before;
        const after = isMove ? edited : stamped(before, edited, { evaluated, stamp });
        await documents.set(address, after);
        put(address, after);
        remember(after);
        changes.announce(address);
        return after;
      }),
    forget: async (address) =>
      writer.run(address, async () => {
        await fetchOne(address);
        await documents.delete(address);
        put(address, undefined);
        changes.announce(address);
      }),
    evaluating: (now) => {
      latest = atLeast(latest, now);
      evaluated = latest;
      return latest;
    },
    onChange: changes.add,
    here,
    kept: joinSubscribers(here, away),
    under: (chat) => addresses.under(chat),
    formerly: (circle) => [...(moved.get(circle) ?? [])],
  };
}

const isPresent = ({ shared, bare: { left } }: CompactChat<Chat>): boolean => shared.length > 0 && left === undefined;

const isAbsent = ({ shared, bare: { left } }: CompactChat<Chat>): boolean => shared.length > 0 && isGone(left);

const listedIf = (test: (chat: CompactChat<Chat>) => boolean, chat: CompactChat<Chat> | undefined) =>
  chat === undefined || !test(chat)
    ? undefined
    : { address: chat.bare.address, entries: chat.shared, absence: chat.bare.absence, remind: chat.bare.remind };

const isGone = (left: Chat['left']): boolean => left !== undefined && left.movedTo === undefined;

/** Tells whether a chat with entries is unreachable; false for a chat that moved. */
export const isAway = ({ entries, left }: Chat): boolean => isGone(left) && entries.length > 0;

export function returned(chat: Chat, now: Instant): Chat {
  const { left, ...there } = chat;
  if (left === undefined || left.movedTo !== undefined) return chat;
  return { ...there, absence: endedNow(chat.absence, left.at, now) };
}

export const entryFor = (chat: Chat, target: Target): Entry | undefined =>
  chat.entries.find((entry) => targetName(entry.target) === targetName(target));

export const withEntry = (chat: Chat, entry: Entry): Chat => ({
  ...chat,
  entries: entryFor(chat, entry.target)
    ? chat.entries.map((old) => (targetName(old.target) === targetName(entry.target) ? entry : old))
    : [...chat.entries, entry],
});

export const withoutEntry = (chat: Chat, target: Target): Chat => ({
  ...chat,
  entries: chat.entries.filter((entry) => targetName(entry.target) !== targetName(target)),
});

/** The entry is kept among those that were removed last. */
export function withRemoved(chat: Chat, target: Target): Chat {
  const entry = entryFor(chat, target);
  if (entry === undefined) return chat;
  const others = (chat.removed ?? []).filter((one) => targetName(one.target) !== targetName(target));
  return { ...withoutEntry(chat, target), removed: [entry, ...others].slice(0, MAX_REMOVED) };
}

/** A project that only the entry for all projects covers is excluded from it. */
export function unwatched(chat: Chat, target: Target, now: Instant): Chat {
  if (target.kind !== 'project' || entryFor(chat, target) !== undefined) return withoutEntry(chat, target);
  return withExcluded(chat, { project: target.slug, now });
}

/** What to mute. A project that only the entry for all projects covers is muted by an exception. */
export interface Mutable {
  readonly target?: Target | undefined;
  readonly kind?: string | undefined;
  /** One proposal or launch, muted for all entries. */
  readonly topic?: string | undefined;
}

/** Single proposals and launches that a chat can mute at once. */
export const MAX_MUTED_TOPICS = 50;

export class TooManyMutesError extends Error {}

/** Mutes one topic. Ended mutes are kept as long as alerts that waited for their end can be sent. */
function withMutedTopic(chat: Chat, topic: string, until: Instant, now: Instant): Chat {
  const kept = Object.entries(chat.mutedTopics ?? {}).filter(([one, end]) => one !== topic && end > later(now, -MAX_AGE_HOURS * HOUR));
  if (kept.filter(([, end]) => end > now).length >= MAX_MUTED_TOPICS) throw new TooManyMutesError();
  return { ...chat, mutedTopics: { ...Object.fromEntries(kept), [topic]: until } };
}

/** Ends the mutes of one proposal or launch, of all of a project, or of all. */
function withoutMutedTopics(chat: Chat, { target, kind, topic, now }: Mutable & { readonly now: Instant }): Chat {
  const project = target?.kind === 'project' ? target.slug : undefined;
  const isMeant = (one: string): boolean =>
    topic === undefined
      ? (target === undefined || one.split('/')[1] === project) && (kind === undefined || one.startsWith(`${kind}/`))
      : one === topic;
  const all = Object.entries(chat.mutedTopics ?? {});
  if (!all.some(([one, until]) => isMeant(one) && until > now)) return chat;
  return { ...chat, mutedTopics: Object.fromEntries(all.map(([one, until]) => [one, isMeant(one) && until > now ? now : until])) };
}

export function muted(
  chat: Chat,
  { target, kind, topic, until, now = instant(0) }: Mutable & { readonly until: Instant; readonly now?: Instant | undefined },
): Chat {
  if (topic !== undefined) return withMutedTopic(chat, topic, until, now);
  const mute = <T extends Mutes>(of: T): T =>
    kind === undefined ? { ...of, mutedUntil: until } : { ...of, mutedKinds: { ...of.mutedKinds, [kind]: until } };
  if (target === undefined) return mute(chat);
  const entry = entryFor(chat, target);
  if (entry !== undefined) return withEntry(chat, mute(entry));
  return target.kind === 'project' ? withException(chat, { project: target.slug, now }, (exception) => mute(exception)) : chat;
}

/** Ends mutes. Without a kind, mutes of kinds and of single proposals and launches end too. */
export function unmuted(muting: Chat, { target, kind, topic, now }: Mutable & { readonly now: Instant }): Chat {
  const chat = withoutMutedTopics(muting, { target, kind, topic, now });
  if (topic !== undefined) return chat;
  const ends = (until: Instant | undefined): boolean => until !== undefined && until > now;
  const isMeant = (one: string): boolean => kind === undefined || one === kind;
  const unmute = <T extends Mutes>(of: T): T => {
    const kinds = Object.entries(of.mutedKinds ?? {});
    const endsAll = kind === undefined && ends(of.mutedUntil);
    if (!endsAll && !kinds.some(([one, until]) => isMeant(one) && ends(until))) return of;
    const mutedKinds = Object.fromEntries(kinds.map(([one, until]) => [one, isMeant(one) && ends(until) ? now : until]));
    return { ...of, ...(endsAll ? { mutedUntil: now } : {}), ...(kinds.length === 0 ? {} : { mutedKinds }) };
  };
  if (target === undefined) return unmute(chat);
  const entry = entryFor(chat, target);
  if (entry === undefined && target.kind === 'project')
    return withException(chat, { project: target.slug, now }, (exception) => unmute(exception));
  const after = entry && unmute(entry);
  return after === undefined || after === entry ? chat : withEntry(chat, after);
}

type Mutes = Pick<Chat, 'mutedUntil' | 'mutedKinds'>;
