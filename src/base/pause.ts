/** Yields to the event loop between parts of a long calculation. */
export { setImmediate as pause } from 'node:timers/promises';
