/** Secrets that the bot hands out once, such as API keys and addresses of feeds. Only their hashes are stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** The redactor recognises these prefixes, so a token cannot reach the log even where nobody expected it. */
export const API_KEY_PREFIX = 'nwk';
export const FEED_PREFIX = 'nwf';

export const newToken = (prefix: string, id: string): string => `${prefix}_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** It is hex, so that it can be a key of a document. A token has 256 random bits, so a slow hash would protect nothing. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The time that it takes reveals nothing of either hash. */
export const isSameHash = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};
