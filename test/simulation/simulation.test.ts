/** Whole lives of the bot under faults: what stands in each chat at the end is what its people should have received. */
import { expect, test } from 'vitest';
import { runs } from '../support/properties.js';
import {
  FIRST_BRIEF,
  FIRST_EXCEPTIONS,
  FIRST_EXPIRY,
  FIRST_FLOOD,
  FIRST_FOLLOWED,
  FIRST_LISTS,
  FIRST_PAIR,
  FIRST_REMIND,
  FIRST_SCREENED,
  scenarioOf,
} from './scenario/make.js';
import { simulate, traceOf } from './run/simulate.js';
import type { Violation } from './oracle/verdict.js';

const FIRST = Number(process.env['SIMULATION_FIRST'] ?? 1);

test.each([
  { what: 'brief', first: FIRST_BRIEF, seeds: runs(600, 200), leastExpected: 1.5 },
  { what: 'paired', first: FIRST_PAIR, seeds: runs(300, 30), leastExpected: 2.5 },
  { what: 'reminded', first: FIRST_REMIND, seeds: runs(40, 8), leastExpected: 1 },
  { what: 'long', first: FIRST, seeds: Number(process.env['SIMULATION_SEEDS'] ?? runs(150)), leastExpected: 3 },
  { what: 'flooded', first: FIRST_FLOOD, seeds: runs(20, 2), leastExpected: 900 },
  { what: 'expiring', first: FIRST_EXPIRY, seeds: runs(40, 4), leastExpected: 2 },
  { what: 'misled', first: FIRST_LISTS, seeds: runs(60, 6), leastExpected: 8 },
  { what: 'excepted', first: FIRST_EXCEPTIONS, seeds: runs(90, 12), leastExpected: 1.5 },
  { what: 'screened', first: FIRST_SCREENED, seeds: runs(40, 6), leastExpected: 2 },
  { what: 'followed', first: FIRST_FOLLOWED, seeds: runs(40, 8), leastExpected: 2 },
])(
  'in $seeds $what simulated runs with faults, kills and stops, every chat receives its alerts',
  async ({ first, seeds, leastExpected }) => {
    const wrong: Record<number, readonly Violation[]> = {};
    let must = 0;
    for (let seed = first; seed < first + seeds; seed += 1) {
      const { violations, tally } = (await simulate(scenarioOf(seed))).judgement;
      must += tally.must;
      if (violations.length > 0) wrong[seed] = violations;
    }
    expect(wrong).toEqual({});
    // An oracle that leaves everything open would find nothing.
    expect(must).toBeGreaterThan(leastExpected * seeds);
  },
);

test.each([4, FIRST_BRIEF, FIRST_PAIR])('the seed %i gives the same run twice', async (seed) => {
  const trace = async () => traceOf((await simulate(scenarioOf(seed))).played);
  expect(await trace()).toEqual(await trace());
});
