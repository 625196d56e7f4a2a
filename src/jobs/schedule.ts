/** Scheduled jobs. Missed ticks lose nothing. */
import { HOUR, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Instant } from '../domain/scalars.js';
import type { Digests } from './digest.js';
import type { Drain } from './drain.js';
import type { Heartbeat } from './downtime.js';
import type { Refresher } from './refresh.js';
import type { Ticker } from './ticker.js';
import type { Watcher } from './watcher.js';

export interface Schedule {
  /** Recovers from a crash. Idempotent; not after stop, which ends it early. */
  start(): Promise<void>;
  idle(): Promise<void>;
  /** Finishes deliveries and checks. Idempotent. */
  stop(): Promise<void>;
}

export interface ScheduleDeps {
  readonly watcher: Pick<Watcher, 'recover' | 'tick' | 'sweep' | 'idle' | 'stop'>;
  readonly refresher?: Pick<Refresher, 'tick' | 'sweep' | 'idle' | 'stop'>;
  readonly drain: Pick<Drain, 'tick' | 'idle' | 'stop'>;
  readonly digests?: Pick<Digests, 'tick' | 'idle' | 'stop'>;
  readonly heartbeat?: Pick<Heartbeat, 'beat'>;
  /** Each minute. */
  readonly operators?: { tick(): Promise<void>; stop(): void } | undefined;
  /** Each minute and at stop. */
  readonly flush?: () => Promise<void>;
  /** Every five minutes and at stop. */
  readonly flushChecks?: () => Promise<void>;
  /** Every hour. */
  readonly checkpoint?: () => Promise<void>;
  readonly housekeeping: () => Promise<void>;
  readonly ticker: Ticker;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export function createSchedule({
  watcher,
  refresher,
  drain,
  digests,
  heartbeat,
  operators,
  flush,
  flushChecks,
  checkpoint,
  housekeeping,
  ticker,
  clock,
  log,
}: ScheduleDeps): Schedule {
  const busy = new Set<Promise<void>>();
  const cancels: (() => Promise<void>)[] = [];
  const recovering = new AbortController();
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const failures = new Map<string, { readonly times: number; readonly loggedAt: Instant }>();
  const failed = (name: string, cause: unknown): void => {
    const now = clock.now();
    const { times, loggedAt } = failures.get(name) ?? { times: 0, loggedAt: undefined };
    const isSilent = loggedAt !== undefined && now - loggedAt < HOUR;
    failures.set(name, { times: times + 1, loggedAt: isSilent ? loggedAt : now });
    if (!isSilent) log.error('job.failed', { job: name, times: times + 1, cause });
  };
  /** A job that keeps failing, as while the store is away, is logged when it begins, each hour, and when it ends. */
  const guarded = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      const times = failures.get(name)?.times;
      if (failures.delete(name)) log.info('job.well-again', { job: name, times });
    } catch (cause) {
      failed(name, cause);
    }
  };
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
    { when: '* * * * * *', name: 'check', run: async () => guarded('check', async () => watcher.tick()) },
    ...(refresher === undefined
      ? []
      : [{ when: '* * * * * *', name: 'refresh', run: async () => guarded('refresh', async () => refresher.tick()) }]),
    { when: '* * * * * *', name: 'drain', run: async () => guarded('drain', async () => drain.tick()) },
    ...(digests === undefined
      ? []
      : [{ when: '* * * * * *', name: 'digest', run: async () => guarded('digest', async () => digests.tick()) }]),
    ...(heartbeat === undefined
      ? []
      : [{ when: '0 * * * * *', name: 'heartbeat', run: async () => awaited('heartbeat', async () => heartbeat.beat()) }]),
    ...(operators === undefined
      ? []
      : [{ when: '20 * * * * *', name: 'operators', run: async () => awaited('operators', async () => operators.tick()) }]),
    ...(flush === undefined ? [] : [{ when: '0 * * * * *', name: 'flush', run: async () => awaited('flush', flush) }]),
    ...(flushChecks === undefined
      ? []
      : [{ when: '20 */5 * * * *', name: 'flush-checks', run: async () => awaited('flush-checks', flushChecks) }]),
    { when: '30 * * * * *', name: 'forget', run: async () => awaited('forget', forget) },
    ...(checkpoint === undefined
      ? []
      : [{ when: '45 37 * * * *', name: 'checkpoint', run: async () => awaited('checkpoint', checkpoint) }]),
    { when: '15 7 4 * * *', name: 'housekeeping', run: async () => awaited('housekeeping', housekeeping) },
  ];
  const begin = async (): Promise<void> => {
    // The store may be closed already.
    if (stopping !== undefined) return;
    try {
      await watcher.recover(recovering.signal);
    } catch (cause) {
      if (!recovering.signal.aborted) throw cause;
    }
    for (const { when, name, run } of jobs) {
      if (stopping !== undefined) return;
      cancels.push(await ticker.every(when, name, run));
    }
  };
  const end = async (): Promise<void> => {
    // What is not routed yet stays pending, as after a crash.
    recovering.abort();
    // The caller of start got the error.
    await starting?.catch(() => {});
    for (const cancel of cancels.splice(0)) await cancel();
    operators?.stop();
    // Deliveries first: they are short, and later events stay in the watermarks.
    await digests?.stop();
    await drain.stop();
    await refresher?.stop();
    await watcher.stop();
    await Promise.all(busy);
    if (flush !== undefined) await guarded('flush', flush);
    if (flushChecks !== undefined) await guarded('flush-checks', flushChecks);
    // The end of the uptime, from which the next start counts.
    if (heartbeat !== undefined) await guarded('heartbeat', async () => heartbeat.beat());
  };
  return {
    async idle() {
      // A refresh that ends starts a check.
      await refresher?.idle();
      await watcher.idle();
      await digests?.idle();
      await drain.idle();
    },
    start: async () => (starting ??= begin()),
    stop: async () => (stopping ??= end()),
  };
}
