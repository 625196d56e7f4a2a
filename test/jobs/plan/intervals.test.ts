import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spread, type Load } from '../../../src/jobs/plan/intervals.js';
import { runs } from '../../support/properties.js';

const amount = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const load = fc.record({ cost: amount(0.25, 10), weight: amount(0.01, 1_000), floor: amount(1, 100), span: amount(1, 1_000) });
const loads = fc
  .array(load, { minLength: 1, maxLength: 40 })
  .map((all) =>
    all.map(({ cost, weight, floor, span }, index): Load => ({ key: `k${index}`, cost, weight, floor, ceiling: floor * span })),
  );
/** From far too little to more than can be used. */
const rates = fc.double({ min: -8, max: 4, noNaN: true }).map((exponent) => Math.exp(exponent));

const intervalOf = (intervals: ReadonlyMap<string, number>, key: string): number => intervals.get(key) ?? Number.NaN;
const spentBy = (all: readonly Load[], intervals: ReadonlyMap<string, number>): number =>
  all.reduce((total, { key, cost }) => total + cost / intervalOf(intervals, key), 0);
const waitOf = (all: readonly Load[], intervals: ReadonlyMap<string, number>): number =>
  all.reduce((total, { key, weight }) => total + (weight * intervalOf(intervals, key)) / 2, 0);
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-12);

test('it never spends more than there is, and checks nothing more often than the floor', () => {
  fc.assert(
    fc.property(loads, rates, (all, rate) => {
      const { intervals } = spread(all, rate);
      expect(spentBy(all, intervals)).toBeLessThanOrEqual(rate * (1 + 1e-9));
      expect(all.filter(({ key, floor }) => intervalOf(intervals, key) < floor)).toEqual([]);
    }),
  );
});

test('nothing waits longer than its ceiling, which is lengthened for all alike only where the calls do not suffice', () => {
  fc.assert(
    fc.property(loads, rates, (all, rate) => {
      const { intervals, stretch } = spread(all, rate);
      const late = all.filter(({ key, ceiling }) => intervalOf(intervals, key) > ceiling * stretch * (1 + 1e-9));
      expect(late).toEqual([]);
      const atCeilings = all.reduce((total, { cost, ceiling }) => total + cost / ceiling, 0);
      expect(stretch === 1).toBe(atCeilings <= rate * 0.75);
    }),
  );
});

test('whatever is not at a bound follows one square-root law, and what is spent is all there is', () => {
  fc.assert(
    fc.property(loads, rates, (all, rate) => {
      const { intervals, stretch } = spread(all, rate);
      const free = all.filter(({ key, floor, ceiling }) => {
        const interval = intervalOf(intervals, key);
        return !near(interval, floor) && !near(interval, Math.max(floor, ceiling * stretch));
      });
      const levels = free.map(({ key, cost, weight }) => intervalOf(intervals, key) / Math.sqrt(cost / weight));
      expect(levels.filter((level) => Math.abs(level / (levels[0] ?? level) - 1) > 1e-9)).toEqual([]);
      const isSpent = Math.abs(spentBy(all, intervals) - rate) <= 1e-9 * rate;
      expect(free.length === 0 || isSpent).toBe(true);
    }),
  );
});

test('no other way to spend as much leaves less waiting', () => {
  fc.assert(
    fc.property(loads, rates, fc.array(amount(0.5, 2), { minLength: 40, maxLength: 40 }), (all, rate, factors) => {
      const { intervals, stretch } = spread(all, rate);
      const other = new Map(
        all.map(({ key, floor, ceiling }, index) => {
          const tried = intervalOf(intervals, key) * (factors[index] ?? 1);
          return [key, Math.min(Math.max(floor, ceiling * stretch), Math.max(floor, tried))];
        }),
      );
      if (spentBy(all, other) > rate) return;
      expect(waitOf(all, other)).toBeGreaterThanOrEqual(waitOf(all, intervals) * (1 - 1e-9));
    }),
    { numRuns: runs(500) },
  );
});

test('with more calls everything is checked as often or more often', () => {
  fc.assert(
    fc.property(loads, rates, amount(1, 10), (all, rate, factor) => {
      const [less, more] = [spread(all, rate).intervals, spread(all, rate * factor).intervals];
      expect(all.filter(({ key }) => intervalOf(more, key) > intervalOf(less, key) * (1 + 1e-9))).toEqual([]);
    }),
  );
});

test('four times the weight is checked twice as often, four times the cost half as often', () => {
  const one: Load = { key: 'one', cost: 1, weight: 1, floor: 0.001, ceiling: 1e6 };
  const { intervals } = spread([one, { ...one, key: 'weighty', weight: 4 }, { ...one, key: 'dear', cost: 4 }], 1);
  expect(intervalOf(intervals, 'one') / intervalOf(intervals, 'weighty')).toBeCloseTo(2);
  expect(intervalOf(intervals, 'dear') / intervalOf(intervals, 'one')).toBeCloseTo(2);
  expect(spentBy([one, { ...one, key: 'weighty' }, { ...one, key: 'dear', cost: 4 }], intervals)).toBeCloseTo(1);
});

test('with calls to spare everything stands at its floor, and with none nothing is checked', () => {
  const all: readonly Load[] = [{ key: 'a', cost: 2, weight: 1, floor: 10, ceiling: 100 }];
  expect(spread(all, 5)).toEqual({ intervals: new Map([['a', 10]]), stretch: 1 });
  expect(spread(all, 0).intervals.get('a')).toBe(Number.POSITIVE_INFINITY);
});
