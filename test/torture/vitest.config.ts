/** `npm run torture`: the real process, killed at random. Slow on purpose, so it is no part of `npm test`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/torture/*.torture.ts'],
    testTimeout: 12 * 60 * 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    disableConsoleIntercept: true,
  },
});
