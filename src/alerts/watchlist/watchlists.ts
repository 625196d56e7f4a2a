/** This module stores watchlists as `chat/<address>`. Changes of a chat are serialised, and subscribers are indexed in memory. */
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { HOUR, instant, later, type Clock } from '../../base/clock.js';
import { addressSchema, circleOf, type Address } from '../../chat/address.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Collection, Store } from '../../store/store.js';
import { absenceSchema, endedNow } from './absence.js';
import { Addresses, ChatDocuments, type When } from './chat-documents.js';
import { fileEndingSchema, MAX_FILE_ENDINGS } from './ended-rules.js';
import { entrySchema, MAX_AGE_HOURS, targetName, type Entry, type Target, projectOfMarket } from './entry.js';
import { withException, withExcluded } from './exceptions.js';
import { createCompactor, type CompactChat, type SharedEntry } from './compact-chat.js';
import { lastChangesSchema, settingFields } from './last-changes.js';
import { MAX_REMINDERS, offsetSchema } from '../../domain/reminder.js';
import { pingsSchema } from './pings.js';
import { joinSubscribers, SubscriberIndex, type Subscribers } from './subscribers.js';
import { Stamps, stamped } from './standing.js';

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
  ...settingFields,
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
  /** The last change of each part, for Undo. */
  lastChanges: lastChangesSchema.optional(),
  /** The operator's command lines, the newest first. */
  edits: z.array(editSchema).readonly().optional(),
});
export type Chat = z.infer<typeof chatSchema>;

export const chatCollection = (store: Store): Collection<Chat> => store.collection({ prefix: 'chat', schema: chatSchema, version: 1 });

export const MAX_ENTRIES = 50;

/** Chats kept with their entries; those read last stay. */
const MAX_EXPANDED = 1_000;

/** What commands use. A process that only answers has no more. */
export type CommandWatchlists = Pick<Watchlists, 'read' | 'compact' | 'addresses' | 'formerly' | 'change'>;

interface WatchlistsWhen extends When {
  /** If there is no clock, stamps follow the times of checks and entries. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

/** Opens watchlists and loads all. Rejects if one is unreadable. */
export async function openWatchlists(store: Store, when: WatchlistsWhen = {}): Promise<Watchlists> {
  const watchlists = new Watchlists(store, when);
  await watchlists.loaded;
  return watchlists;
}

/**
 * Loads watchlists in the background, and keeps all chats in memory in compact form, with an index for each question that must not scan
 * them. Until `loaded` resolves, only fetched or changed chats are known.
 */
export class Watchlists {
  readonly #documents: ChatDocuments<Chat>;
  readonly #stamps: Stamps;
  readonly #chats = new Map<Address, CompactChat<Chat>>();
  readonly #compactor = createCompactor<Chat>();
  readonly #expanded = new RecentMap<Address, Chat>(MAX_EXPANDED);
  readonly #present = new SubscriberIndex();
  readonly #away = new SubscriberIndex();
  readonly #addresses = new Addresses();
  readonly #withDigest = new Set<Address>();
  readonly #withBoard = new Set<Address>();
  readonly #moved = new Map<string, Set<Address>>();
  #count = 0;
  readonly here: Subscribers = this.#present;
  /** Subscribers including chats that are away, because their data stays. */
  readonly kept: Subscribers = joinSubscribers(this.#present, this.#away);

  constructor(store: Store, { clock, ...when }: WatchlistsWhen = {}) {
    this.#stamps = new Stamps(clock);
    this.#documents = new ChatDocuments({
      ...{ collection: chatCollection(store), name: 'watchlist', ...when },
      memory: {
        read: (address) => this.read(address),
        load: (chat) => this.#put(chat.address, chat),
        keep: (chat) => {
          this.#put(chat.address, chat);
          this.#remember(chat);
        },
        delete: (address) => this.#put(address, undefined),
      },
    });
  }

  /** Rejects if a watchlist is unreadable, because alerts would be lost. */
  get loaded(): Promise<void> {
    return this.#documents.loaded;
  }

  /** Fetches a chat's watchlist and those of its topics. Rejects if one is unreadable. */
  async fetch(address: Address): Promise<void> {
    await this.#documents.fetch(address);
  }

  onChange(listener: (chat: Address) => void): void {
    this.#documents.onChange(listener);
  }

  read(address: Address): Chat {
    const known = this.#expanded.get(address);
    if (known !== undefined) return known;
    const stored = this.#chats.get(address);
    return stored === undefined ? { address, entries: [] } : this.#remember(this.expand(stored));
  }

  /** Reads a chat with at least the wanted entries, which is cheaper in checks of many chats. */
  readOnly(address: Address, isWanted: (entry: SharedEntry) => boolean): Chat {
    const stored = this.#expanded.has(address) ? undefined : this.#chats.get(address);
    return stored === undefined ? this.read(address) : this.#compactor.expand(stored, isWanted);
  }

  /** Reads a chat without building its entries; undefined if nothing is stored. */
  compact(address: Address): CompactChat<Chat> | undefined {
    return this.#chats.get(address);
  }

  expand(chat: CompactChat<Chat>): Chat {
    return this.#compactor.expand(chat);
  }

  has(address: Address): boolean {
    return this.#chats.has(address);
  }

  /** Returns the chats that watch something and are not away. */
  all(): readonly Chat[] {
    return [...this.#chats.values()].filter(isPresent).map((chat) => this.expand(chat));
  }

  /** The number of chats in `all`, without a scan. */
  count(): number {
    return this.#count;
  }

  left(): readonly Chat[] {
    return [...this.#chats.values()].filter(({ bare }) => bare.left !== undefined).map((chat) => this.expand(chat));
  }

  /** The chats with a digest, without a scan. */
  withDigest(): Iterable<Address> {
    return this.#withDigest;
  }

  withBoard(): Iterable<Address> {
    return this.#withBoard;
  }

  addresses(): Iterable<Address> {
    return this.#chats.keys();
  }

  /** Returns the chat itself and its topics. */
  under(chat: Address): readonly Address[] {
    return this.#addresses.under(chat);
  }

  formerly(circle: string): readonly Address[] {
    return [...(this.#moved.get(circle) ?? [])];
  }

  /** Changes a chat, one change at a time; resolves when durable. With `isMove`, rules keep the times of the old address. */
  async change(address: Address, edit: (before: Chat) => Chat, { isMove = false }: { readonly isMove?: boolean } = {}): Promise<Chat> {
    return this.#documents.change(address, (before) => {
      const after = edit(before);
      return after === before || isMove ? after : stamped(before, after, this.#stamps);
    });
  }

  async forget(address: Address): Promise<void> {
    await this.#documents.forget(address);
  }

  /** Returns the time for a check that evaluates rules now: at or after every change so far, and before every later one. */
  evaluating(now: Instant): Instant {
    return this.#stamps.evaluating(now);
  }

  #remember(chat: Chat): Chat {
    this.#expanded.set(chat.address, chat);
    return chat;
  }

  #put(address: Address, chat: Chat | undefined): void {
    const before = this.#chats.get(address);
    const after = chat && this.#compactor.compact(chat);
    this.#expanded.delete(address);
    if (after === undefined) this.#chats.delete(address);
    else this.#chats.set(address, after);
    for (const entry of chat?.entries ?? []) this.#stamps.follow(entry);
    const mark = (addresses: Markable, isIn: boolean): void => void addresses[isIn ? 'add' : 'delete'](address);
    mark(this.#withDigest, chat?.digest !== undefined);
    mark(this.#withBoard, chat?.board !== undefined);
    mark(this.#addresses, after !== undefined && (isPresent(after) || after.bare.left !== undefined));
    this.#count += Number(after !== undefined && isPresent(after)) - Number(before !== undefined && isPresent(before));
    this.#present.replace(listedIf(isPresent, before), listedIf(isPresent, after));
    this.#away.replace(listedIf(isAbsent, before), listedIf(isAbsent, after));
    this.#follow(address, before?.bare.left?.movedTo, after?.bare.left?.movedTo);
  }

  #follow(address: Address, before: Address | undefined, after: Address | undefined): void {
    if (before === after) return;
    if (before !== undefined) this.#moved.get(circleOf(before))?.delete(address);
    if (after !== undefined) this.#moved.set(circleOf(after), (this.#moved.get(circleOf(after)) ?? new Set()).add(address));
  }
}

interface Markable {
  add(address: Address): unknown;
  delete(address: Address): unknown;
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

/** Returns the topics of proposals of a project that a chat follows by themselves. A mute of the project means them too. */
export const followedTopics = ({ entries }: Pick<Chat, 'entries'>, { target, kind, topic }: Mutable): readonly string[] =>
  topic !== undefined || target?.kind !== 'project' || (kind !== undefined && kind !== 'proposals')
    ? []
    : entries.flatMap((entry) =>
        entry.target.kind === 'market' && projectOfMarket(entry.target) === target.slug ? [entry.target.topic] : [],
      );

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
  muting: Chat,
  { target, kind, topic, until, now = instant(0) }: Mutable & { readonly until: Instant; readonly now?: Instant | undefined },
): Chat {
  if (topic !== undefined) return withMutedTopic(muting, topic, until, now);
  const isShorter = (one: string): boolean => (muting.mutedTopics?.[one] ?? 0) < until;
  const chat = followedTopics(muting, { target, kind })
    .filter(isShorter)
    .reduce((of, one) => withMutedTopic(of, one, until, now), muting);
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
