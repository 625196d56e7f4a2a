/** The thread is kept between mutants: none is switched on while test files load. Stryker's own setup switches one on before the tests. */
import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where Stryker keeps its state. */
    globalNamespace: string;
  }
}

const stryker: unknown = Reflect.get(globalThis, inject('globalNamespace'));
if (typeof stryker === 'object' && stryker !== null) Reflect.deleteProperty(stryker, 'activeMutant');

/** Of a property. `MUTATION_RUNS` sets more, for what these let survive. */
const numRuns = Number(process.env['MUTATION_RUNS'] ?? 3);
// That a property fails is enough: the smallest case would be sought for minutes.
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns, endOnFailure: true });
