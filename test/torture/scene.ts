/** A bot on an engine between the simulator and both platforms, with chats that watch the same and events that are planted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { asked } from '../journeys/surfaces.js';
import { startBot, type Bot, type BotOptions } from './bot.js';
import { onConsole, openPlatforms, type Chat } from './chats.js';
import type { TortureEngine } from './engines.js';
import { plant, type Planted } from './events.js';
import { firstMetric, inject, weighed } from './planted.js';
import { counted } from './receipted.js';
import { sums, type TortureRow } from './table.js';

const KEY = 'torture-key';
/** For what was planted until it is everywhere. */
const PATIENCE = 240_000;
/** In which a repeat would come. */
const GRACE = 15_000;

export type TortureScene = Awaited<ReturnType<typeof openTortureScene>>;

export async function openTortureScene(engine: TortureEngine, prepare: (folder: string) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-torture-'));
  prepare(folder);
  const database = await engine.start(folder);
  const simulator = await startSimulator({ seed: 'torture', pace: 0.01, clock: systemClock, journal: memoryJournal(), apiKey: KEY });
  const platforms = await openPlatforms();
  const env = {
    ...platforms.env,
    STORE_URL: database.url,
    ANALYTICS_BASE_URL: simulator.url,
    ANALYTICS_API_KEY: KEY,
    ANALYTICS_REQUESTS_PER_SECOND: '500',
    POLL_MIN_SECONDS: '0.5',
    HTTP_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const projects = simulator.world.projects.slice(0, 2).map(({ slug }) => slug);
  const planted: Planted[] = [];
  let bot: Bot | undefined;
  let maybeSent = 0;
  const running = (): Bot => {
    if (bot === undefined) throw new Error('no bot runs');
    return bot;
  };
  const chats: readonly Chat[] = [...platforms.chats, onConsole(running, 'main')];
  const start = async (more: Readonly<Record<string, string>> = {}, options: BotOptions = {}): Promise<Bot> =>
    (bot = await startBot(folder, { ...env, ...more }, options));
  /** Of each chat, what it has not got yet. */
  const missing = async (marks: readonly string[]): Promise<number> => {
    const texts = await Promise.all(chats.map(async (chat) => (await chat.alerts()).join('\n')));
    return texts.reduce((sum, text) => sum + marks.filter((mark) => !text.includes(mark)).length, 0);
  };
  await start();
  for (const chat of chats)
    for (const target of [...projects, 'launches']) {
      await chat.ask(asked('watch', { target }));
      await chat.ask(asked('alerts', { target, action: 'everything' }));
    }
  const metric = await firstMetric(simulator.url, KEY, projects);
  return {
    folder,
    database,
    platforms,
    projects,
    start,
    bot: running,
    chats,
    async plant(count: number): Promise<void> {
      for (let left = count; left > 0; left -= 1) {
        const event = plant(planted.length, { projects, metric });
        planted.push(event);
        await inject(simulator.url, event);
        await wait(200 + Math.random() * 800);
      }
    },
    /** Until everything since `from` is in every chat, in ms; at most `PATIENCE`. */
    async delivered(from: number): Promise<number> {
      const begun = performance.now();
      const marks = planted.slice(from).map(({ mark }) => mark);
      while ((await missing(marks)) > 0 && performance.now() - begun < PATIENCE) await wait(200);
      return performance.now() - begun;
    },
    planted: () => planted.length,
    /** Of the events since `from`. Stops the bot. */
    async row(from: number, { name, recovery }: Pick<TortureRow, 'name' | 'recovery'>): Promise<TortureRow> {
      await wait(GRACE);
      const own = planted.slice(from);
      const shown = await Promise.all(chats.map(async (chat) => ({ chat, texts: await chat.alerts() })));
      await running().stop();
      await database.endLease();
      const beyond = await counted(database.url);
      const results = shown.map(({ chat, texts }) => weighed(chat, { texts, beyond: beyond.of(chat.address), planted: own }));
      const problems = results.flatMap(({ name: chat, lost, doubled }) => [
        ...lost.map((mark) => `${chat} lost "${mark}"`),
        ...doubled.map((mark) => `${chat} doubled "${mark}"`),
      ]);
      const maybeSince = (): number => {
        const before = maybeSent;
        maybeSent = beyond.maybeSent('');
        return maybeSent - before;
      };
      if (problems.length > 0) console.log(`${name}:\n${problems.join('\n')}`);
      return {
        name,
        rounds: recovery.length,
        events: own.length,
        ...sums(results),
        maybeSent: maybeSince(),
        recovery,
      };
    },
    async close(): Promise<void> {
      await bot?.kill();
      await platforms.close();
      await simulator.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
