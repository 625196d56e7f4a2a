/** Random numbers from a hash of seed and name, so that any moment can be computed directly. Worlds of the same name share results. */
import { boundedCache, type BoundedCache } from '../../base/bounded-cache.js';

/** Returns a number in [0, 1). The same name gives the same number. */
export interface Dice {
  (...name: readonly (string | number)[]): number;
  under(first: string): Dice;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function absorb(state: number, text: string): number {
  let hash = state;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  // Separates the parts, because ("ab", "c") and ("a", "bc") must differ.
  return Math.imul(hash ^ 0xff, FNV_PRIME);
}

/** The finalizer of MurmurHash3. */
function scatter(state: number): number {
  let hash = state ^ (state >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export const dice = (seed: string): Dice => diceFrom(absorb(FNV_OFFSET, seed));

function diceFrom(start: number): Dice {
  const roll = (...name: readonly (string | number)[]): number => {
    let state = start;
    for (const part of name) state = absorb(state, String(part));
    return scatter(state) / 2 ** 32;
  };
  return Object.assign(roll, { under: (first: string) => diceFrom(absorb(start, first)) });
}

/** Maps a roll to a whole number, both bounds included. */
export const whole = (roll: number, from: number, to: number): number => from + Math.floor(roll * (to - from + 1));

/** Picks an item. The list must not be empty. */
export function pick<T>(roll: number, all: readonly T[]): T {
  const found = all[Math.floor(roll * all.length)];
  if (found === undefined) throw new Error('simulator: nothing to pick from; give at least one choice');
  return found;
}

const smooth = (part: number): number => part * part * (3 - 2 * part);

/** Returns a value in [-1, 1] that eases from one random value to the next every `period` ms. */
export function wave({ roll, name, at, period }: { roll: Dice; name: string; at: number; period: number }): number {
  const slot = Math.floor(at / period);
  const left = roll(name, slot);
  return (left + (roll(name, slot + 1) - left) * smooth(at / period - slot)) * 2 - 1;
}

interface Named {
  readonly name: string;
}

const NAMES = 4;

export function byNature<T>(size: number): (world: Named) => BoundedCache<T> {
  const names = boundedCache<BoundedCache<T>>(NAMES);
  return ({ name }) => names(name, () => boundedCache<T>(size));
}

/** Makes a cache. Worlds share natural results; results with injected facts belong to one world. */
export function layered<T>(size: number): (world: Named) => (isNatural: boolean) => BoundedCache<T> {
  const shared = byNature<T>(size);
  return (world) => {
    const [nature, own] = [shared(world), boundedCache<T>(size)];
    return (isNatural) => (isNatural ? nature : own);
  };
}
