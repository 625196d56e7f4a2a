/** This module runs the scheduled jobs. A missed tick loses nothing. */
import { HOUR, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Instant } from '../domain/scalars.js';
import type { Boards } from './boards.js';
import type { Digests } from './digest.js';
import type { Drain } from './drain.js';
import type { Heartbeat } from './downtime.js';
import type { Refresher } from './refresh.js';
import type { Reminders } from './reminders.js';
import type { Screens } from './screens.js';
import { EACH_SECOND, type Ticker } from './ticker.js';
import type { Watcher } from './watcher.js';

export interface ScheduleDeps {
  readonly watcher: Pick<Watcher, 'recover' | 'tick' | 'forgetUnwatched' | 'idle' | 'stop'>;
  readonly refresher?: Pick<Refresher, 'tick' | 'forgetUnwatched' | 'idle' | 'stop'>;
  readonly drain: Pick<Drain, 'tick' | 'idle' | 'stop'>;
  readonly reminders?: Pick<Reminders, 'tick' | 'idle' | 'stop'>;
  readonly screens?: Pick<Screens, 'tick' | 'idle' | 'stop'>;
  readonly digests?: Pick<Digests, 'tick' | 'idle' | 'stop'>;
  readonly boards?: Pick<Boards, 'tick' | 'idle' | 'stop'>;
  readonly heartbeat?: Pick<Heartbeat, 'beat'>;
  /** Runs each minute. */
  readonly operators?: { tick(): Promise<void>; stop(): void } | undefined;
  /** Runs each minute and at the stop. */
  readonly flush?: () => Promise<void>;
  /** Runs every five minutes and at the stop. */
  readonly flushChecks?: () => Promise<void>;
  /** Runs every hour. */
  readonly checkpoint?: () => Promise<void>;
  readonly housekeeping: () => Promise<void>;
  readonly ticker: Ticker;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** `when` is a cron pattern with seconds. A stop waits for the job if `isAwaited`. */
interface Job {
  readonly when: string;
  readonly name: string;
  readonly run: () => Promise<void> | void;
  readonly isAwaited?: boolean;
}

const EACH_MINUTE = '0 * * * * *';

export class Schedule {
  readonly #deps: ScheduleDeps;
  readonly #busy = new Set<Promise<void>>();
  readonly #cancels: (() => Promise<void>)[] = [];
  readonly #recovering = new AbortController();
  readonly #failures = new Map<string, { readonly times: number; readonly loggedAt: Instant }>();
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** Recovers from a crash, then schedules the jobs. Idempotent. A stop ends it early; it cannot start again. */
  async start(): Promise<void> {
    return (this.#starting ??= this.#begin());
  }

  async idle(): Promise<void> {
    const { boards, digests, drain, refresher, reminders, screens, watcher } = this.#deps;
    // Refreshes end first, because each starts a check.
    await refresher?.idle();
    await watcher.idle();
    await reminders?.idle();
    await screens?.idle();
    await digests?.idle();
    await boards?.idle();
    await drain.idle();
  }

  /** Finishes deliveries and checks. Idempotent. */
  async stop(): Promise<void> {
    return (this.#stopping ??= this.#end());
  }

  #jobs(): readonly Job[] {
    const {
      boards,
      checkpoint,
      digests,
      drain,
      flush,
      flushChecks,
      heartbeat,
      housekeeping,
      operators,
      refresher,
      reminders,
      screens,
      watcher,
    } = this.#deps;
    const forget = async (): Promise<void> => {
      await watcher.forgetUnwatched();
      await refresher?.forgetUnwatched();
    };
    return [
      { when: EACH_SECOND, name: 'check', run: async () => watcher.tick() },
      ...(refresher === undefined ? [] : [{ when: EACH_SECOND, name: 'refresh', run: async () => refresher.tick() }]),
      { when: EACH_SECOND, name: 'drain', run: () => drain.tick() },
      ...(reminders === undefined ? [] : [{ when: EACH_SECOND, name: 'remind', run: () => reminders.tick() }]),
      ...(screens === undefined ? [] : [{ when: EACH_SECOND, name: 'screens', run: () => screens.tick() }]),
      ...(digests === undefined ? [] : [{ when: EACH_SECOND, name: 'digest', run: () => digests.tick() }]),
      ...(boards === undefined ? [] : [{ when: EACH_SECOND, name: 'board', run: () => boards.tick() }]),
      ...(heartbeat === undefined ? [] : [{ when: EACH_MINUTE, name: 'heartbeat', run: async () => heartbeat.beat(), isAwaited: true }]),
      ...(operators === undefined ? [] : [{ when: '20 * * * * *', name: 'operators', run: async () => operators.tick(), isAwaited: true }]),
      ...(flush === undefined ? [] : [{ when: EACH_MINUTE, name: 'flush', run: flush, isAwaited: true }]),
      ...(flushChecks === undefined ? [] : [{ when: '20 */5 * * * *', name: 'flush-checks', run: flushChecks, isAwaited: true }]),
      { when: '30 * * * * *', name: 'forget', run: forget, isAwaited: true },
      ...(checkpoint === undefined ? [] : [{ when: '45 37 * * * *', name: 'checkpoint', run: checkpoint, isAwaited: true }]),
      { when: '15 7 4 * * *', name: 'housekeeping', run: housekeeping, isAwaited: true },
    ];
  }

  async #begin(): Promise<void> {
    const { ticker, watcher } = this.#deps;
    // After a stop the store may be closed.
    if (this.#stopping !== undefined) return;
    try {
      await watcher.recover(this.#recovering.signal);
    } catch (cause) {
      if (!this.#recovering.signal.aborted) throw cause;
    }
    for (const job of this.#jobs()) {
      if (this.#stopping !== undefined) return;
      this.#cancels.push(await ticker.every(job.when, job.name, async () => this.#run(job)));
    }
  }

  async #end(): Promise<void> {
    const { boards, digests, drain, flush, flushChecks, heartbeat, operators, refresher, reminders, screens, watcher } = this.#deps;
    // Events that are not routed yet stay pending, as after a crash.
    this.#recovering.abort();
    // The caller of `start` has received the error.
    await this.#starting?.catch(() => {});
    for (const cancel of this.#cancels.splice(0)) await cancel();
    operators?.stop();
    // Stop deliveries first: they are short, and events of later checks stay in the watermarks.
    await digests?.stop();
    await boards?.stop();
    await drain.stop();
    await refresher?.stop();
    await reminders?.stop();
    await screens?.stop();
    await watcher.stop();
    await Promise.all(this.#busy);
    if (flush !== undefined) await this.#guarded('flush', flush);
    if (flushChecks !== undefined) await this.#guarded('flush-checks', flushChecks);
    // The last heartbeat is the end of the uptime, from which the next start measures the downtime.
    if (heartbeat !== undefined) await this.#guarded('heartbeat', async () => heartbeat.beat());
  }

  async #run({ name, run, isAwaited = false }: Job): Promise<void> {
    const work = this.#guarded(name, run);
    if (!isAwaited) return work;
    this.#busy.add(work);
    await work;
    this.#busy.delete(work);
  }

  /** Runs a job. Repeated failures, such as of the store, are logged at the first, once an hour, and at the end. */
  async #guarded(name: string, work: Job['run']): Promise<void> {
    try {
      await work();
      const times = this.#failures.get(name)?.times;
      if (this.#failures.delete(name)) this.#deps.log.info('job.well-again', { job: name, times });
    } catch (cause) {
      this.#failed(name, cause);
    }
  }

  #failed(name: string, cause: unknown): void {
    const now = this.#deps.clock.now();
    const { times, loggedAt } = this.#failures.get(name) ?? { times: 0, loggedAt: undefined };
    const isSilent = loggedAt !== undefined && now - loggedAt < HOUR;
    this.#failures.set(name, { times: times + 1, loggedAt: isSilent ? loggedAt : now });
    if (!isSilent) this.#deps.log.error('job.failed', { job: name, times: times + 1, cause });
  }
}
