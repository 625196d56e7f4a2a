/** Addresses and signatures of the simulated chain, derived from what they stand for. */
import { createHash } from 'node:crypto';
import { remember } from '../../base/remember.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = ALPHABET.charAt(Number(rest % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(Math.max(0, zeros)) + text;
}

export interface Keys {
  /** 32 bytes in base58: a mint, a launch, a proposal, a wallet. */
  address(...name: readonly (string | number)[]): string;
  /** The shape of a transaction hash: 87 base58 characters, which always fit 64 bytes. */
  signature(...name: readonly (string | number)[]): string;
}

function signatureOf(text: string): string {
  const bytes = [0, 1].flatMap((half) => [...createHash('sha512').update(`${half}${text}`).digest()]);
  return bytes
    .slice(0, 87)
    .map((byte, index) => ALPHABET.charAt(index === 0 ? 1 + (byte % 57) : byte % 58))
    .join('');
}

const addresses = remember<string>(20_000);
const signatures = remember<string>(5_000);

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
