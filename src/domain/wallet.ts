/** Validates addresses of wallets before any request (32 bytes in base58), and describes the refresh of a wallet's snapshot. */
import bs58 from 'bs58';
import { z } from 'zod';
import type { Instant } from './scalars.js';

const BYTES = 32;
/** The value is in characters. Longer text is not decoded, because decoding takes quadratic time. */
const MAX_LENGTH = 44;
/** The value is in characters. Shorter text is taken for a name. */
const MIN_GUESS = 26;

/** Says what is wrong with an address, to follow "That is not a wallet address: "; undefined for a valid one. */
export function keyFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length > MAX_LENGTH) return `${text.length} characters, at most ${MAX_LENGTH} are possible`;
  const bytes = bs58.decodeUnsafe(text);
  if (bytes === undefined) {
    const strange = [...text].find((character) => bs58.decodeUnsafe(character) === undefined);
    return `"${strange ?? text}" does not occur in one`;
  }
  return bytes.length === BYTES ? undefined : `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}, ${BYTES} needed`;
}

const publicKey = z.string().refine((text) => keyFault(text) === undefined, 'not 32 bytes of base58');

export const walletAddressSchema = publicKey.brand<'WalletAddress'>();
export type WalletAddress = z.infer<typeof walletAddressSchema>;

/** Throws for an invalid address. */
export const walletAddress = (text: string): WalletAddress => walletAddressSchema.parse(text);

export const publicKeySchema = publicKey;

export const looksLikeKey = (text: string): boolean => text.length >= MIN_GUESS && /^[A-Za-z0-9]+$/u.test(text);

/** Returns "7Hq2…x9Pd". */
export const shortKey = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;

/** The progress as far as the service reports it. */
export interface RefreshProgress {
  readonly tokens?: number | undefined;
  readonly tokensDone?: number | undefined;
  readonly transactions?: number | undefined;
  /** Accounts that earlier attempts had finished. */
  readonly resumed: number;
}

export type Pause =
  | 'limited'
  /** The service asked for a pause without stating a time. */
  | 'untold'
  | 'failed'
  | 'given-up';

export type RefreshEnd =
  | { readonly kind: 'refreshed'; readonly snapshotAt: Instant | undefined; readonly incomplete: number }
  | { readonly kind: 'wait'; readonly until: Instant; readonly because: Pause }
  /** `says` is the service's own sentence. */
  | { readonly kind: 'failed'; readonly says: string | undefined; readonly until: Instant }
  | { readonly kind: 'given-up'; readonly after: number; readonly until: Instant }
  | { readonly kind: 'going-on' };

/** What is known of a wallet's refresh without a request. */
export interface RefreshStanding {
  readonly snapshotAt: Instant | undefined;
  readonly running: boolean;
  readonly pause: { readonly until: Instant; readonly because: Pause } | undefined;
  /** Accounts that the last refresh did not finish. */
  readonly incomplete: number;
}
