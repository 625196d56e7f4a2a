/** `npm run screenshots:messages`: the bot of the journeys is drawn, so it runs as a test does. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/screenshots/messages.shots.ts'],
    testTimeout: 900_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
