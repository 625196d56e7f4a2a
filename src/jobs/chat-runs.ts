/** Runs what is due, one run per chat at a time. */
import type { Queue } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { SECOND, type Clock, type Instant } from '../base/clock.js';
import { within } from '../base/deadline.js';
import { dueIndex } from '../base/due-index.js';
import type { Log } from '../base/log.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Address } from '../chat/address.js';

export interface ChatRuns {
  /** Does not wait for the runs. */
  tick(): void;
  /** Chats with a run under way, and since when. */
  running(): Iterable<readonly [chat: Address, since: Instant]>;
  /** Until every run ended or rests. */
  idle(): Promise<void>;
  /** Waits briefly for what is under way. */
  stop(): Promise<void>;
}

export interface ChatRunsDeps {
  /** In the log. */
  readonly name: string;
  readonly queues: Pick<Queues, 'read' | 'busy'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined: nothing is due, as in every queue that is not busy. Pure. */
  dueAt(queue: Queue, now: Instant): Instant | undefined;
  /** Until nothing is due or `signal` aborts. `rest` wraps waits for time. */
  run(address: Address, signal: AbortSignal, rest: <T>(wait: Promise<T>) => Promise<T>): Promise<void>;
  /** Calls `changed` for chats whose due time may have changed. */
  watch(changed: (address: Address) => void): void;
}

const PATIENCE = 4 * SECOND;
const INDEXED_AT_ONCE = 500;

export function createChatRuns({ name, queues, clock, log, dueAt, run: work, watch }: ChatRunsDeps): ChatRuns {
  const stopping = new AbortController();
  const running = new Map<Address, Promise<void>>();
  const runningSince = new Map<Address, Instant>();
  const resting = new Set<Address>();
  let idlers: (() => void)[] = [];
  const failing = new Set<Address>();
  const index = dueIndex<Address>();
  const changed = new Set<Address>();
  let lastTick: Instant | undefined;
  watch((address) => changed.add(address));

  let isIndexing = false;
  const isIdle = (): boolean => !isIndexing && [...running.keys()].every((address) => resting.has(address));
  const announce = (): void => {
    // Without a waiter it must not cost a look at every run, for each run.
    if (idlers.length === 0 || !isIdle()) return;
    const waiting = idlers;
    idlers = [];
    for (const resolve of waiting) resolve();
  };
  const run = async (address: Address): Promise<void> => {
    try {
      await work(address, stopping.signal, async (wait) => {
        resting.add(address);
        announce();
        return wait.finally(() => resting.delete(address));
      });
      if (failing.delete(address)) log.info(`${name}.well-again`, { address });
    } catch (cause) {
      // The store failed: the next tick retries. Logged once per outage.
      if (!failing.has(address) && !stopping.signal.aborted) log.error(`${name}.failed`, { address, cause });
      failing.add(address);
    } finally {
      running.delete(address);
      runningSince.delete(address);
      changed.add(address);
      announce();
    }
  };
  const ended = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running.values());
  };

  const indexSome = (now: Instant): void => {
    let count = 0;
    for (const address of changed) {
      if (count === INDEXED_AT_ONCE) return;
      count += 1;
      changed.delete(address);
      if (!running.has(address)) index.set(address, dueAt(queues.read(address), now));
    }
  };
  const startDue = (now: Instant): void => {
    for (const address of index.take(now)) {
      if (running.has(address)) continue;
      runningSince.set(address, now);
      running.set(address, run(address));
    }
  };
  const indexRest = async (): Promise<void> => {
    try {
      // Those that change meanwhile come last, and wait for the next tick.
      for (let left = changed.size; left > 0 && !stopping.signal.aborted; left -= INDEXED_AT_ONCE) {
        await yieldToEventLoop();
        const now = clock.now();
        indexSome(now);
        startDue(now);
      }
    } catch (cause) {
      log.error(`${name}.failed`, { cause });
    } finally {
      isIndexing = false;
      announce();
    }
  };

  return {
    tick() {
      if (stopping.signal.aborted) return;
      const now = clock.now();
      // After the clock was set back all due times change.
      if (lastTick === undefined || now < lastTick) for (const address of queues.busy()) changed.add(address);
      lastTick = now;
      if (isIndexing) return;
      indexSome(now);
      startDue(now);
      isIndexing = changed.size > 0;
      if (isIndexing) void indexRest();
    },
    running: () => runningSince,
    async idle() {
      while (!isIdle()) await new Promise<void>((resolve) => idlers.push(resolve));
    },
    async stop() {
      stopping.abort();
      await within(clock, PATIENCE, ended());
    },
  };
}
