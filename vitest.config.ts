/**
 * One group of worker processes runs all test files. The files that one worker runs share the modules it has loaded, so a test must leave
 * module state as it found it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/sequencer.js';
import { shortLivedFlags } from './test/support/v8-flags.js';

/** Databases of tests are in memory where the machine has a file system there with this many bytes: a commit waits for a disk. */
const MIN_FREE = 2 ** 30;
const IN_MEMORY = '/dev/shm';
const hasRoom = ({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }): boolean => bavail * bsize >= MIN_FREE;
const TMPDIR = existsSync(IN_MEMORY) && hasRoom(statfsSync(IN_MEMORY)) ? IN_MEMORY : tmpdir();

/** A folder for each set of installed packages: Vitest would remove the one of another set and then fail to write into it. */
const INSTALLED = readFileSync(new URL('node_modules/.package-lock.json', import.meta.url));
const MODULE_CACHE = `node_modules/.vitest-modules/${createHash('sha256').update(INSTALLED).digest('hex').slice(0, 16)}`;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // SQLite is native.
    pool: 'forks',
    // One for each core: a third loads all modules once more, which costs more than it gains while others wait.
    maxWorkers: availableParallelism(),
    env: { TMPDIR },
    isolate: false,
    // A worker lives for a minute: less scavenging of what tests leave behind, and no optimizing of what will hardly run again. Together they
    // save a sixth of its CPU time; `node --v8-options` says what each means.
    execArgv: shortLivedFlags(500_000),
    // Transformed modules are kept in node_modules between runs, by their content.
    experimental: { fsModuleCache: true, fsModuleCachePath: MODULE_CACHE },
    sequence: { sequencer: LongFirst },
    setupFiles: ['test/support/setup.ts'],
    // The limits end what hangs. They measure nothing, so they are far above what a test takes on a machine that is busy with other work.
    expect: { poll: { interval: 10, timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 5_000,
    allowOnly: false,
    passWithNoTests: false,
    reporters: ['default', './test/support/skipped.ts'],
  },
});
