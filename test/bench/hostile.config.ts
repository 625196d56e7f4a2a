/** `npx vitest run --config test/bench/hostile.config.ts`: prints figures and expects none, since timings depend on the machine. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['test/bench/hostile.bench.ts'], testTimeout: 900_000, pool: 'forks', reporters: ['default'] },
});
