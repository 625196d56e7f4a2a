/** Whole lives of the alert path under faults: what stands in each chat at the end is what its people should have received. */
import { expect, test } from 'vitest';
import { runs } from '../support/properties.js';
import { faultsOf } from './oracle.js';
import { play } from './run.js';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? runs(300));
const FIRST = Number(process.env['SIMULATION_FIRST'] ?? 1);

test(`in ${SEEDS} simulated runs with faults, kills and stops, every chat receives its alerts`, async () => {
  const wrong: Record<number, readonly string[]> = {};
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const faults = faultsOf(await play(seed));
    if (faults.length > 0) wrong[seed] = faults;
  }
  expect(wrong).toEqual({});
}, 300_000);

test('the same seed gives the same run', async () => {
  const posted = async () => (await play(7)).platforms.map((platform) => platform.posted);
  expect(await posted()).toEqual(await posted());
});
