/** Addresses and signatures, derived from names. */
import { createHash } from 'node:crypto';
import { boundedCache } from '../../base/bounded-cache.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Digits that fit a double. */
const CHUNK = 9;
const CHUNK_SIZE = 58n ** BigInt(CHUNK);

function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= CHUNK_SIZE) {
    let part = Number(rest % CHUNK_SIZE);
    // Only the most significant chunk has no leading zeros.
    for (let digit = 0; rest >= CHUNK_SIZE ? digit < CHUNK : part > 0; digit += 1) {
      text = ALPHABET.charAt(part % 58) + text;
      part = Math.floor(part / 58);
    }
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(Math.max(0, zeros)) + text;
}

export interface Keys {
  /** 32 bytes in base58. */
  address(...name: readonly (string | number)[]): string;
  signature(...name: readonly (string | number)[]): string;
}

function signatureOf(text: string): string {
  const bytes = Buffer.concat([0, 1].map((half) => createHash('sha512').update(`${half}${text}`).digest())).subarray(0, 87);
  let signature = '';
  for (const byte of bytes) signature += ALPHABET.charAt(signature === '' ? 1 + (byte % 57) : byte % 58);
  return signature;
}

const addresses = boundedCache<string>(20_000);
const signatures = boundedCache<string>(5_000);

export function keys(seed: string): Keys {
  return {
    address(...name) {
      const text = JSON.stringify([seed, ...name]);
      return addresses(text, () => base58(createHash('sha256').update(text).digest()));
    },
    signature(...name) {
      const text = JSON.stringify([seed, 'signature', ...name]);
      return signatures(text, () => signatureOf(text));
    },
  };
}
