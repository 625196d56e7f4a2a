/** `npm run bench:plan`: a simulation, not a stopwatch, so it runs as a test does and can fail. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['test/bench/plan.bench.ts'], testTimeout: 180_000, reporters: ['default'] },
});
