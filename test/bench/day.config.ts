/** `npm run bench:day`: one long run, so it runs as a test does. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['test/bench/day.bench.ts'], testTimeout: 3_600_000, reporters: ['default'] },
});
