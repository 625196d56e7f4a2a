/** Lets everything else that is due run first: between parts of a long calculation. */
export { setImmediate as pause } from 'node:timers/promises';
