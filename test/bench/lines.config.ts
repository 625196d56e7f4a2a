/** `npm run bench:lines`: one long run, so it runs as a test does. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['test/bench/lines.bench.ts'], testTimeout: 1_800_000, reporters: ['default'] },
});
