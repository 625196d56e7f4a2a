/** The inputs of a world: dice, addresses, pace, facts, start dates, and injected changes, which multiply or replace natural values. */
import { createHash } from 'node:crypto';
import { boundedCache } from '../../base/bounded-cache.js';
import { DAY, HOUR, MINUTE, instant, later, type Instant } from '../../base/clock.js';
import { CAST, type Character } from './invented-projects.js';
import { dice, whole, type Dice, byNature } from './seeded-random.js';
import { factsOf, type Fact, type Facts } from './injected-facts.js';
import { exactly } from './amounts.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The number of digits in a chunk, so that it fits a double. */
const CHUNK = 9;
const CHUNK_SIZE = 58n ** BigInt(CHUNK);

function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= CHUNK_SIZE) {
    let part = Number(rest % CHUNK_SIZE);
    // All chunks but the most significant one have leading zeros.
    for (let digit = 0; rest >= CHUNK_SIZE ? digit < CHUNK : part > 0; digit += 1) {
      text = ALPHABET.charAt(part % 58) + text;
      part = Math.floor(part / 58);
    }
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(Math.max(0, zeros)) + text;
}

export interface Keys {
  /** An address is 32 bytes in base58. */
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

export interface WorldScene {
  /** Worlds with the same name share natural results. */
  readonly name: string;
  readonly roll: Dice;
  readonly keys: Keys;
  /** Multiplies the frequency of fast projects' events: 2 doubles it. */
  readonly pace: number;
  readonly facts: Facts;
}

export function scene({
  seed,
  pace,
  facts = () => [],
}: {
  readonly seed: string;
  readonly pace: number;
  readonly facts?: Facts;
}): WorldScene {
  if (!(pace > 0 && pace <= MAX_PACE))
    throw new Error(`simulator: a pace of ${pace} is not possible; choose a number above 0 and up to ${MAX_PACE}`);
  return { name: JSON.stringify([seed, pace]), roll: dice(seed), keys: keys(seed), pace, facts };
}

const MAX_PACE = 20;

/** Slots count from this moment, whenever the process starts. */
export const EPOCH: Instant = instant(Date.UTC(2025, 0, 1));

const PLACES = new Map(CAST.map((who, index) => [who.slug, index]));
export const findCharacter = (slug: string): Character | undefined => CAST[PLACES.get(slug) ?? -1];
const place = (slug: string): number => PLACES.get(slug) ?? CAST.length;

const births = byNature<Instant>(64);

export const bornAt = (world: WorldScene, who: Character): Instant =>
  births(world)(who.slug, () => later(instant(Date.parse(who.born)), whole(world.roll(who.slug, 'born'), 0, 20) * DAY + 14 * HOUR));

const ends = new Map(CAST.flatMap(({ slug, ended }) => (ended ? [[slug, instant(Date.parse(ended.on) + 11 * HOUR)] as const] : [])));

export const endedAt = (who: Character): Instant | undefined => ends.get(who.slug);

export const mintOf = ({ keys: chain }: WorldScene, slug: string): string => chain.address('mint', slug);

/** Returns milliseconds, a whole number of seconds. */
export const fastMinutes = ({ pace }: WorldScene, minutes: number): number =>
  Math.max(1_000, Math.round((minutes * MINUTE) / pace / 1_000) * 1_000);

export const slotOf = (at: number, length: number): number => Math.floor((at - EPOCH) / length);
export const slotStart = (slot: number, length: number): Instant => instant(EPOCH + slot * length);

/** The number of ids for each second: even ones for 32 projects, odd ones for injected rows. */
const ROOM = 64;

export const numberAt = (slug: string, at: number): number => Math.floor((at - EPOCH) / 1_000) * ROOM + place(slug) * 2;
export const numbered = (id: number): Character | undefined => CAST[(id % ROOM) / 2];
export const wholeSeconds = (at: number): Instant => instant(Math.floor(at / 1_000) * 1_000);

type Push = Extract<Fact, { kind: 'price' | 'nav' | 'allowance' }>;

function pushes<K extends Push['kind']>(
  world: WorldScene,
  kind: K,
  { slug }: Character,
  at: Instant,
): readonly Extract<Push, { kind: K }>[] {
  const all: readonly Push[] = factsOf(world.facts(), kind);
  // The common case is fast, because this is called for every chart point.
  if (all.length === 0) return [];
  return all
    .filter((one): one is Extract<Push, { kind: K }> => one.kind === kind && one.slug === slug && one.at <= at)
    .toSorted((a, b) => a.at - b.at);
}

/** The factor of the natural price. The last change applies. */
export const priceFactor = (world: WorldScene, who: Character, at: Instant): string =>
  pushes(world, 'price', who, at).at(-1)?.factor ?? '1';

/** The factor of the natural treasury. Changes accumulate. */
export const holdingsFactor = (world: WorldScene, who: Character, at: Instant): string =>
  productOf(pushes(world, 'nav', who, at).map(({ factor }) => factor));

const productOf = (factors: readonly string[]): string =>
  factors.length === 0 ? '1' : factors.reduce((product, factor) => product.times(factor), exactly(1)).toFixed();

export const isPricePushed = (world: WorldScene, { slug }: Character): boolean =>
  factsOf(world.facts(), 'price').some((one) => one.slug === slug);

/** The injected allowance in USD per month. */
export const pushedAllowance = (world: WorldScene, who: Character, at: Instant): string | undefined =>
  pushes(world, 'allowance', who, at).at(-1)?.usd;
