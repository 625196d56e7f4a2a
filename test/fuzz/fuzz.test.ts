/** A short run of the targets that open quickly, always with the same inputs; `npm run fuzz` runs all of them, guided by coverage. */
import { expect, test } from 'vitest';
import { fuzz } from './fuzz.js';
import { TARGETS } from './targets/index.js';

/** The services behind these take seconds to open. */
const LONG = ['commands', 'feeds'];
const INPUTS = 10;
const RUNS = 30;
const SEED = 20_261_123;
/** Only a gross regression: other tests share the process and the machine. */
const MAX_BLOCK = 250;

/** From all over the list. */
const someOf = (inputs: readonly string[]): readonly string[] => {
  const step = Math.max(1, Math.floor(inputs.length / INPUTS));
  return inputs.filter((_, index) => index % step === 0).slice(0, INPUTS);
};

test.each(Object.entries(TARGETS).filter(([name]) => !LONG.includes(name)))(
  '%s: odd input neither breaks nor leaks nor blocks',
  async (_, open) => {
    const target = await open();
    try {
      const short = { ...target, inputs: someOf(target.inputs) };
      const { runs, results, failures } = await fuzz(short, { runs: RUNS, seed: SEED, maxBlock: MAX_BLOCK, measuresMemory: false });
      expect(failures.map(({ says, input }) => ({ says, input }))).toEqual([]);
      expect(runs).toBe(RUNS);
      expect(results.size).toBeGreaterThan(1);
    } finally {
      await target.close?.();
    }
  },
);
