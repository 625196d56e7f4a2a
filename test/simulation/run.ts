/** Plays one scenario from its first second until nothing waits any more. */
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import type { Address } from '../../src/chat/address.js';
import { slug } from '../../src/domain/scalars.js';
import { startBot, type Bot } from './bot.js';
import { simulatedDisk } from './disk.js';
import { simulatedPlatform, type Platform } from './platform.js';
import { seeded } from './random.js';
import { PLATFORMS, PROJECTS, scenario, type Scenario, type Timed } from './scenario.js';
import { simulatedService } from './service.js';
import { life, simulatedTime, type Life } from './time.js';

/** Something a chat asked for: when it first did, and when the bot had said yes. */
export interface Request {
  readonly kind: 'watch' | 'unwatch' | 'mute';
  readonly chat: Address;
  readonly project: string | undefined;
  readonly askedAt: number;
  readonly doneAt: number;
}

export interface Played {
  readonly scenario: Scenario;
  readonly platforms: readonly Platform[];
  readonly requests: readonly Request[];
  readonly kills: number;
  /** Milliseconds that each stop took. */
  readonly stops: readonly number[];
  /** Whether something still waited when patience ended. */
  readonly isUnfinished: boolean;
}

type Asked = Extract<Timed, { kind: 'watch' | 'unwatch' | 'mute' }>;

/** What is left is delivered long before. */
const PATIENCE = HOUR;
/** Nothing may come any more after so long a quiet. */
const QUIET = MINUTE;

export async function play(seed: number): Promise<Played> {
  const script = scenario(seeded(seed));
  const random = seeded(seed ^ 0x5eed);
  const time = simulatedTime(script.start);
  const disk = simulatedDisk({ time, random, began: () => operation() });
  const service = simulatedService(script, { time, random });
  const platforms = PLATFORMS.map((name) => simulatedPlatform(name, { isExact: name === 'exact', time, random, began: () => operation() }));
  const around = { time, disk, platforms, service, projects: PROJECTS, random, ambiguous: script.ambiguous };
  const requests: Request[] = [];
  const stops: number[] = [];
  let kills = 0;
  let current: { readonly life: Life; readonly bot: Promise<Bot> } | undefined;
  let running: Bot | undefined;
  let stopping: typeof current;
  let operation = (): void => {};
  /** What a life could not do is asked of the next one. */
  let unanswered: (() => void)[] = [];

  const begin = (): void => {
    const own = life(time);
    const bot = startBot(own, around);
    current = { life: own, bot };
    void bot.then((started) => {
      running = started;
    });
    for (const ask of unanswered.splice(0)) ask();
  };
  const end = (down: number): void => {
    current = undefined;
    running = undefined;
    stopping = undefined;
    time.at(time.now() + down, begin);
  };
  const ask = (step: Asked, askedAt = time.now()): void => {
    const again = (): void => ask(step, askedAt);
    unanswered.push(again);
    void current?.bot
      .then(async (bot) => asked(bot, step))
      .then(() => {
        unanswered = unanswered.filter((one) => one !== again);
        const project = step.kind === 'mute' ? undefined : step.project;
        requests.push({ kind: step.kind, chat: step.chat, project, askedAt, doneAt: time.now() });
      });
  };
  const kill = ({ life: own }: { readonly life: Life }, down: number): void => {
    if (!own.isAlive()) return;
    kills += 1;
    own.kill();
    disk.crash();
    end(down);
  };
  const stop = (ending: NonNullable<typeof current>, down: number): void => {
    const from = time.now();
    current = undefined;
    stopping = ending;
    void ending.bot
      .then(async (bot) => bot.stop())
      .then(() => {
        stops.push(time.now() - from);
        ending.life.kill();
        end(down);
      });
  };
  /** Kills and stops that wait for their operation; one that stops can still be killed. */
  const armed: { readonly step: Extract<Timed, { after: number }>; left: number }[] = [];
  operation = () => {
    for (const one of [...armed]) {
      one.left -= 1;
      if (one.left >= 0) continue;
      armed.splice(armed.indexOf(one), 1);
      const process = current ?? stopping;
      if (process !== undefined && one.step.kind === 'kill') kill(process, one.step.down);
      else if (current !== undefined) stop(current, one.step.down);
    }
  };
  const act = (step: Timed): void => {
    switch (step.kind) {
      case 'kill':
      case 'stop':
        armed.push({ step, left: step.after });
        return;
      case 'service':
        service.fails(step.down);
        return;
      case 'platform':
        platforms.find(({ name }) => name === step.name)?.answers(outcomes[step.trouble ?? 'none']);
        return;
      case 'delete':
        for (const platform of platforms) platform.delete(step.chat);
        return;
      default:
        ask(step);
    }
  };

  begin();
  for (const step of script.steps) time.at(step.at, () => act(step));
  await time.until(script.calm);
  armed.splice(0);
  for (const platform of platforms) platform.heal();
  service.fails(false);
  let quietSince: number = time.now();
  while (time.now() - quietSince < QUIET && time.now() < script.calm + PATIENCE) {
    await time.until(time.now() + SECOND);
    if (running === undefined || running.isWaiting() || unanswered.length > 0) quietSince = time.now();
  }
  current?.life.kill();
  return { scenario: script, platforms, requests, kills, stops, isUnfinished: time.now() - quietSince < QUIET };
}

const outcomes = {
  none: undefined,
  limited: { kind: 'later', because: 'rate-limited', afterMs: 3 * SECOND },
  unreachable: { kind: 'later', because: 'unreachable' },
} as const;

async function asked(bot: Bot, step: Asked): Promise<void> {
  if (step.kind === 'mute') return bot.mute(step.chat, step.milliseconds);
  const target: Target = step.project === 'all' ? { kind: 'all' } : { kind: 'project', slug: slug(step.project) };
  return step.kind === 'watch' ? bot.watch(step.chat, target) : bot.unwatch(step.chat, target);
}
