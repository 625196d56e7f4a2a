/** Seeded randomness: one seed, one run, on every machine. */

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(all: readonly T[]): T;
}

/** Mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (all) => {
      const one = all[whole(0, all.length - 1)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
  };
}
