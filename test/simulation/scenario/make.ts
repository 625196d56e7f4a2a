/** The scenario of a seed. */
import { seeded } from '../machine/random.js';
import { minutes } from './minutes.js';
import type { Scenario } from './scenario.js';

export function scenarioOf(seed: number): Scenario {
  return minutes(seed, seeded(seed));
}
