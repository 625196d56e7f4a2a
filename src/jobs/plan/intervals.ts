/**
 * This module chooses intervals that minimise the weighted wait at a given request rate (docs/decisions/0008-a-planned-budget.md). It is
 * pure.
 */

export interface Load {
  readonly key: string;
  /** Requests per check; above 0. */
  readonly cost: number;
  /** Above 0. Only ratios of weights matter. */
  readonly weight: number;
  /** Minimum interval in ms; above 0. */
  readonly floor: number;
  readonly ceiling: number;
}

export interface Spread {
  /** Intervals in ms, by key. */
  readonly intervals: ReadonlyMap<string, number>;
  /** Factor by which the ceilings grow. */
  readonly stretch: number;
}

/** Ceilings grow once the checks need more than this part of the rate. */
const CEILING_PART = 0.75;

/** Returns intervals for `rate` requests per ms. A rate of 0 gives infinite intervals. */
export function spread(wanted: readonly Load[], rate: number): Spread {
  if (!(rate > 0))
    return { intervals: new Map(wanted.map(({ key }) => [key, Number.POSITIVE_INFINITY])), stretch: Number.POSITIVE_INFINITY };
  const stretch = Math.max(1, spent(wanted, ({ ceiling }) => ceiling) / (rate * CEILING_PART));
  const loads = wanted.map((load) => ({ ...load, ceiling: Math.max(load.floor, load.ceiling * stretch) }));
  const level = levelFor(loads, rate);
  return { intervals: new Map(loads.map((load) => [load.key, at(load, level)])), stretch };
}

const spent = (loads: readonly Load[], interval: (load: Load) => number): number =>
  loads.reduce((total, load) => total + load.cost / interval(load), 0);

const rootOf = ({ cost, weight }: Load): number => Math.sqrt(cost / weight);

const at = (load: Load, level: number): number => Math.min(load.ceiling, Math.max(load.floor, level * rootOf(load)));

const HALVINGS = 60;

/** Finds the level at which the loads spend the rate; 0 if all can stay at their floor. */
function levelFor(loads: readonly Load[], rate: number): number {
  const fits = (level: number): boolean => spent(loads, (load) => at(load, level)) <= rate;
  if (fits(0)) return 0;
  let low = 0;
  // At this level all loads are at their ceilings, which the rate allows.
  let high = Math.max(...loads.map((load) => load.ceiling / rootOf(load)));
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}
