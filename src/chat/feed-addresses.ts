/** This port gives a chat the secret addresses of its calendar and of its Atom feed. */
import type { Address } from './address.js';
import type { Instant } from '../domain/scalars.js';

export const FEED_KINDS = ['calendar', 'alerts'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export interface FeedAddresses {
  /** Without the setting PUBLIC_URL nobody could open an address. */
  readonly isPublic: boolean;
  /** It gives when each address was made, and is without those that do not exist. */
  read(chat: Address): Readonly<Partial<Record<FeedKind, Instant>>>;
  /** It replaces the address of that kind, and resolves with the new one, which is not shown again. It is undefined without a public address. */
  create(chat: Address, kind: FeedKind): Promise<string | undefined>;
  /** It tells whether there was one. */
  revoke(chat: Address, kind: FeedKind): Promise<boolean>;
}
