/** The port for the secret URLs of a chat's calendar and Atom feed. */
import type { Address } from './address.js';
import type { Instant } from '../domain/scalars.js';

export const FEED_KINDS = ['calendar', 'alerts'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export interface FeedAddresses {
  /** False without PUBLIC_URL, because nobody could open a URL. */
  readonly isPublic: boolean;
  /** Returns when each existing URL was created. */
  read(chat: Address): Readonly<Partial<Record<FeedKind, Instant>>>;
  /** Replaces the URL of this kind and resolves with the new one, which is not shown again; with undefined without PUBLIC_URL. */
  create(chat: Address, kind: FeedKind): Promise<string | undefined>;
  /** Revokes the URL and tells whether there was one. */
  revoke(chat: Address, kind: FeedKind): Promise<boolean>;
}
