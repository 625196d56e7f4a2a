/** What makes jobs run by themselves, as a port: cron in the real world, a test's hand elsewhere. */
import cron from 'node-cron';

export interface Ticker {
  /** Runs `work` at each time the cron expression names, until the returned function is called. `work` never rejects. */
  every(expression: string, name: string, work: () => Promise<void>): Promise<() => Promise<void>>;
}

/** Cron would write prose beside the log each time it skips a tick, which is no news; `work` logs its own failures. */
const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };

/** A machine that was busy for a while still runs the tick; a tick that would overlap its predecessor is skipped. */
const OPTIONS = { noOverlap: true, missedExecutionTolerance: 60_000, suppressMissedWarning: true, logger: quiet } as const;

export const cronTicker: Ticker = {
  async every(expression, name, work) {
    const task = cron.createTask(expression, work, { ...OPTIONS, name });
    await task.start();
    return async () => {
      await task.destroy();
    };
  },
};
