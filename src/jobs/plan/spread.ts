/**
 * Check intervals under a budget of calls: those with the least expected waiting, weighted, which grow with the root of cost over weight between a
 * floor and a ceiling (decision 8 has the derivation). Pure.
 */

export interface Load {
  readonly key: string;
  /** Calls that one check costs; above 0. */
  readonly cost: number;
  /** What a moment of waiting costs; above 0. Only the proportions matter. */
  readonly weight: number;
  /** The shortest and longest interval, in milliseconds; `floor` above 0. */
  readonly floor: number;
  readonly ceiling: number;
}

export interface Spread {
  /** Milliseconds between two checks, by key. */
  readonly intervals: ReadonlyMap<string, number>;
  /** How many times longer than asked for the ceilings had to become; 1 where the calls suffice. */
  readonly stretch: number;
}

/** Ceilings may take up this part of the calls; where they would need more, they are lengthened, so that stakes still count. */
const CEILING_PART = 0.75;

/** The intervals for `rate` calls a millisecond. With none to spend they are infinite. */
export function spread(wanted: readonly Load[], rate: number): Spread {
  if (!(rate > 0))
    return { intervals: new Map(wanted.map(({ key }) => [key, Number.POSITIVE_INFINITY])), stretch: Number.POSITIVE_INFINITY };
  const stretch = Math.max(1, spent(wanted, ({ ceiling }) => ceiling) / (rate * CEILING_PART));
  const loads = wanted.map((load) => ({ ...load, ceiling: Math.max(load.floor, load.ceiling * stretch) }));
  const level = levelFor(loads, rate);
  return { intervals: new Map(loads.map((load) => [load.key, at(load, level)])), stretch };
}

/** Calls a millisecond when each is looked at in its interval. */
const spent = (loads: readonly Load[], interval: (load: Load) => number): number =>
  loads.reduce((total, load) => total + load.cost / interval(load), 0);

const rootOf = ({ cost, weight }: Load): number => Math.sqrt(cost / weight);

const at = (load: Load, level: number): number => Math.min(load.ceiling, Math.max(load.floor, level * rootOf(load)));

/** Halvings of the range of levels; more would change no interval by a millisecond. */
const HALVINGS = 60;

/** The lowest level at which no more than `rate` is spent: 0 where everything can stay at its floor. */
function levelFor(loads: readonly Load[], rate: number): number {
  const fits = (level: number): boolean => spent(loads, (load) => at(load, level)) <= rate;
  if (fits(0)) return 0;
  let low = 0;
  // Here everything is at its ceiling, which the calls allow.
  let high = Math.max(...loads.map((load) => load.ceiling / rootOf(load)));
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}
