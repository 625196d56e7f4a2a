/** Tests run in their own processes, because SQLite is native and a world must not leak into the next file. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 15_000,
    teardownTimeout: 5_000,
    allowOnly: false,
    passWithNoTests: false,
    reporters: ['default', './test/support/skipped.ts'],
  },
});
