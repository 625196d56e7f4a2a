/** What runs by itself, and when. A tick only asks what is due, so a tick that came late or not at all loses nothing. */
import type { Log } from '../base/log.js';
import type { Drain } from './drain.js';
import type { Heartbeat } from './heartbeat.js';
import type { Refresher } from './refresh.js';
import type { Ticker } from './ticker.js';
import type { Watcher } from './watcher.js';

export interface Schedule {
  /** Recovers what a crash left, then begins to tick. Again is once; one that was stopped stays stopped. */
  start(): Promise<void>;
  /** Resolves when no look and no delivery is under way. */
  idle(): Promise<void>;
  /** Stops ticking, lets deliveries and looks in hand finish. Again is once. */
  stop(): Promise<void>;
}

export interface ScheduleNeeds {
  readonly watcher: Pick<Watcher, 'recover' | 'tick' | 'sweep' | 'idle' | 'stop'>;
  /** Absent where no wallet is ever refreshed. */
  readonly refresher?: Pick<Refresher, 'tick' | 'sweep' | 'idle' | 'stop'>;
  readonly drain: Drain;
  /** Absent where nobody asks how long the bot was away. */
  readonly heartbeat?: Pick<Heartbeat, 'beat'>;
  /** Each minute and at the end: writes what is kept in memory until then. */
  readonly flush?: () => Promise<void>;
  /** Each minute: moves what was written lately into the main file of the database, so that little is left in its -wal file. */
  readonly checkpoint?: () => Promise<void>;
  /** Once a day: forgets what is long past. */
  readonly housekeeping: () => Promise<void>;
  readonly ticker: Ticker;
  readonly log: Log;
}

export function createSchedule({
  watcher,
  refresher,
  drain,
  heartbeat,
  flush,
  checkpoint,
  housekeeping,
  ticker,
  log,
}: ScheduleNeeds): Schedule {
  const busy = new Set<Promise<void>>();
  const cancels: (() => Promise<void>)[] = [];
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const guarded = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      log.error('job.failed', { job: name, cause });
    }
  };
  /** What writes by itself is waited for at the end; looks and deliveries are the watcher's and the drain's to finish. */
  const awaited = async (name: string, work: () => Promise<void>): Promise<void> => {
    const run = guarded(name, work);
    busy.add(run);
    await run;
    busy.delete(run);
  };
  const forget = async (): Promise<void> => {
    await watcher.sweep();
    await refresher?.sweep();
  };
  const jobs = [
    { when: '* * * * * *', name: 'look', run: async () => guarded('look', async () => watcher.tick()) },
    ...(refresher === undefined
      ? []
      : [{ when: '* * * * * *', name: 'refresh', run: async () => guarded('refresh', async () => refresher.tick()) }]),
    { when: '* * * * * *', name: 'drain', run: async () => guarded('drain', async () => drain.tick()) },
    ...(heartbeat === undefined
      ? []
      : [{ when: '0 * * * * *', name: 'heartbeat', run: async () => awaited('heartbeat', async () => heartbeat.beat()) }]),
    ...(flush === undefined ? [] : [{ when: '0 * * * * *', name: 'flush', run: async () => awaited('flush', flush) }]),
    { when: '30 * * * * *', name: 'forget', run: async () => awaited('forget', forget) },
    ...(checkpoint === undefined ? [] : [{ when: '45 * * * * *', name: 'checkpoint', run: async () => awaited('checkpoint', checkpoint) }]),
    { when: '15 7 4 * * *', name: 'housekeeping', run: async () => awaited('housekeeping', housekeeping) },
  ];
  const begin = async (): Promise<void> => {
    // What it would recover into may be closed already.
    if (stopping !== undefined) return;
    await watcher.recover();
    for (const { when, name, run } of jobs) {
      if (stopping !== undefined) return;
      cancels.push(await ticker.every(when, name, run));
    }
  };
  const end = async (): Promise<void> => {
    // A start that failed has told its caller so.
    await starting?.catch(() => {});
    for (const cancel of cancels.splice(0)) await cancel();
    // Deliveries first: they are quick, and what looks still find is kept in the marks.
    await drain.stop();
    await refresher?.stop();
    await watcher.stop();
    await Promise.all(busy);
    if (flush !== undefined) await guarded('flush', flush);
    // Until now it ran: how long it did not is counted from here.
    if (heartbeat !== undefined) await guarded('heartbeat', async () => heartbeat.beat());
  };
  return {
    async idle() {
      // A refresh that ends begins a look.
      await refresher?.idle();
      await watcher.idle();
      await drain.idle();
    },
    start: async () => (starting ??= begin()),
    stop: async () => (stopping ??= end()),
  };
}
