/** `npm run bench:answers`: a stopwatch on the stand-ins and the built drawing thread. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['test/bench/answers.bench.ts'], testTimeout: 120_000, reporters: ['default'] },
});
