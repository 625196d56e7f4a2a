/** Lets the days of a long run pass, and measures each. */
import { join } from 'node:path';
import { DAY, HOUR } from '../../src/base/clock.js';
import { platformOf } from '../../src/chat/address.js';
import { loadCommands } from '../../src/dispatch/registry.js';
import type { Random } from '../simulation/machine/random.js';
import { startLongBot } from './bot.js';
import { createUnderWay, longTime } from './machine.js';
import { collected, memoryAndFiles, type DayMeasured } from './measure.js';
import { createPeople, type Deed } from './people.js';
import { acceptingPlatform } from './platform.js';
import { walletAddresses } from './wallets.js';
import { CAST } from '../../src/simulator/world/invented-projects.js';

export interface LongRun {
  readonly days: readonly DayMeasured[];
  readonly lines: ReadonlyMap<string, number>;
  readonly errors: readonly string[];
}

export interface LongRunOptions {
  readonly folder: string;
  readonly days: number;
  readonly chats: number;
  readonly wallets: number;
  readonly start: number;
  readonly random: Random;
  readonly report: (day: DayMeasured, lines: ReadonlyMap<string, number>) => Promise<void>;
}

const PACE = 0.002;
const TICK_SECONDS = 600;
const SETTINGS = { POLL_MIN_SECONDS: '86400', WALLET_MAX_AGE_MINUTES: '14400', ANALYTICS_REQUESTS_PER_SECOND: '200' };
const PLATFORMS = ['discord', 'telegram'];

export async function play({ folder, days, chats, wallets, start, random, report }: LongRunOptions): Promise<LongRun> {
  // The commands are files, which a process reads once: before simulated time begins.
  await loadCommands();
  const underWay = createUnderWay();
  const time = longTime(start, underWay);
  const path = join(folder, 'navwatch.sqlite');
  const platforms = PLATFORMS.map(acceptingPlatform);
  const bot = await startLongBot({ path, time, underWay, random, platforms, settings: SETTINGS, pace: PACE, tickSeconds: TICK_SECONDS });
  const projects = CAST.filter(({ quirk }) => quirk !== 'launch-only').map(({ slug }) => slug);
  const people = createPeople({ random, platforms: PLATFORMS, projects, wallets: walletAddresses(wallets), chats });

  let refusals = 0;
  let answers = 0;
  const act = async (deed: Deed): Promise<void> => {
    const platform = platforms.find(({ connected }) => connected.name === platformOf(deed.chat));
    const deps = platform?.deps();
    if (platform === undefined || deps === undefined) throw new Error(`long run: ${deed.chat} is on no platform`);
    if (deed.kind === 'gone') return deps.onChatEvent({ kind: 'gone', chat: deed.chat, because: 'bot-removed' });
    if (deed.kind !== 'says') return deps.onChatEvent({ kind: deed.kind, chat: deed.chat });
    const from = { id: `${deed.chat}-person`, name: 'Ada', manages: async () => true };
    const reply = await deps.answer({ chat: deed.chat, from, circles: [], ask: { line: deed.line } });
    answers += 1;
    if (reply.tone === 'warning' && reply.audience === 'asker') refusals += 1;
    return platform.show(reply);
  };

  const failures: string[] = [];
  const measured: DayMeasured[] = [];
  let before = { cpu: 0, requests: 0, messages: 0, edits: 0, answers: 0, refusals: 0, lines: 0 };
  for (let day = 1; day <= days; day += 1) {
    const from = start + (day - 1) * DAY;
    for (const deed of day === 1 ? people.begin(from + HOUR) : people.day(from)) {
      await time.until(deed.at);
      void act(deed).catch((cause: unknown) => failures.push(`${deed.kind}: ${String(cause)}`));
    }
    await time.until(from + DAY);
    const { user, system } = process.cpuUsage();
    const after = {
      cpu: (user + system) / 1e6,
      requests: bot.requests(),
      messages: platforms.reduce((sum, one) => sum + one.counts().messages, 0),
      edits: platforms.reduce((sum, one) => sum + one.counts().edits, 0),
      answers,
      refusals,
      lines: [...bot.lines.values()].reduce((sum, count) => sum + count, 0),
    };
    const metrics = await bot.read('/metrics');
    const one: DayMeasured = {
      day,
      collections: await collected(bot.backend),
      levels: {
        ...(await memoryAndFiles(path)),
        'timers that wait': time.waiting(),
        'log lines': after.lines - before.lines,
        'alerts that wait': sumOf(metrics, 'navwatch_queue_items'),
        'metrics, kB': metrics.length / 1_024,
      },
      happened: {
        'chats present': people.present(),
        'chats with a watchlist': sumOf(metrics, 'navwatch_chats'),
        ...Object.fromEntries(
          (['cpu', 'requests', 'messages', 'edits', 'answers', 'refusals'] as const).map((name) => [name, after[name] - before[name]]),
        ),
      },
    };
    before = after;
    measured.push(one);
    await report(one, bot.lines);
  }
  await bot.stop();
  return { days: measured, lines: bot.lines, errors: [...failures.slice(0, 20), ...bot.errors] };
}

/** Of all series of a gauge in the text of the metrics. */
function sumOf(metrics: string, name: string): number {
  let sum = 0;
  for (const line of metrics.split('\n'))
    if (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) sum += Number(line.split(' ').at(-1));
  return sum;
}
