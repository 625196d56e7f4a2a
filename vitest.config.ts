/**
 * Test files in groups. A group is a Vitest project with worker processes of its own; the files of a group that one worker runs share the
 * modules it has loaded, so a test must leave module state as it found it.
 */
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** What each group takes from `test/`, the first that fits; `unit` has the rest. */
const GROUPS = {
  browser: ['test/**/*.e2e.test.ts'],
  journeys: ['test/journeys/**/*.test.ts'],
  'stand-ins': ['test/{stand-ins,platforms}/**/*.test.ts'],
  store: ['test/{store,cli}/**/*.test.ts'],
  unit: ['test/**/*.test.ts'],
};

const group = ([name, include]: [string, string[]], index: number): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    exclude: Object.values(GROUPS).slice(0, index).flat(),
    environment: 'node',
    // SQLite is native.
    pool: 'forks',
    setupFiles: ['test/support/setup.ts'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // One for each core. It stands here alone, because the command line's number does not reach into a project.
    maxWorkers: '100%',
    teardownTimeout: 5_000,
    allowOnly: false,
    passWithNoTests: false,
    reporters: ['default', './test/support/skipped.ts'],
    projects: Object.entries(GROUPS).map(group),
  },
});
