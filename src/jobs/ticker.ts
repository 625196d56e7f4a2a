/** This module defines the interface for scheduled jobs, and implements it with cron. */
import cron from 'node-cron';
import { SECOND, systemClock } from '../base/clock.js';

export interface Ticker {
  /** Schedules `work`, which must not reject. Resolves with a function that cancels it. */
  every(expression: string, name: string, work: () => Promise<void>): Promise<() => Promise<void>>;
}

const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };

const OPTIONS = { noOverlap: true, missedExecutionTolerance: 60_000, suppressMissedWarning: true, logger: quiet } as const;

export const EACH_SECOND = '* * * * * *';
/** The tolerance is in milliseconds. */
const TOLERANCE = 20;

/** Runs at once and each second. Cron would compute each time from the date, which took a third of an idle bot's CPU time. */
function eachSecond(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = SECOND - (systemClock.now() % SECOND);
    timer = setTimeout(tick, left < TOLERANCE ? left + SECOND : left);
  };
  const tick = (): void => {
    wait();
    if (isRunning) return;
    isRunning = true;
    void work().finally(() => {
      isRunning = false;
    });
  };
  timer = setTimeout(tick, 0);
  return async () => clearTimeout(timer);
}

export const cronTicker: Ticker = {
  async every(expression, name, work) {
    if (expression === EACH_SECOND) return eachSecond(work);
    const task = cron.createTask(expression, work, { ...OPTIONS, name });
    await task.start();
    return async () => {
      await task.destroy();
    };
  },
};
