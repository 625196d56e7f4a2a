import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueIndex } from '../../src/base/due-index.js';
import { runs } from '../support/properties.js';

test('what is due is taken once, the earliest first, and by what was said of it last', () => {
  const index = new DueIndex<string>();
  index.set('late', 30);
  index.set('early', 10);
  index.set('moved', 5);
  index.set('moved', 40);
  index.set('never', 7);
  index.set('never', undefined);
  expect(index.take(9)).toEqual([]);
  expect(index.take(30)).toEqual(['early', 'late']);
  expect(index.take(30)).toEqual([]);
  expect(index.size).toBe(1);
  expect(index.take(40)).toEqual(['moved']);
});

test('it agrees with a plain list, whatever is set and taken', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('set' as const),
      key: fc.integer({ min: 0, max: 20 }),
      at: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('take' as const), now: fc.integer({ min: 0, max: 50 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const index = new DueIndex<number>();
      const plain = new Map<number, number>();
      for (const one of steps) {
        if (one.kind === 'set') {
          index.set(one.key, one.at);
          if (one.at === undefined) plain.delete(one.key);
          else plain.set(one.key, one.at);
          continue;
        }
        const due = [...plain].filter(([, at]) => at <= one.now);
        const taken = index.take(one.now);
        expect(taken.toSorted((a, b) => a - b)).toEqual(due.map(([key]) => key).toSorted((a, b) => a - b));
        expect(taken.map((key) => plain.get(key))).toEqual(due.map(([, at]) => at).toSorted((a, b) => a - b));
        for (const key of taken) plain.delete(key);
      }
      expect(index.size).toBe(plain.size);
    }),
    { numRuns: runs(300) },
  );
});
