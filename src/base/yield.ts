/** Lets the event loop run between parts of a long calculation. */
export { setImmediate as yieldToEventLoop } from 'node:timers/promises';
