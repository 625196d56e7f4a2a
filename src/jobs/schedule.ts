/** What runs by itself, and when. A tick only asks what is due, so a tick that came late or not at all loses nothing. */
import type { Log } from '../base/log.js';
import type { Drain } from './drain.js';
import type { Ticker } from './ticker.js';
import type { Watcher } from './watcher.js';

export interface Schedule {
  /** Recovers what a crash left, then begins to tick. */
  start(): Promise<void>;
  /** Resolves when no look and no delivery is under way. */
  idle(): Promise<void>;
  /** Stops ticking, lets deliveries and looks in hand finish. */
  stop(): Promise<void>;
}

export interface ScheduleNeeds {
  readonly watcher: Watcher;
  readonly drain: Drain;
  /** Once a day: forgets what is long past. */
  readonly housekeeping: () => Promise<void>;
  readonly ticker: Ticker;
  readonly log: Log;
}

export function createSchedule({ watcher, drain, housekeeping, ticker, log }: ScheduleNeeds): Schedule {
  const guarded = (name: string, work: () => Promise<void>) => async (): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      log.error('job.failed', { job: name, cause });
    }
  };
  const jobs = [
    { when: '* * * * * *', name: 'look', work: async () => watcher.tick() },
    { when: '* * * * * *', name: 'drain', work: async () => drain.tick() },
    { when: '30 * * * * *', name: 'forget', work: async () => watcher.sweep() },
    { when: '15 7 4 * * *', name: 'housekeeping', work: housekeeping },
  ];
  let cancels: readonly (() => Promise<void>)[] = [];
  const idle = async (): Promise<void> => {
    await watcher.idle();
    await drain.idle();
  };
  return {
    idle,
    async start() {
      await watcher.recover();
      cancels = await Promise.all(jobs.map(async ({ when, name, work }) => ticker.every(when, name, guarded(name, work))));
    },
    async stop() {
      for (const cancel of cancels) await cancel();
      cancels = [];
      // Deliveries first: they are quick, and what looks still find is kept in the marks.
      await drain.stop();
      await watcher.stop();
    },
  };
}
