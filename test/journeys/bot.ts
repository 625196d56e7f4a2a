/** The whole bot, from its HTTP door to its embedded service, with the clock and the jobs in the test's hand. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { startApp, type Overrides, type RunningApp } from '../../src/app.js';
import { SECOND, type Clock, type Instant } from '../../src/base/clock.js';
import { silentLog, type Log } from '../../src/base/log.js';
import { address, type Address } from '../../src/chat/address.js';
import { PictureError } from '../../src/charts/drawing-thread.js';
import { readConfig, withToken, type Config } from '../../src/config.js';
import { makeToken } from '../../src/config/console-token.js';
import { slug } from '../../src/domain/scalars.js';
import { FEEDS } from '../../src/feeds/index.js';
import type { Ticker } from '../../src/jobs/ticker.js';
import { openStore } from '../../src/store/open.js';
import { handClock, type HandClock } from '../support/clock.js';

const messageSchema = z.object({ id: z.int(), kind: z.enum(['question', 'reply', 'alert']), text: z.string() });

export interface BotOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: HandClock;
  /** Sleeps that are shorter pass by themselves, in milliseconds. */
  readonly hasteBelow?: number;
  /** A folder whose database files are copied and gone on with. */
  readonly from?: string;
  /** Where the log goes. */
  readonly log?: (config: Config) => Log;
  readonly overrides?: Pick<Overrides, 'limits' | 'monotonic' | 'connect' | 'listen' | 'pictures'>;
  /** What closes the bot; default: the end of the test. */
  readonly onClose?: (close: () => Promise<void>) => void;
  /** Awaited after each turn of the clock, before the jobs run. */
  readonly turned?: () => Promise<void>;
  /** Besides the page's first: chats whose new entries alert everything, so that stories can be shown with small events. */
  readonly everythingIn?: readonly Address[];
  /** What each of these chats watches from the beginning: nothing unless given. */
  readonly watching?: Watching;
}

/** With no other kind than these, whose checks and alerts would take most of the time of a story. */
export interface Watching {
  readonly target: Target;
  readonly kinds: readonly string[];
}
export const TIDE: Target = { kind: 'project', slug: slug('tide') };

/** Pictures cannot be drawn here, as without a build; each alert would start a thread to find that out. Their own tests draw them. */
const NO_PICTURES: Overrides['pictures'] = {
  svg: async () => Promise.reject(new PictureError('charts: nothing is drawn in journeys')),
  png: async () => Promise.reject(new PictureError('charts: nothing is drawn in journeys')),
  isCold: () => true,
  warm: async () => {},
  close: async () => {},
};

const MAIN = address('console', 'main');
/** Those of a bot that several tests share. */
const SHARED_CHATS = Array.from({ length: 40 }, (_, index) => address('console', `chat-${index + 1}`));

/** What stands in a chat before the bot starts. */
interface Standing {
  readonly chats: readonly Address[];
  readonly watching: Watching | undefined;
  readonly now: Instant;
}

async function prepare(storeUrl: string, { chats, watching, now }: Standing): Promise<void> {
  const store = await openStore(storeUrl);
  const watchlists = await openWatchlists(store);
  const kinds = FEEDS.map(({ id }) => id).filter((id) => watching?.kinds.includes(id) === false);
  const modes = Object.fromEntries(kinds.map((kind) => [kind, 'off' as const]));
  const entry = watching && { target: watching.target, since: now, by: 'the test', preset: 'everything' as const, modes };
  const preset = 'everything' as const;
  await Promise.all(
    chats.map(async (chat) => watchlists.change(chat, (before) => ({ ...before, preset, entries: entry === undefined ? [] : [entry] }))),
  );
  await store.close();
}

/** Pace and retries pass by themselves, because nobody turns the clock while a call is under way; deadlines wait. */
const hasty = (clock: HandClock, below: () => number): Clock => ({
  now: () => clock.now(),
  sleep: async (milliseconds, signal) => (milliseconds < below() ? clock.advance(milliseconds) : clock.sleep(milliseconds, signal)),
});

/** Seconds. A tick costs milliseconds however little is due, so a story of minutes does not tick each second. */
const USUAL_STEP = 5;

/** Starts the bot on a database of its own; `restart` lets it go on from there. */
export async function openBot({
  env = {},
  clock = handClock(),
  hasteBelow = 2 * SECOND,
  from,
  log = () => silentLog,
  overrides = {},
  onClose = onTestFinished,
  turned = async () => {},
  everythingIn = [],
  watching,
}: BotOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-journey-'));
  if (from !== undefined) await cp(from, folder, { recursive: true });
  const settings = {
    STORE_URL: `sqlite://${join(folder, 'navwatch.sqlite')}`,
    HTTP_PORT: '0',
    ANALYTICS_REQUESTS_PER_SECOND: '1000',
    // That of a configured service: the embedded one is checked four times as often.
    POLL_MIN_SECONDS: '60',
    // Nothing happens by nature within a test's hour, so what is alerted is what the test made happen.
    SIMULATOR_PACE: '0.001',
    ...env,
  };
  const config = withToken(readConfig(settings), makeToken);
  const operator = { authorization: `Bearer ${config.http.consoleToken}` };
  if (from === undefined) await prepare(config.storeUrl, { chats: [MAIN, ...everythingIn], watching, now: clock.now() });
  let below = hasteBelow;
  let jobs: (() => Promise<void>)[] = [];
  let sweeps: (() => Promise<void>)[] = [];
  const ticker: Ticker = {
    every: async (expression, name, work) => {
      if (expression.startsWith('* *')) jobs.push(work);
      if (name === 'forget') sweeps.push(work);
      return async () => {
        jobs = jobs.filter((job) => job !== work);
        sweeps = sweeps.filter((job) => job !== work);
      };
    },
  };
  const start = async (): Promise<RunningApp> =>
    startApp(config, {
      pictures: NO_PICTURES,
      ...overrides,
      clock: hasty(clock, () => below),
      random: () => 0.5,
      log: log(config),
      ticker,
    });
  let app = await start();
  onClose(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const post = async (url: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...operator, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const inChat = (name: string) => {
    const messages = () => `${app.url}api/chats/${name}/messages`;
    return {
      /** What the reply to a line says. What happens after a watch happens after its first checks, which the reply does not await. */
      async say(text: string): Promise<string> {
        const { replies } = z.object({ replies: z.array(messageSchema) }).parse(await post(messages(), { text }));
        if (text.startsWith('/watch ')) await app.idle();
        return replies.map((reply) => reply.text).join('\n');
      },
      /** The alerts in the chat, oldest first. */
      async alerts(): Promise<readonly string[]> {
        const { messages: all } = z
          .object({ messages: z.array(messageSchema) })
          .parse(await (await fetch(`${messages()}?after=0`, { headers: operator })).json());
        return all.filter(({ kind }) => kind === 'alert').map(({ text }) => text);
      },
    };
  };

  return {
    clock,
    /** Headers of whoever runs it. */
    operator,
    /** Where the database stands. */
    folder,
    /** Sleeps that are shorter pass by themselves from now on, in milliseconds; without a number as in the beginning. */
    hurry: (milliseconds = hasteBelow) => void (below = milliseconds),
    app: () => app,
    ...inChat('main'),
    /** Another chat of the page. */
    inChat,
    /** Makes something happen in the world, or a fault befall the service. */
    sim: async (command: unknown) => post(`${app.serviceUrl}/__sim`, command),
    /** How many requests the service has answered since it was started last. */
    async simState(): Promise<{ requests: number }> {
      const state = z.object({ requests: z.record(z.string(), z.int()) }).parse(await (await fetch(`${app.serviceUrl}/__sim`)).json());
      return { requests: Object.values(state.requests).reduce((total, count) => total + count, 0) };
    },
    /** Lets so many seconds pass, `step` at once. The jobs, which the bot runs each second, run after each step. */
    async pass(seconds: number, step = USUAL_STEP): Promise<void> {
      for (let second = 0; second < seconds; second += step) {
        await clock.advance(Math.min(step, seconds - second) * SECOND);
        await turned();
        for (const job of jobs) await job();
        await app.idle();
      }
    },
    /** What runs once a minute and forgets what nobody watches. */
    async sweep(): Promise<void> {
      for (const sweep of sweeps) await sweep();
    },
    /** Stops it, lets time go by without it where asked to, and starts it again. */
    async restart(awayMs = 0): Promise<void> {
      await app.stop();
      if (awayMs > 0) await clock.advance(awayMs);
      app = await start();
    },
  };
}

/** One bot for all tests of a file, to be called outside of them; each call of the result is a chat that nothing was said in. */
export function oneBot() {
  let bot: Awaited<ReturnType<typeof openBot>>;
  let chats = 0;
  beforeAll(async () => {
    const closes: (() => Promise<void>)[] = [];
    bot = await openBot({ everythingIn: SHARED_CHATS, onClose: (close) => void closes.push(close) });
    return async () => {
      for (const close of closes) await close();
    };
  });
  return () => ({ ...bot, ...bot.inChat(`chat-${(chats += 1)}`) });
}
