/** Whole lives of the bot under faults. */
import { expect, test } from 'vitest';
import { runs } from '../support/properties.js';
import { testFamilies } from './families.js';
import { simulate, traceOf } from './run/simulate.js';
import { FIRST_BRIEF, FIRST_FOLLOWED, FIRST_PAIR, FIRST_TRADES, scenarioOf } from './scenario/make.js';

testFamilies([
  { what: 'brief', first: FIRST_BRIEF, seeds: runs(160, 80), leastExpected: 1.5 },
  { what: 'followed', first: FIRST_FOLLOWED, seeds: runs(16, 8), leastExpected: 2 },
  { what: 'traded', first: FIRST_TRADES, seeds: runs(28, 8), leastExpected: 1.5 },
]);

test.each([4, FIRST_BRIEF, FIRST_PAIR])('the seed %i gives the same run twice', async (seed) => {
  const trace = async () => traceOf((await simulate(scenarioOf(seed))).played);
  expect(await trace()).toEqual(await trace());
});
