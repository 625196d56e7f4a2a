/** The port through which the API, MCP, calendars and feeds read what the bot knows of chats. */
import type { Address } from './address.js';
import type { DeliveredEvent } from './notifier.js';
import type { Correction } from '../domain/event.js';
import type { Instant } from '../domain/scalars.js';

/** What an entry alerts to, written as in the watchlist file: kinds that differ from the preset, rules, and mutes with their ends. */
interface WrittenChoices {
  readonly on?: readonly string[] | undefined;
  readonly silent?: readonly string[] | undefined;
  readonly off?: readonly string[] | undefined;
  /** A rule that has no text is an object. */
  readonly rules?: readonly (string | Readonly<Record<string, unknown>>)[] | undefined;
  readonly mutedUntil?: string | undefined;
  readonly mutedKinds?: Readonly<Record<string, string>> | undefined;
}

/** How a project differs from the entry for all projects. */
interface WrittenException extends WrittenChoices {
  readonly project: string;
  readonly excluded?: true | undefined;
}

export interface WrittenEntry extends WrittenChoices {
  readonly maxAgeHours?: number | undefined;
  readonly mentions?: readonly string[] | undefined;
  readonly exceptions?: readonly WrittenException[] | undefined;
}

export interface WrittenSettings {
  readonly quiet?: { readonly from: string; readonly to: string } | undefined;
  readonly mutedUntil?: string | undefined;
  readonly mutedKinds?: Readonly<Record<string, string>> | undefined;
  readonly mutedTopics?: Readonly<Record<string, string>> | undefined;
}

export interface WatchedEntry extends WrittenEntry {
  /** A slug, a public key, `all` or `launches`. */
  readonly target: string;
  readonly kind: 'project' | 'wallet' | 'market' | 'all' | 'launches' | 'screen';
  readonly label?: string | undefined;
  readonly preset: string;
  readonly since: Instant;
}

export interface WatchedChat extends WrittenSettings {
  readonly chat: Address;
  readonly timezone?: string | undefined;
  /** The bot cannot post there, such as in a disabled webhook endpoint. */
  readonly away?: { readonly since: Instant; readonly because: string } | undefined;
  readonly entries: readonly WatchedEntry[];
}

/** An event of an alert that the chat got, with its correction if there is one. */
export interface SentAlert {
  readonly event: DeliveredEvent;
  /** The id of the delivery that reported the event. */
  readonly delivery: string;
  readonly sentAt: Instant;
  readonly correction?: { readonly correction: Correction; readonly at: Instant } | undefined;
}

export interface AlertQuery {
  readonly project?: string | undefined;
  readonly kind?: string | undefined;
  /** Only alerts sent after this moment. */
  readonly since?: Instant | undefined;
  /** Only alerts after this one in the list, which is newest first. If it no longer exists, its time counts. */
  readonly before?: { readonly at: Instant; readonly id: string } | undefined;
  readonly limit: number;
}

/** A filter that names nothing known, with the nearest names. */
export interface UnknownFilter {
  readonly unknown: 'project' | 'kind';
  readonly nearest: readonly string[];
}

export const MOMENT_KINDS = ['market-start', 'market-end', 'twap', 'launch-end', 'cliff', 'unlock'] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

/** Something that is due at a known time. */
export interface Moment {
  /** Stays the same when the time changes. */
  readonly id: string;
  readonly kind: MomentKind;
  readonly title: string;
  readonly project?: string | undefined;
  readonly at: Instant;
  /** The end of a window. */
  readonly until?: Instant | undefined;
  readonly says: string;
  readonly url?: string | undefined;
}

/** What is due for a chat. For ids that could not be read, absence means nothing. */
export interface DatesAhead {
  readonly moments: readonly Moment[];
  readonly isUnread: (id: string) => boolean;
  /** True if later dates may exist that are not stored. */
  readonly isCut: boolean;
}

export interface ChatData {
  /** Returns the chat's present address; undefined if there is no such chat. */
  present(chat: Address): Address | undefined;
  /** Returns the addresses that the chat had before. */
  formerly(chat: Address): readonly Address[];
  /** Returns the chats that watch something, ordered by address. */
  chats(): readonly Address[];
  watched(chat: Address): WatchedChat;
  /** Returns alerts, the newest first. */
  alerts(chat: Address, query: AlertQuery): Promise<{ readonly alerts: readonly SentAlert[]; readonly hasMore: boolean }>;
  /** Resolves the filters. A project may be written as its slug, symbol or name. */
  filters(chat: Address, written: Pick<AlertQuery, 'project' | 'kind'>): Promise<Pick<AlertQuery, 'project' | 'kind'> | UnknownFilter>;
  moments(chat: Address): Promise<DatesAhead>;
}
