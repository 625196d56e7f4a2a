/** Port for scheduled jobs: cron in production, manual in tests. */
import cron from 'node-cron';

export interface Ticker {
  /** Until the returned function is called. `work` must not reject. */
  every(expression: string, name: string, work: () => Promise<void>): Promise<() => Promise<void>>;
}

/** `work` logs its failures. */
const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };

/** A busy process still runs a late tick. */
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
