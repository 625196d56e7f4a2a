/**
 * How often to look at each of many things when looks cost calls and calls are few. Pure.
 *
 * Changes come at moments nobody knows, so a thing that is looked at every T waits T/2 for its news to be seen, on average. With a weight w for
 * what a moment of waiting costs there, a cost c in calls for a look, and R calls to spend in a unit of time, the intervals wanted are those that
 *
 *     minimise  sum w_i * T_i / 2    subject to    sum c_i / T_i <= R,    floor_i <= T_i <= ceiling_i .
 *
 * Without the bounds, setting the derivative of  sum w_i T_i / 2 + m * (sum c_i / T_i - R)  to nothing gives  w_i / 2 = m c_i / T_i^2 , hence
 *
 *     T_i = u * sqrt(c_i / w_i)    with one  u = sqrt(2 m)  for all:
 *
 * four times the weight is looked at twice as often. The problem is convex (in 1/T_i), so with the bounds the conditions of Karush, Kuhn and Tucker
 * decide: T_i = clamp(u * sqrt(c_i / w_i), floor_i, ceiling_i), and u is the one level at which the calls are just spent. What is spent falls as u
 * rises, piece by piece as A + B / u, so u is found exactly by going through the levels at which a thing leaves its floor or reaches its ceiling,
 * which is water-filling: S. Boyd and L. Vandenberghe, Convex Optimization (2004), section 5.5.3 and example 5.2. The square root is the one
 * of J. Cho and H. Garcia-Molina, Effective Page Refresh Policies for Web Crawlers, ACM TODS 28 (2003), for age as the measure.
 */

export interface Load {
  readonly key: string;
  /** Calls a look costs; above 0. */
  readonly cost: number;
  /** What a moment of waiting costs; above 0. Only the proportions matter. */
  readonly weight: number;
  /** The shortest and longest interval, in milliseconds; `floor` above 0. */
  readonly floor: number;
  readonly ceiling: number;
}

export interface Spread {
  /** Milliseconds between two looks, by key. */
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

/** The lowest level at which no more than `rate` is spent: 0 where everything can stay at its floor. */
function levelFor(loads: readonly Load[], rate: number): number {
  let fixed = spent(loads, ({ floor }) => floor);
  if (fixed <= rate) return 0;
  /** The sum of c_i / sqrt(c_i / w_i) over what is between its bounds: it spends `free / level`. */
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
  // Where the last step was the end, all stand at their ceilings, which the calls were made to allow.
  return free > 0 && rate > fixed ? free / (rate - fixed) : (steps.at(-1)?.level ?? 0);
}
