/** Plays the real bot through a month under a plan: its planner and poller, clock and network in the bench's hand. */
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { DeliveredEvent, MessageAbout } from '../../../src/chat/notifier.js';
import { loadCommands } from '../../../src/dispatch/registry.js';
import type { ConnectedPlatform, PlatformDeps } from '../../../src/platforms/descriptor.js';
import { openStore } from '../../../src/store/open.js';
import { startBot } from '../../simulation/bot/bot.js';
import { seeded } from '../../simulation/machine/random.js';
import { life, simulatedTime, type Time } from '../../simulation/machine/time.js';
import { withoutSettings } from '../../simulation/platform/platform.js';
import type { Reported } from './oracle.js';
import { benchService, type Lists, type ServiceOptions } from './service.js';
import { START, type Month } from './truth.js';

export interface PlayOptions {
  readonly month: Month;
  readonly lists: Lists;
  /** Undefined: no monthly limit. */
  readonly limit: number | undefined;
  readonly rows: number;
  readonly pages: number;
  /** Seconds between two runs of what is due each second: the resolution of delays. */
  readonly tickSeconds: number;
  readonly until: number;
  readonly told: ServiceOptions['told'];
  /** Called every so many ms; undefined: never. */
  readonly sampled?: { readonly every: number; readonly call: (now: number) => void };
}

export interface Played {
  readonly requests: readonly { readonly at: number; readonly path: string }[];
  /** When `/watch all` was typed. */
  readonly watchedAt: number;
  readonly reports: readonly Reported[];
  readonly errors: readonly string[];
}

const PLATFORM = 'discord';
const WATCH_ALL = '/watch all';
const IMPORTANT = address(PLATFORM, 'important');
const MOST = address(PLATFORM, 'most');
/** The chats and what they type; `/watch all` last, because the first two minutes begin with it. */
const LINES: readonly (readonly [Address, string])[] = [
  [IMPORTANT, '/settings alerts important'],
  [MOST, '/settings alerts most'],
  [IMPORTANT, WATCH_ALL],
  [MOST, WATCH_ALL],
  [MOST, '/alerts all premium below -10 band 1'],
];

function recordingPlatform(now: () => number, reports: Reported[]) {
  let deps: PlatformDeps | undefined;
  let messages = 0;
  const record = async (chat: Address, about: Pick<MessageAbout<string>, 'events'> | undefined, isEdit: boolean): Promise<void> => {
    const at = now();
    const events: readonly DeliveredEvent[] = (await about?.events()) ?? [];
    for (const { id, feed, stage, topic, facts, project = '', detectedAt } of events)
      reports.push({ id, feed, stage, topic, facts, project, detectedAt, at, chat, isEdit });
  };
  const connected: ConnectedPlatform = {
    ...withoutSettings(PLATFORM),
    async create(given) {
      deps = given;
      return {
        start: () => {},
        stop: async () => {},
        notifier: {
          platform: PLATFORM,
          knowsRepeats: true,
          async deliver(to, { about }) {
            await record(to, about, false);
            messages += 1;
            return { kind: 'sent', messageId: String(messages) };
          },
          async revise(to, { about }) {
            await record(to, about, true);
            return { kind: 'edited' };
          },
          probe: async () => ({ missing: [] }),
          diagnose: async () => ({ ok: true, says: 'simulated' }),
        },
      };
    },
  };
  return { connected, deps: () => deps };
}

/** Lets time pass until it has ended. */
async function passing<T>(time: Time, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  work.then(end, end);
  while (!over.signal.aborted) await time.until(time.now() + SECOND);
  return work;
}

export async function play({ month, lists, limit, rows, pages, tickSeconds, until, told, sampled }: PlayOptions): Promise<Played> {
  // The commands are files, which a process reads once: before simulated time begins.
  await loadCommands();
  const time = simulatedTime(START);
  const own = life(time);
  const random = seeded(1);
  const reports: Reported[] = [];
  const errors: string[] = [];
  const platform = recordingPlatform(() => time.now(), reports);
  const service = benchService({ month, lists, plan: { rows, pages }, now: () => time.now(), told });
  const starting = startBot(own, {
    ...{ time, random, tickSeconds, connect: service.connect, platforms: [platform.connected] },
    store: await openStore('memory://'),
    settings: {
      ANALYTICS_BASE_URL: 'http://service.test',
      ANALYTICS_API_KEY: 'bench-key',
      ...(limit === undefined ? {} : { ANALYTICS_REQUESTS_PER_MONTH: String(limit) }),
      ACCESS: 'open',
      POLL_MIN_SECONDS: '60',
      STORE_URL: 'memory://',
    },
    failed: (event, fields = {}) => void errors.push(`${event} ${JSON.stringify(fields)}`),
  });
  const app = await passing(time, starting);
  let watchedAt = 0;
  for (const [chat, line] of LINES) {
    if (watchedAt === 0 && line === WATCH_ALL) watchedAt = time.now();
    const from = { id: `${PLATFORM}/ada`, name: 'Ada', manages: async () => true };
    const answering = platform.deps()?.answer({ chat, from, circles: [], ask: { line } });
    if (answering === undefined) throw new Error('the platform was not created');
    const reply = await passing(time, answering);
    if (reply.tone === 'warning' && reply.audience === 'asker') errors.push(`${line}: refused`);
  }
  const every = sampled?.every ?? MINUTE;
  for (let next = Math.ceil(time.now() / every) * every; next <= until; next += every) {
    await time.until(next);
    sampled?.call(next);
  }
  await passing(time, app.stop());
  return { requests: service.requests, watchedAt, reports, errors };
}
