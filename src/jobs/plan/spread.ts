/**
 * Intervals that minimise the weighted wait within a call rate: clamp(u · √(cost/weight), floor, ceiling). Derivation:
 * docs/decisions/0008-a-planned-budget.md. Pure.
 */

export interface Load {
  readonly key: string;
  /** Calls per check; above 0. */
  readonly cost: number;
  /** Above 0. Only ratios matter. */
  readonly weight: number;
  /** In milliseconds; above 0. */
  readonly floor: number;
  readonly ceiling: number;
}

export interface Spread {
  /** Milliseconds, by key. */
  readonly intervals: ReadonlyMap<string, number>;
  /** Growth factor of the ceilings. */
  readonly stretch: number;
}

/** Calls that ceilings may take; beyond it they grow. */
const CEILING_PART = 0.75;

/** `rate`: calls per millisecond; 0 gives infinite intervals. */
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

/** The smallest u within `rate`: 0 if all stay at their floor. */
function levelFor(loads: readonly Load[], rate: number): number {
  let fixed = spent(loads, ({ floor }) => floor);
  if (fixed <= rate) return 0;
  /** Σ √(cost·weight) between the bounds; spends `free / level`. */
  let free = 0;
  const steps = loads
    .flatMap((load) => {
      const [leaves, arrives] = [load.floor / rootOf(load), load.ceiling / rootOf(load)];
      return [
        { level: leaves, fixed: -load.cost / load.floor, free: load.cost / rootOf(load) },
        { level: arrives, fixed: load.cost / load.ceiling, free: -load.cost / rootOf(load) },
      ];
    })
    .toSorted((a, b) => a.level - b.level);
  for (const step of steps) {
    if (fixed + free / step.level <= rate) break;
    fixed += step.fixed;
    free += step.free;
  }
  // After the last step all are at their ceilings, which the rate allows.
  return free > 0 && rate > fixed ? free / (rate - fixed) : (steps.at(-1)?.level ?? 0);
}
