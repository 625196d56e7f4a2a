/** Whole lives of the bot under faults: what stands in each chat at the end is what its people should have received. */
import { expect, test } from 'vitest';
import { runs } from '../support/properties.js';
import { scenarioOf } from './scenario/make.js';
import { simulate, traceOf } from './run/simulate.js';
import type { Violation } from './oracle/verdict.js';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? runs(150));
const FIRST = Number(process.env['SIMULATION_FIRST'] ?? 1);

test(`in ${SEEDS} simulated runs with faults, kills and stops, every chat receives its alerts`, async () => {
  const wrong: Record<number, readonly Violation[]> = {};
  let must = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const { violations, tally } = (await simulate(scenarioOf(seed))).judgement;
    must += tally.must;
    if (violations.length > 0) wrong[seed] = violations;
  }
  expect(wrong).toEqual({});
  // An oracle that leaves everything open would find nothing.
  expect(must).toBeGreaterThan(3 * SEEDS);
}, 300_000);

test('the same seed gives the same run', async () => {
  const trace = async () => traceOf((await simulate(scenarioOf(4))).played);
  expect(await trace()).toEqual(await trace());
});
