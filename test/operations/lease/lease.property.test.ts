import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seed } from '../../support/properties.js';
import { play } from './processes.js';

test(
  'two processes never both believe that they may send, and one takes over once nothing goes wrong any more',
  { timeout: 600_000 },
  async () => {
    let takeovers = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (schedule) => {
        const played = await play(schedule);
        takeovers += played.takeovers;
        expect(played).toMatchObject({ overlaps: [], recovered: true });
      }),
      { numRuns: runs(500), ...(seed === undefined ? {} : { seed }) },
    );
    // A world in which nobody took over would show nothing.
    expect(takeovers).toBeGreaterThan(runs(500));
  },
);
