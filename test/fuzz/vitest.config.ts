/** `npm run fuzz`: long on purpose, so it is no part of `npm test`, which runs each target briefly. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/fuzz/fuzz.fuzz.ts'],
    pool: 'forks',
    testTimeout: 6 * 60 * 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    disableConsoleIntercept: true,
  },
});
