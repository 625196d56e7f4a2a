import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelled } from '../../src/analytics/labelled-numbers.js';

test('numbers and numeric text are kept exactly, with their names as words; words, lists and nulls are not', () => {
  expect(labelled({ totalUSDVolume: '12.50', note: 'x', list: [1], none: null, flag: true, 'open-interest': { pass_side: 3 } })).toEqual([
    { label: 'total usdvolume', value: '12.5' },
    { label: 'open interest, pass side', value: '3' },
  ]);
});

test('whatever comes, it ends, throws nothing and stays a summary', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 8, withNullPrototype: true }), (value) => {
      expect(labelled(value).length).toBeLessThanOrEqual(24);
    }),
  );
  let deep: unknown = { end: 1 };
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  expect(labelled(deep)).toEqual([]);
});
