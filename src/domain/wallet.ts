/** A wallet by its public key: 32 bytes, written in base58. It is checked before anything is asked about it. */
import bs58 from 'bs58';
import { z } from 'zod';

const BYTES = 32;
/** 32 bytes never take more characters; decoding takes time with the square of the length, so longer text is not decoded. */
const LONGEST = 44;
/** Shorter text is a name, not a public key that lost its end. */
const SHORTEST_GUESS = 26;

/** What stands in the way of a text being a public key, as words that follow "That is not a wallet address: "; undefined where nothing does. */
export function keyFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length > LONGEST) return `${text.length} characters, at most ${LONGEST} are possible`;
  const bytes = bs58.decodeUnsafe(text);
  if (bytes === undefined) {
    const strange = [...text].find((character) => bs58.decodeUnsafe(character) === undefined);
    return `“${strange ?? text}” does not occur in one`;
  }
  return bytes.length === BYTES ? undefined : `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}, ${BYTES} needed`;
}

const publicKey = z.string().refine((text) => keyFault(text) === undefined, 'not 32 bytes of base58');

/** The public key of a wallet. */
export const walletAddressSchema = publicKey.brand<'WalletAddress'>();
export type WalletAddress = z.infer<typeof walletAddressSchema>;

/** Throws on what is no public key. */
export const walletAddress = (text: string): WalletAddress => walletAddressSchema.parse(text);

/** The public key of a proposal or a token's mint: the same form as a wallet's. */
export const publicKeySchema = publicKey;

/** Whether someone who wrote this meant a public key, be it a whole one or not: one long word of letters and digits. */
export const looksLikeKey = (text: string): boolean => text.length >= SHORTEST_GUESS && /^[A-Za-z0-9]+$/u.test(text);

/** "7Hq2…x9Pd": enough to know it again by. */
export const shortKey = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
