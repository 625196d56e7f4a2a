/** What runs by itself, and when. A tick only asks what is due, so a tick that came late or not at all loses nothing. */
import cron from 'node-cron';
import type { Log } from '../base/log.js';
import type { Drain } from './drain.js';
import type { Watcher } from './watcher.js';

export interface Schedule {
  /** Recovers what a crash left, then begins to tick. */
  start(): Promise<void>;
  /** Stops ticking, lets deliveries and looks in hand finish. */
  stop(): Promise<void>;
}

/** A machine that was busy for a while still runs the tick; a tick that overlaps its predecessor is skipped. */
const OPTIONS = { noOverlap: true, missedExecutionTolerance: 60_000, suppressMissedWarning: true } as const;

export function createSchedule({
  watcher,
  drain,
  housekeeping,
  log,
}: {
  watcher: Watcher;
  drain: Drain;
  housekeeping: () => Promise<void>;
  log: Log;
}): Schedule {
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
  let tasks: ReturnType<typeof cron.createTask>[] = [];
  return {
    async start() {
      await watcher.recover();
      tasks = jobs.map(({ when, name, work }) => cron.createTask(when, guarded(name, work), { ...OPTIONS, name }));
      for (const task of tasks) await task.start();
    },
    async stop() {
      for (const task of tasks) await task.destroy();
      tasks = [];
      // Deliveries first: they are quick, and what looks still find is kept in the marks.
      await drain.stop();
      await watcher.stop();
    },
  };
}
