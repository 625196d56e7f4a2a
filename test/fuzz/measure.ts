/** What one input costs: the longest time in which nothing else could run, and the memory of the process. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds on the wall or, where other processes had the core meanwhile, those of this one. */
function stopwatch(): () => number {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(performance.now() - wall, (user + system) / 1_000);
  };
}

/** Turns of the loop after which work is taken to wait for the clock of the test. */
const PATIENCE = 300;
/** Of the wall; nothing that is fuzzed takes so long. */
const MAX_WAIT = 120_000;

/** The longest stretch in milliseconds without a turn of the event loop. Rejects with the error of the work. */
export async function longestStretch(work: () => Promise<unknown>, onIdle: () => Promise<unknown>): Promise<number> {
  const state = { done: false };
  const begun = performance.now();
  let since = stopwatch();
  let longest = 0;
  const working = work().finally(() => (state.done = true));
  // Its rejection is awaited below, after the last turn.
  working.catch(() => undefined);
  for (let turns = 1; !state.done; turns += 1) {
    await turn();
    longest = Math.max(longest, since());
    if (turns % PATIENCE === 0) await onIdle();
    if (performance.now() - begun > MAX_WAIT) throw new Error(`no result within ${MAX_WAIT / 1_000} s`);
    since = stopwatch();
  }
  await working;
  return longest;
}

export const rssMb = (): number => process.memoryUsage.rss() / 1024 ** 2;

/** Megabytes of live objects, after a collection. */
export function liveMb(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}
