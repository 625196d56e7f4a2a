/** The processes of a simulation: one, or an active one and a standby over one store. What is killed or stopped starts again. */
import type { RunningApp } from '../../../src/app.js';
import { platformOf, type Address } from '../../../src/chat/address.js';
import type { PlatformDeps } from '../../../src/platforms/descriptor.js';
import { startBot } from '../bot/bot.js';
import type { Disk } from '../machine/disk.js';
import type { Random } from '../machine/random.js';
import { life, type Life, type Time } from '../machine/time.js';
import type { Platform } from '../platform/platform.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Service } from '../world/service.js';

export interface Fleet {
  /** What the active process gives a platform; undefined: no process is active. */
  deps(chat: Address): PlatformDeps | undefined;
  kill(down: number): void;
  stop(down: number): void;
  /** The active process stands still for so long, and does not know it. */
  pause(milliseconds: number): void;
  jump(milliseconds: number): void;
  end(): void;
  readonly kills: () => number;
  readonly pauses: () => number;
  readonly takeovers: () => number;
  /** Milliseconds that each stop took. */
  readonly stops: readonly number[];
  /** What processes logged as errors. */
  readonly errors: readonly string[];
  /** From the end of an active process until another is active; `to` is infinite for the last. */
  readonly downtimes: readonly { readonly from: number; to: number }[];
}

export interface FleetDeps {
  readonly scenario: Scenario;
  readonly time: Time;
  readonly random: Random;
  readonly disk: Disk;
  readonly service: Service;
  readonly platforms: readonly Platform[];
  readonly onStart: () => void;
  /** A process has become active. */
  readonly onActive: () => void;
}

/** Until a supervisor starts what failed to start, in ms. */
const RESTART = 1_000;

interface Process {
  readonly life: Life;
  readonly app: Promise<RunningApp>;
  /** By platform, once it is active. */
  readonly deps: Map<string, PlatformDeps>;
  isStopping: boolean;
}

export function createFleet({ scenario, time, random, disk, service, platforms, onStart, onActive }: FleetDeps): Fleet {
  const processes: Process[] = [];
  const downtimes: { readonly from: number; to: number }[] = [{ from: time.now(), to: Number.POSITIVE_INFINITY }];
  const stops: number[] = [];
  const errors: string[] = [];
  const isShared = scenario.processes > 1;
  let kills = 0;
  let pauses = 0;
  let takeovers = 0;
  let ahead = 0;
  let isOver = false;

  const begin = (): void => {
    if (isOver) return;
    const own = life(time, ahead);
    const deps = new Map<string, PlatformDeps>();
    const app = startBot(own, {
      ...{ time, random, connect: service.connect(own), tickSeconds: scenario.tickSeconds },
      store: disk.store(own, isShared),
      platforms: platforms.map((platform) => platform.connect(own, (given) => void deps.set(platform.name, given))),
      settings: settingsOf(scenario),
      failed: (event, fields = {}) => void errors.push(`${event} ${causeOf(fields['cause'] ?? fields['error'])}`),
    });
    const process: Process = { life: own, app, deps, isStopping: false };
    processes.push(process);
    onStart();
    const isActive = (): void => {
      const last = downtimes.at(-1);
      if (last?.to === Number.POSITIVE_INFINITY) last.to = time.now();
      onActive();
    };
    void app.then(
      ({ sharing, stop }) => {
        void sharing?.lost.then(() => exit(process, random.whole(0, 5_000)));
        if (sharing?.isStandby !== true) return isActive();
        void sharing.tookOver.then(
          () => {
            takeovers += 1;
            isActive();
          },
          // It ends as src/main.ts does.
          () => void stop().finally(() => exit(process, RESTART)),
        );
      },
      // A start that fails ends the process; a supervisor starts it again.
      () => exit(process, RESTART),
    );
  };
  const isServing = ({ deps, isStopping }: Process): boolean => deps.size > 0 && !isStopping;
  const active = (): Process | undefined => processes.find((process) => process.life.isAlive() && isServing(process));

  const running = (): Process | undefined =>
    processes.find((process) => process.life.isAlive() && isServing(process) && !process.life.isPaused());

  const exit = (process: Process, down: number): void => {
    if (!process.life.isAlive()) return;
    process.life.kill();
    disk.crash(process.life);
    processes.splice(processes.indexOf(process), 1);
    if (!isOver && active() === undefined && downtimes.at(-1)?.to !== Number.POSITIVE_INFINITY)
      downtimes.push({ from: time.now(), to: Number.POSITIVE_INFINITY });
    time.at(time.now() + down, begin);
  };

  for (let count = 0; count < scenario.processes; count += 1) time.at(time.now() + count * 100, begin);
  return {
    stops,
    errors,
    downtimes,
    kills: () => kills,
    pauses: () => pauses,
    takeovers: () => takeovers,
    deps: (chat) => running()?.deps.get(platformOf(chat)),
    kill(down) {
      const process = active() ?? processes[0];
      if (process === undefined) return;
      kills += 1;
      exit(process, down);
    },
    stop(down) {
      const process = running();
      if (process === undefined) return;
      const from = time.now();
      process.isStopping = true;
      downtimes.push({ from, to: Number.POSITIVE_INFINITY });
      const stopped = process.app.then(async (app) => {
        await app.stop();
        stops.push(time.now() - from);
      });
      // What it waits for may fail: its own start, or a write of the stop. It ends all the same.
      void stopped.catch((cause: unknown) => errors.push(`stop ${causeOf(cause)}`)).then(() => exit(process, down));
    },
    pause(milliseconds) {
      const process = running();
      if (process === undefined) return;
      pauses += 1;
      const until = time.now() + milliseconds;
      process.life.pause(until);
      downtimes.push({ from: time.now(), to: until });
      time.at(until, onActive);
    },
    jump(milliseconds) {
      ahead += milliseconds;
      for (const process of processes) process.life.jump(milliseconds);
    },
    end() {
      isOver = true;
      for (const process of processes) process.life.kill();
    },
  };
}

const causeOf = (cause: unknown): string => (cause instanceof Error ? `${cause.name}: ${cause.message}` : '');

function settingsOf({ pollSeconds, requestsPerMonth, ambiguous, world }: Scenario): Readonly<Record<string, string>> {
  return {
    ANALYTICS_BASE_URL: 'http://service.test',
    ANALYTICS_API_KEY: 'simulated-key',
    ...(requestsPerMonth === undefined ? {} : { ANALYTICS_REQUESTS_PER_MONTH: String(requestsPerMonth) }),
    ACCESS: 'open',
    PROJECTS: world.projects.join(','),
    POLL_MIN_SECONDS: String(pollSeconds),
    WALLET_MAX_AGE_MINUTES: '60',
    AMBIGUOUS_SENDS: ambiguous,
    STORE_URL: 'memory://',
  };
}
