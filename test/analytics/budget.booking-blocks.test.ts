import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget, blockSize } from '../../src/analytics/budget.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { DAY, HOUR } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { openStore } from '../../src/store/open.js';
import { StoreError, type Store } from '../../src/store/store.js';
import { handClock } from '../support/clock.js';
import { runs } from '../support/properties.js';

test('a block is a small part of the limit and of what is left, and one call at first', () => {
  const size = (limit: number | undefined, left: number, made = 1_000) => blockSize({ limit, left, made });
  expect([size(500, 400), size(5_000, 4_000), size(10_000, 9_000), size(1_000_000, 900_000)]).toEqual([1, 10, 20, 20]);
  expect([size(10_000, 150), size(10_000, 15), size(10_000, 1)]).toEqual([15, 1, 1]);
  expect([0, 1, 2, 4, 100].map((made) => size(10_000, 9_000, made))).toEqual([1, 1, 2, 4, 20]);
  expect(size(undefined, Infinity)).toBe(200);
});

/** What happens to a budget; a failed write is durable or not, which the bot cannot tell. */
const happening = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('calls'), count: fc.integer({ min: 1, max: 60 }), isPoll: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('failing writes'), durable: fc.boolean(), count: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time'), hours: fc.integer({ min: 1, max: 400 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset day'), day: fc.constantFrom(1, 10, 28) }) },
);

test('whatever is called, crashes, restarts and fails to be written: no month has more calls than its limit, and none is uncounted', async () => {
  const limits = fc.constantFrom(1, 7, 100, 500, 3_000, 20_000);
  await fc.assert(
    fc.asyncProperty(limits, fc.array(happening, { minLength: 5, maxLength: 60 }), async (limit, happenings) => {
      const clock = handClock(Date.UTC(2026, 10, 25));
      const store = await openStore('memory://');
      let failing = { count: 0, durable: false };
      let resetDay = 1;
      const start = () =>
        new Budget({
          ...{ clock, limit, resetDay, log: silentLog },
          store: failingStore(store, () => {
            if (failing.count === 0) return undefined;
            failing = { ...failing, count: failing.count - 1 };
            return failing;
          }),
        });
      /** When each call was made. */
      const made: number[] = [];
      const madeWithin = (from: number, to: number) => made.filter((at) => at >= from && at < to).length;
      /** In any month, as it was counted when the call was made. */
      let most = 0;
      const monthStart = () => {
        const today = new Date(clock.now());
        const back = today.getUTCDate() < resetDay ? 1 : 0;
        return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, resetDay);
      };
      let budget = start();
      for (const one of happenings) {
        if (one.kind === 'calls')
          for (let count = 0; count < one.count; count += 1)
            await budget.book('row', one.isPoll ? 'poll' : 'question').then(
              () => {
                made.push(clock.now());
                most = Math.max(most, madeWithin(monthStart(), clock.now() + 1));
              },
              (error: unknown) => {
                if (!(error instanceof AnalyticsError) && !(error instanceof StoreError)) throw error;
              },
            );
        else if (one.kind === 'time') await clock.advance(one.hours * HOUR);
        else if (one.kind === 'failing writes') failing = one;
        else {
          if (one.kind === 'stop') await budget.close();
          if (one.kind === 'reset day') resetDay = one.day;
          budget = start();
        }
        await budget.ready();
        const { used } = budget.state();
        expect(used).toBeGreaterThanOrEqual(madeWithin(monthStart(), clock.now() + 1));
      }
      expect(most).toBeLessThanOrEqual(limit);
      // A stop writes what is counted, without what was only booked.
      failing = { count: 0, durable: false };
      const used = budget.state().used;
      await budget.close();
      budget = start();
      await budget.ready();
      expect(budget.state().used).toBe(used);
    }),
    { numRuns: runs(200) },
  );
});

test('another day books again, so that each day counts what was called on it', async () => {
  const clock = handClock(Date.UTC(2026, 10, 9, 23));
  const store = await openStore('memory://');
  const options = { clock, store, limit: 100_000, log: silentLog };
  const before = new Budget(options);
  for (let count = 0; count < 60; count += 1) await before.book('row', 'poll');
  await clock.advance(DAY);
  await before.book('row', 'poll');
  const after = new Budget({ ...options, resetDay: 10 });
  await after.ready();
  expect(after.state().used).toBeGreaterThanOrEqual(1);
});

function failingStore(store: Store, next: () => { readonly durable: boolean } | undefined): Store {
  return {
    ...store,
    collection: (spec) => {
      const inner = store.collection(spec);
      return {
        ...inner,
        set: async (key, document) => {
          const failure = next();
          if (failure?.durable !== false) await inner.set(key, document);
          if (failure !== undefined) throw new StoreError('full', 'store: the disk is full');
        },
      };
    },
  };
}
