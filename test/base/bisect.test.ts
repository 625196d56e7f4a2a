import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstWhere } from '../../src/base/bisect.js';
import { runs } from '../support/properties.js';

test('the first of which it holds is found as by looking at each', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (numbers, least) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const index = sorted.findIndex((number) => number >= least);
      expect(firstWhere(sorted, (number) => number >= least)).toBe(index === -1 ? sorted.length : index);
    }),
    { numRuns: runs(200) },
  );
});
