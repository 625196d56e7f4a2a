/** Makes tokens that the bot shows once, such as API keys and feed addresses. Only their hashes are stored. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** The redactor recognises tokens by these prefixes. */
export const API_KEY_PREFIX = 'nwk';
export const FEED_PREFIX = 'nwf';

export const newToken = (prefix: string, id: string): string => `${prefix}_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** Returns hex, which is valid as a document key. A fast hash is enough, because a token has 256 random bits. */
export const hashOf = (token: string): string => hash('sha256', token, 'hex');

/** Compares hashes in constant time. */
export const isSameHash = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};
