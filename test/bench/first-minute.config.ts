/** `npm run bench:first-minute`: many starts of the whole bot, so it runs as a test does. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['test/bench/first-minute.bench.ts'], testTimeout: 1_800_000, reporters: ['default'] },
});
