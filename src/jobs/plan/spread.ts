/**
 * Check intervals that minimise the weighted wait for events within a call rate: clamp(u · √(cost/weight), floor, ceiling), with one u
 * for all, found exactly. Derivation: docs/decisions/0008-a-planned-budget.md. Pure.
 */

export interface Load {
  readonly key: string;
  /** Calls per check; above 0. */
  readonly cost: number;
  /** Cost of a unit of waiting; above 0. Only ratios matter. */
  readonly weight: number;
  /** Bounds of the interval in milliseconds; `floor` above 0. */
  readonly floor: number;
  readonly ceiling: number;
}

export interface Spread {
  /** Milliseconds, by key. */
  readonly intervals: ReadonlyMap<string, number>;
  /** The factor by which ceilings had to grow; 1 if the calls suffice. */
  readonly stretch: number;
}

/** The part of the calls that ceilings may take. Beyond it they grow, so that weights still matter. */
const CEILING_PART = 0.75;

/** `rate`: calls per millisecond. Without any, intervals are infinite. */
export function spread(wanted: readonly Load[], rate: number): Spread {
  if (!(rate > 0))
    return { intervals: new Map(wanted.map(({ key }) => [key, Number.POSITIVE_INFINITY])), stretch: Number.POSITIVE_INFINITY };
  const stretch = Math.max(1, spent(wanted, ({ ceiling }) => ceiling) / (rate * CEILING_PART));
  const loads = wanted.map((load) => ({ ...load, ceiling: Math.max(load.floor, load.ceiling * stretch) }));
  const level = levelFor(loads, rate);
  return { intervals: new Map(loads.map((load) => [load.key, at(load, level)])), stretch };
}

/** Calls per millisecond at these intervals. */
const spent = (loads: readonly Load[], interval: (load: Load) => number): number =>
  loads.reduce((total, load) => total + load.cost / interval(load), 0);

const rootOf = ({ cost, weight }: Load): number => Math.sqrt(cost / weight);

const at = (load: Load, level: number): number => Math.min(load.ceiling, Math.max(load.floor, level * rootOf(load)));

/** The smallest u that spends at most `rate`: 0 if all can stay at their floor. */
function levelFor(loads: readonly Load[], rate: number): number {
  let fixed = spent(loads, ({ floor }) => floor);
  if (fixed <= rate) return 0;
  /** Sum of √(cost·weight) of the loads between their bounds; they spend `free / level`. */
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
