/** discord.js pauses by timers that no clock of ours turns: 500 ms before it connects again, 5 s between two sessions. Here they are short. */
import timers from 'node:timers/promises';

/** Milliseconds. */
const MAX_PAUSE = 5;

const { setTimeout: real } = timers;
const short: typeof real = async (delay, value, options) => real(Math.min(delay ?? 0, MAX_PAUSE), value, options);
let users = 0;

const use = (value: typeof real): unknown => Object.defineProperty(timers, 'setTimeout', { value });

/** Shortens them until each caller has called the result. */
export function shortenPauses(): () => void {
  users += 1;
  if (users === 1) use(short);
  return () => {
    users -= 1;
    if (users === 0) use(real);
  };
}
