/** This port gives programs what the bot knows of chats: the API, MCP, calendars and feeds read it. */
import type { Address } from './address.js';
import type { DeliveredEvent } from './notifier.js';
import type { Correction } from '../domain/event.js';
import type { Instant } from '../domain/scalars.js';

export interface WatchedEntry {
  /** It is a slug, a public key, `all` or `launches`. */
  readonly target: string;
  readonly kind: 'project' | 'wallet' | 'market' | 'all' | 'launches' | 'screen';
  readonly label?: string | undefined;
  readonly preset: string;
  readonly since: Instant;
  readonly mutedUntil?: Instant | undefined;
}

export interface WatchedChat {
  readonly chat: Address;
  readonly timezone?: string | undefined;
  readonly mutedUntil?: Instant | undefined;
  readonly entries: readonly WatchedEntry[];
}

/** An event that a chat was alerted to, with the correction that it got since. */
export interface SentAlert {
  readonly event: DeliveredEvent;
  /** It is the message of the chat. */
  readonly delivery: string;
  readonly sentAt: Instant;
  readonly correction?: { readonly correction: Correction; readonly at: Instant } | undefined;
}

export interface AlertQuery {
  readonly project?: string | undefined;
  readonly kind?: string | undefined;
  /** Alerts sent after this moment. */
  readonly since?: Instant | undefined;
  /** Alerts before this one in the list; an alert that is gone counts by its time. */
  readonly before?: { readonly at: Instant; readonly id: string } | undefined;
  readonly limit: number;
}

/** A filter that names nothing, and what was probably meant. */
export interface UnknownFilter {
  readonly unknown: 'project' | 'kind';
  readonly nearest: readonly string[];
}

export const MOMENT_KINDS = ['market-start', 'market-end', 'twap', 'launch-end', 'cliff', 'unlock'] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

/** Something that is due at a known time. */
export interface Moment {
  /** It stays the same when the time moves. */
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

/** What is due for a chat, and which ids could not be read, so that their absence means nothing. */
export interface DatesAhead {
  readonly moments: readonly Moment[];
  readonly isUnread: (id: string) => boolean;
  /** Later dates may exist that are not kept. */
  readonly isCut: boolean;
}

export interface ChatData {
  /** The chat's present address, or undefined where there is no such chat. */
  present(chat: Address): Address | undefined;
  /** Addresses that the chat had before. */
  formerly(chat: Address): readonly Address[];
  /** Chats that watch something, by address. */
  chats(): readonly Address[];
  watched(chat: Address): WatchedChat;
  /** The newest comes first. */
  alerts(chat: Address, query: AlertQuery): Promise<{ readonly alerts: readonly SentAlert[]; readonly hasMore: boolean }>;
  /** A project may be written as its slug, symbol or name. */
  filters(chat: Address, written: Pick<AlertQuery, 'project' | 'kind'>): Promise<Pick<AlertQuery, 'project' | 'kind'> | UnknownFilter>;
  moments(chat: Address): Promise<DatesAhead>;
}
