/** The scenario of a seed. Most are short, some are long. */
import { seeded } from '../machine/random.js';
import { crowd } from './crowd.js';
import { days } from './days.js';
import { hours } from './hours.js';
import { minutes } from './minutes.js';
import type { Scenario } from './scenario.js';

export function scenarioOf(seed: number): Scenario {
  const random = seeded(seed);
  if (seed % 40 === 7) return crowd(seed, random);
  if (seed % 10 === 0) return days(seed, random);
  return seed % 5 === 1 ? hours(seed, random) : minutes(seed, random);
}
