/**
 * Several processes with a lease each on one simulated engine, in virtual time. Each has clocks of its own, which drift, jump and stand still; calls
 * and replies are slow, or lost. All of it is drawn from one seed.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { SECOND, instant } from '../../../src/base/clock.js';
import type { Log } from '../../../src/base/log.js';
import type { MachineClock } from '../../../src/base/trusted-clock.js';
import { LEASE_TTL, Lease } from '../../../src/operations/lease/lease.js';
import { StoreError, type SharedEngine } from '../../../src/store/store.js';
import { seeded, type Random } from '../../simulation/machine/random.js';

const SILENT: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const RESTARTED_AFTER = 5 * SECOND;

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** In real milliseconds, which no process can read. */
function openTimeline() {
  let now = 0;
  let order = 0;
  const events: Event[] = [];
  return {
    now: () => now,
    in: (milliseconds: number, run: () => void) => {
      const event = { at: now + Math.max(0, milliseconds), order: (order += 1), run };
      const place = events.findLastIndex(({ at }) => at <= event.at);
      events.splice(place + 1, 0, event);
    },
    /** Runs the next event; false once there is none until `end`. */
    async step(end: number): Promise<boolean> {
      const event = events[0];
      if (event === undefined || event.at > end) return false;
      events.shift();
      now = event.at;
      event.run();
      // All that it wakes.
      await turn();
      return true;
    },
  };
}

/** As an engine keeps it, by a clock that nothing moves. */
interface Stored {
  readonly epoch: number;
  readonly until: number;
}

export interface Network {
  /** Of one way, in ms; undefined: lost. */
  readonly delay: () => number | undefined;
}

export interface SimulatedProcess {
  readonly name: string;
  /** What it would decide now, were it not paused: it asks before each request. */
  believesToBeActive(): boolean;
  /** Nothing of it runs until then; the monotonic clock stands still too where the machine is suspended. */
  pause(milliseconds: number, isSuspended: boolean): void;
  /** Its wall clock is set. */
  setClock(byMilliseconds: number): void;
  kill(): void;
  stop(): void;
}

function openProcesses(random: Random, network: Network) {
  const timeline = openTimeline();
  let stored: Stored = { epoch: 0, until: 0 };
  /** When the lease was taken, by real time. */
  const takenAt: number[] = [];

  function start(name: string): SimulatedProcess {
    const rate = 1 + (random.next() - 0.5) * 0.002;
    const [bootedAt, wallAt] = [random.next() * 1e9, random.next() * 1e12];
    let [suspended, jumped, pausedUntil] = [0, 0, 0];
    let lives = 0;
    let end = (): void => {};
    let lease: Lease | undefined;

    const boot = (): void => {
      lives += 1;
      const life = lives;
      let epoch: number | undefined;
      let isOver = false;
      /** What wakes a process waits until it runs. */
      const later = (milliseconds: number, wake: () => void): void =>
        timeline.in(milliseconds, () => {
          if (life !== lives) return;
          if (timeline.now() < pausedUntil) later(pausedUntil - timeline.now(), wake);
          else wake();
        });
      const clock: MachineClock = {
        now: () => instant(wallAt + timeline.now() * rate + jumped),
        monotonic: () => bootedAt + (timeline.now() - suspended) * rate,
        sleep: async (milliseconds, signal) =>
          new Promise((resolve, reject) => {
            const abort = (): void => reject(new Error('aborted'));
            signal?.addEventListener('abort', abort, { once: true });
            later(milliseconds, () => {
              signal?.removeEventListener('abort', abort);
              resolve();
            });
          }),
      };
      const call = async <T>(work: () => T): Promise<T> =>
        new Promise((resolve, reject) => {
          const [there, back] = [network.delay(), network.delay()];
          const lost = (): void => {
            if (random.chance(0.5)) later(random.whole(100, 8_000), () => reject(new StoreError('failed', 'store: no answer')));
          };
          if (there === undefined) return lost();
          timeline.in(there, () => {
            let reply: () => void;
            try {
              const result = work();
              reply = () => resolve(result);
            } catch (error) {
              reply = () => reject(error instanceof Error ? error : new Error('thrown'));
            }
            if (back === undefined) lost();
            else later(back, reply);
          });
        });
      const shared: Pick<SharedEngine, 'acquire' | 'release'> = {
        acquire: async (_, ttl) =>
          call(() => {
            const now = timeline.now();
            if (epoch !== undefined && epoch !== stored.epoch) isOver = true;
            if (isOver) throw new StoreError('superseded', 'store: another process is active');
            if (epoch === undefined && stored.until > now) return undefined;
            if (epoch === undefined) takenAt.push(now);
            epoch ??= stored.epoch + 1;
            stored = { epoch, until: now + ttl };
            return { epoch };
          }),
        release: async () =>
          call(() => {
            if (epoch === stored.epoch) stored = { epoch: stored.epoch + 1, until: 0 };
            isOver = true;
          }),
      };
      lease = new Lease({ shared, holder: name, clock, log: SILENT });
      end = () => {
        if (life !== lives) return;
        lives += 1;
        lease = undefined;
        timeline.in(RESTARTED_AFTER, boot);
      };
      void lease.lost.then(() => end());
    };
    boot();
    return {
      name,
      believesToBeActive: () => lease?.isHeld() === true,
      pause(milliseconds, isSuspended) {
        if (timeline.now() < pausedUntil) return;
        pausedUntil = timeline.now() + milliseconds;
        // Both clocks are read only once it runs again, so that the order within the pause does not matter.
        if (isSuspended) suspended += milliseconds;
      },
      setClock: (by) => void (jumped += by),
      kill: () => end(),
      stop: () => {
        const [life, ending] = [lives, lease];
        void ending?.stop().then(() => life === lives && end());
      },
    };
  }
  return { timeline, start, takenAt };
}

export interface Played {
  /** DatesAhead at which more than one process would have sent. */
  readonly overlaps: readonly string[];
  readonly takeovers: number;
  /** Whether exactly one was active in the end. */
  readonly recovered: boolean;
}

const CHAOS = 120 * SECOND;
/** The longest wait for one active process once nothing goes wrong any more. */
const CALM = 30 * SECOND;

/** Two minutes of faults, and then none. */
export async function play(seed: number): Promise<Played> {
  const random = seeded(seed);
  let isCalm = false;
  const [slow, lossy] = [random.next() * 0.3, random.next() * 0.3];
  const delay = (): number | undefined => {
    if (isCalm) return random.whole(0, 20);
    if (random.chance(lossy)) return undefined;
    return random.chance(slow) ? random.whole(500, 20_000) : random.whole(0, 50);
  };
  const { timeline, start, takenAt } = openProcesses(random, { delay });
  const processes = ['a', 'b', 'c'].slice(0, random.whole(2, 3)).map((name) => start(name));
  // A machine that is suspended while its wall clock is set back cannot notice: one of the two a run.
  const suspends = random.chance(0.5);
  const fault = (): void => {
    if (isCalm) return;
    const active = processes.find((one) => one.believesToBeActive());
    const one = active !== undefined && random.chance(0.6) ? active : random.pick(processes);
    const lot = random.next();
    if (lot < 0.4) one.pause(random.whole(200, 2.5 * LEASE_TTL), suspends && random.chance(0.5));
    else if (lot < 0.6 && !suspends) one.setClock(random.whole(-60, 60) * random.pick([10, SECOND, 3_600 * SECOND]));
    else if (lot < 0.8) one.kill();
    else one.stop();
    timeline.in(random.whole(0, 12 * SECOND), fault);
  };
  timeline.in(0, fault);
  const probe = (): void => timeline.in(random.whole(1, 400), probe);
  probe();
  timeline.in(CHAOS, () => {
    isCalm = true;
  });
  const overlaps: string[] = [];
  const look = (): void => {
    const sending = processes.filter((one) => one.believesToBeActive());
    if (sending.length > 1) overlaps.push(`at ${timeline.now()} ms: ${sending.map(({ name }) => name).join(' and ')}`);
  };
  // A pause of the last moment, a restart, a lease that nobody renews, and the wait for it.
  const end = CHAOS + 2.5 * LEASE_TTL + RESTARTED_AFTER + CALM;
  while (await timeline.step(end)) look();
  return { overlaps, takeovers: takenAt.length, recovered: processes.filter((one) => one.believesToBeActive()).length === 1 };
}
