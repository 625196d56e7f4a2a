/** Loaded before each test file; what it imports is loaded before the first in a worker. */
// A server of this package replaces the global `Response`. Loaded after one was started, as by an earlier file, its mark of a reply that was
// written by hand would be of the other class and not be recognised.
import '@hono/node-server/utils/response';
import fc from 'fast-check';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { runs, seed } from './properties.js';

// The first undici that is loaded, of three, sets the dispatcher of every `fetch`. In the bot it is this one.
if (!(getGlobalDispatcher() instanceof Agent)) setGlobalDispatcher(new Agent());

/** Properties that name no number of runs. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100), ...(seed === undefined ? {} : { seed }) });
