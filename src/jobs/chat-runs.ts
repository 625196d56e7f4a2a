/** This module runs due work of chats, one run per chat at a time. */
import type { Queue } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { SECOND, type Clock, type Instant } from '../base/clock.js';
import { within } from '../base/deadline.js';
import { DueIndex } from '../base/due-index.js';
import type { Log } from '../base/log.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Address } from '../chat/address.js';

export interface ChatRunsDeps {
  /** The name of the run in logs. */
  readonly name: string;
  readonly queues: Pick<Queues, 'read' | 'busy'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns when work is due; undefined if there is none, as in every queue that is not busy. Must be pure. */
  dueAt(queue: Queue, now: Instant): Instant | undefined;
  /** Runs until nothing is due or `signal` aborts. `rest` wraps waits for time. */
  run(address: Address, signal: AbortSignal, rest: <T>(wait: Promise<T>) => Promise<T>): Promise<void>;
  /** Calls `changed` for chats whose due time may have changed. */
  watch(changed: (address: Address) => void): void;
}

const PATIENCE = 4 * SECOND;
const INDEXED_AT_ONCE = 500;

export class ChatRuns {
  readonly #deps: ChatRunsDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Address, Promise<void>>();
  readonly #runningSince = new Map<Address, Instant>();
  readonly #resting = new Set<Address>();
  readonly #failing = new Set<Address>();
  readonly #index = new DueIndex<Address>();
  readonly #changed = new Set<Address>();
  #idlers: (() => void)[] = [];
  #isIndexing = false;
  #lastTick: Instant | undefined;

  constructor(deps: ChatRunsDeps) {
    this.#deps = deps;
    deps.watch((address) => this.#changed.add(address));
  }

  /** Starts due runs without waiting for them. */
  tick(): void {
    if (this.#stopping.signal.aborted) return;
    const now = this.#deps.clock.now();
    // If the clock was set back, all due times change.
    if (this.#lastTick === undefined || now < this.#lastTick) for (const address of this.#deps.queues.busy()) this.#changed.add(address);
    this.#lastTick = now;
    if (this.#isIndexing) return;
    this.#indexSome(now);
    this.#startDue(now);
    this.#isIndexing = this.#changed.size > 0;
    if (this.#isIndexing) void this.#indexRest();
  }

  /** Returns the chats whose run has not ended, and when it began. */
  running(): Iterable<readonly [chat: Address, since: Instant]> {
    return this.#runningSince;
  }

  /** Resolves when every run has ended or rests. */
  async idle(): Promise<void> {
    while (!this.#isIdle()) await new Promise<void>((resolve) => this.#idlers.push(resolve));
  }

  /** Stops, and waits some seconds for runs to end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await within(this.#deps.clock, PATIENCE, this.#ended());
  }

  async #ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #isIdle(): boolean {
    return !this.#isIndexing && [...this.#running.keys()].every((address) => this.#resting.has(address));
  }

  #announce(): void {
    // Skip the scan of all runs if nobody waits for it.
    if (this.#idlers.length === 0 || !this.#isIdle()) return;
    const waiting = this.#idlers;
    this.#idlers = [];
    for (const resolve of waiting) resolve();
  }

  async #run(address: Address): Promise<void> {
    const { name, log, run } = this.#deps;
    try {
      await run(address, this.#stopping.signal, async (wait) => {
        this.#resting.add(address);
        this.#announce();
        return wait.finally(() => this.#resting.delete(address));
      });
      if (this.#failing.delete(address)) log.info(`${name}.well-again`, { address });
    } catch (cause) {
      // The store failed, so the next tick retries. Log once per outage.
      if (!this.#failing.has(address) && !this.#stopping.signal.aborted) log.error(`${name}.failed`, { address, cause });
      this.#failing.add(address);
    } finally {
      this.#running.delete(address);
      this.#runningSince.delete(address);
      this.#changed.add(address);
      this.#announce();
    }
  }

  #indexSome(now: Instant): void {
    const { queues, dueAt } = this.#deps;
    let count = 0;
    for (const address of this.#changed) {
      if (count === INDEXED_AT_ONCE) return;
      count += 1;
      this.#changed.delete(address);
      if (!this.#running.has(address)) this.#index.set(address, dueAt(queues.read(address), now));
    }
  }

  #startDue(now: Instant): void {
    for (const address of this.#index.take(now)) {
      if (this.#running.has(address)) continue;
      this.#runningSince.set(address, now);
      this.#running.set(address, this.#run(address));
    }
  }

  async #indexRest(): Promise<void> {
    const { name, clock, log } = this.#deps;
    try {
      // Chats that change during the loop are appended, and left for the next tick.
      for (let left = this.#changed.size; left > 0 && !this.#stopping.signal.aborted; left -= INDEXED_AT_ONCE) {
        await yieldToEventLoop();
        const now = clock.now();
        this.#indexSome(now);
        this.#startDue(now);
      }
    } catch (cause) {
      log.error(`${name}.failed`, { cause });
    } finally {
      this.#isIndexing = false;
      this.#announce();
    }
  }
}
