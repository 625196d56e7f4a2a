/** The suites that judge mutants of alerts, feeds and jobs: their own tests, none of which starts a process or a server. */
import { defineConfig } from 'vitest/config';

/** Folders of test; for one part of the code, its own are enough: MUTATION_SUITES=alerts/rules npm run mutate -- --mutate 'src/alerts/rules/*.ts'. */
const SUITES = process.env['MUTATION_SUITES'] ?? '{alerts,feeds,jobs,domain}';

export default defineConfig({
  test: {
    include: [`test/${SUITES}/**/*.test.ts`],
    environment: 'node',
    // Mutants are switched on in loaded modules, so nothing needs to be loaded again for the next file.
    isolate: false,
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 20_000,
    passWithNoTests: false,
  },
});
