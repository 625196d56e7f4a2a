/** Loaded before each test file; what it imports is loaded before the first in a worker. */
// A server of this package replaces the global `Response`. Loaded after one was started, as by an earlier file, its mark of a reply that was
// written by hand would be of the other class and not be recognised.
import '@hono/node-server/utils/response';
import fc from 'fast-check';
import { runs, seed } from './properties.js';

/** Properties that name no number of runs. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100), ...(seed === undefined ? {} : { seed }) });
