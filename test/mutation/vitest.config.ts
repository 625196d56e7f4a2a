/** The suites that judge mutants of alerts, feeds and jobs: their own tests, none of which starts a process or a server. */
import { configDefaults, defineConfig } from 'vitest/config';
import { keptWorker } from './kept-worker.js';
import { ShortFirst } from './short-first.js';

/** Folders of test; for one part of the code, its own are enough: MUTATION_SUITES=alerts/rules npm run mutate -- --mutate 'src/alerts/rules/*.ts'. */
const SUITES = process.env['MUTATION_SUITES'] ?? '{alerts,feeds,jobs,domain}';
/** Files of them that take seconds for each mutant: worth it only for what the others let survive. */
const WITHOUT = (process.env['MUTATION_WITHOUT'] ?? 'route-measurements').split(',').map((name) => `test/**/${name}.test.ts`);

export default defineConfig({
  plugins: [keptWorker()],
  test: {
    include: [`test/${SUITES}/**/*.test.ts`],
    exclude: [...configDefaults.exclude, ...WITHOUT],
    environment: 'node',
    // Mutants are switched on in loaded modules, so nothing needs to be loaded again for the next file.
    isolate: false,
    sequence: { sequencer: ShortFirst, setupFiles: 'list' },
    setupFiles: ['test/support/setup.ts', 'test/mutation/setup.ts'],
    testTimeout: 60_000,
    passWithNoTests: false,
  },
});
