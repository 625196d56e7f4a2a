/** `npx vitest run --config test/journeys/shown/vitest.config.ts`: writes down what the platforms receive. It shows and checks little, so it is no part of `npm test`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/journeys/shown/*.shown.ts'],
    pool: 'forks',
    testTimeout: 5 * 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
