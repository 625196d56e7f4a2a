export { setImmediate as yieldToEventLoop } from 'node:timers/promises';
