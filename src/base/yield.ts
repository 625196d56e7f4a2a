/** Yields to the event loop between parts of a long calculation. */
export { setImmediate as yieldToEventLoop } from 'node:timers/promises';
