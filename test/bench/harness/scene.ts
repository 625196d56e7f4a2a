/** What a row is measured on: the service and the platform in processes of their own, and a bot on a store that was written before its start. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWatchlists } from '../../../src/alerts/watchlist/watchlists.js';
import type { Target } from '../../../src/alerts/watchlist/entry.js';
import { later, SECOND, systemClock } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import { slug } from '../../../src/domain/scalars.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import type { Taken } from '../programs/taken.js';
import type { Answered, Rules } from '../programs/telegram.js';
import { startBot, type Bot } from './bot.js';
import { startChild, type Child } from './child.js';

const API_KEY = 'bench-key';
export const TELEGRAM_TOKEN = `7100000001:${'t'.repeat(35)}`;
/** The project whose mints are alerted: one in which little happens by nature. */
const PROJECT = 'tide';
/** A private chat whose person runs the bot, and which watches nothing. */
export const OPERATOR = 900_001;
/** Set where no platform's limit is to be felt. Versions without these settings ignore them. */
export const NO_LIMIT = { TELEGRAM_MESSAGES_PER_SECOND: '100000', DISCORD_REQUESTS_PER_SECOND: '100000' };

export interface Telegram {
  readonly pid: number;
  readonly url: string;
  rules(rules: Rules): Promise<void>;
  reset(): Promise<void>;
  taken(): Promise<Taken>;
  /** Resolves with whether so many chats had a message in time. */
  reached(count: number, milliseconds: number): Promise<boolean>;
  polled(): Promise<void>;
  /** Resolves when the answer is there; undefined where none came. */
  ask(what: {
    readonly chat: number;
    readonly text: string;
    readonly picture?: boolean;
    readonly milliseconds?: number;
  }): Promise<Answered | undefined>;
  stop(): Promise<void>;
}

export async function startTelegram(rules: Rules = {}): Promise<Telegram> {
  const child = await startChild<{ readonly url: string }>('telegram');
  await child.call('rules', rules);
  return {
    pid: child.pid,
    url: child.ready.url,
    rules: async (next) => child.call('rules', next),
    reset: async () => child.call('reset'),
    taken: async () => child.call('taken'),
    reached: async (count, milliseconds) => child.call('reached', { count, milliseconds }),
    polled: async () => child.call('polled'),
    ask: async (what) => child.call('ask', what),
    stop: async () => child.stop(),
  };
}

/** Chats on Telegram, by number. */
const chatNumber = (index: number): number => 100_001 + index;
const onTelegram = (index: number): Address => address('telegram', String(chatNumber(index)));
export const project = (name: string): Target => ({ kind: 'project', slug: slug(name) });

/** Writes watchlists through the program's own modules, as the bot will find them at its start. */
async function writeChats(
  folder: string,
  {
    chats,
    targets,
    furnish,
  }: { readonly chats: readonly Address[]; readonly targets: readonly Target[]; readonly furnish: Setting['furnish'] },
): Promise<void> {
  await mkdir(join(folder, 'data'), { recursive: true });
  const store = await openStore(`sqlite://${join(folder, 'data', 'navwatch.sqlite')}`, { pragmas: ['synchronous = OFF'] });
  try {
    const watchlists = await openWatchlists(store);
    const now = systemClock.now();
    // As in life each chat began at another time, so that nothing that names the time is shared.
    const entriesOf = (index: number) =>
      targets.map((target) => ({ target, since: later(now, -index * SECOND), by: 'Anna', preset: 'everything' as const }));
    for (let from = 0; from < chats.length; from += 1_000)
      await Promise.all(
        chats.slice(from, from + 1_000).map(async (chat, index) => {
          const entries = entriesOf(from + index);
          await watchlists.change(chat, (before) => ({ ...before, entries }));
        }),
      );
    await furnish?.(store);
  } finally {
    await store.close();
  }
}

export interface Scene {
  readonly folder: string;
  readonly telegram: Telegram;
  /** All projects of the world. */
  readonly projects: readonly string[];
  /** Starts the bot; again once it has ended. */
  start(how?: { readonly ready?: boolean; readonly env?: Readonly<Record<string, string>> }): Promise<Bot>;
  /** Mints tokens of the project, so many times. */
  mint(times?: number): Promise<void>;
}

export interface Setting {
  /** Who watches the project: so many chats on Telegram, or these. */
  readonly chats?: number | readonly Address[];
  /** Instead of that project alone. */
  readonly targets?: (projects: readonly string[]) => readonly Target[];
  readonly rules?: Rules;
  /** Settings beside those of every scene; undefined leaves one out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Writes more into the store. */
  readonly furnish?: (store: Store) => Promise<void>;
  /** How densely things happen by nature. */
  readonly pace?: number;
}

/** Runs `work` on a scene of its own and ends every process of it afterwards. */
export async function withScene<T>(
  { chats = 1, targets, furnish, rules = {}, env = {}, pace = 0.001 }: Setting,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-bench-'));
  const bots: Bot[] = [];
  let simulator: Child<{ readonly url: string; readonly projects: readonly string[] }> | undefined;
  let telegram: Telegram | undefined;
  try {
    simulator = await startChild('simulator', [String(pace), API_KEY]);
    telegram = await startTelegram(rules);
    const { url, projects } = simulator.ready;
    const addresses = typeof chats === 'number' ? Array.from({ length: chats }, (_, index) => onTelegram(index)) : chats;
    await writeChats(folder, { chats: addresses, targets: targets?.(projects) ?? [project(PROJECT)], furnish });
    const all = {
      ANALYTICS_BASE_URL: url,
      ANALYTICS_API_KEY: API_KEY,
      ANALYTICS_REQUESTS_PER_SECOND: '200',
      TELEGRAM_TOKEN,
      TELEGRAM_API_ROOT: telegram.url,
      ACCESS: 'open',
      OPERATORS: `telegram/user/${OPERATOR}`,
      POLL_MIN_SECONDS: '3',
      ...env,
    };
    let minted = 0;
    return await work({
      ...{ folder, telegram, projects },
      async start(how) {
        const bot = await startBot(folder, { ...all, ...how?.env }, how);
        bots.push(bot);
        return bot;
      },
      async mint(times = 1) {
        const orders = Array.from({ length: times }, () => ({ kind: 'mint', project: PROJECT, amount: `${1_234 + (minted += 1)}.5` }));
        for (let from = 0; from < orders.length; from += 500) await inject(url, orders.slice(from, from + 500));
      },
    });
  } finally {
    for (const bot of bots) await bot.kill();
    await telegram?.stop();
    await simulator?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function inject(url: string, orders: readonly unknown[]): Promise<void> {
  const answer = await fetch(`${url}/__sim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(orders),
  });
  if (!answer.ok) throw new Error(`bench: the service refused an event: ${await answer.text()}`);
}
