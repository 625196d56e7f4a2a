/**
 * One group of worker processes runs all test files. The files that one worker runs share the modules it has loaded, so a test must leave
 * module state as it found it.
 */
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/sequencer.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // SQLite is native.
    pool: 'forks',
    // One for each core.
    maxWorkers: '100%',
    isolate: false,
    // A worker lives for a minute: less scavenging of what tests leave behind, and no optimizing of what will hardly run again. Together they
    // save a sixth of its CPU time; `node --v8-options` says what each means.
    execArgv: ['--max-semi-space-size=64', '--interrupt-budget=500000'],
    // Transformed modules are kept in node_modules between runs, by their content.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongFirst },
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    allowOnly: false,
    passWithNoTests: false,
    reporters: ['default', './test/support/skipped.ts'],
  },
});
