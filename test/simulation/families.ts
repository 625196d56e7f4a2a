/**
 * A test for each family of seeds, in several files, because a file has one worker. docs/reliability.md says what the families are, and how
 * many seeds of each are enough.
 */
import { expect, test } from 'vitest';
import { simulate } from './run/simulate.js';
import { scenarioOf } from './scenario/make.js';
import type { Violation } from './oracle/verdict.js';

interface Family {
  readonly what: string;
  readonly first: number;
  readonly seeds: number;
  /** Of a seed on average. An oracle that leaves everything open would find nothing. */
  readonly leastExpected: number;
}

/** What stands in each chat at the end is what its people should have received. */
export const testFamilies = (families: readonly Family[]): void =>
  test.each(families)(
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
      expect(must).toBeGreaterThan(leastExpected * seeds);
    },
  );
