/** A bot with one chat that watches one project, on each platform alone and on both: memory of a process that nobody asked, and its next start. */
import { setTimeout as wait } from 'node:timers/promises';
import { address } from '../../../src/chat/address.js';
import { startChild } from '../harness/child.js';
import type { Figure } from '../harness/figure.js';
import { cpuSeconds, memory } from '../harness/proc.js';
import { OPERATOR, withScene, type Setting } from '../harness/scene.js';
import type { Ready } from '../programs/discord.js';
import type { Scale } from './row.js';

const TOKEN = 'bench.discord.token-of-the-stand-in';
/** The goals of a bot on one platform or on both. */
const GOAL = { memory: 110, answer: 1 } as const;
/** Checks are made as in life: the first ones at once, later ones minutes apart. */
const EVERY = { POLL_MIN_SECONDS: '60' };

interface Run {
  readonly memory: number;
  /** Seconds from the start until the first answer; undefined where nobody can ask the stand-in. */
  readonly answer?: { readonly wall: number; readonly cpu: number };
}

export async function oneChat({ quick, repetitions }: Scale): Promise<readonly Figure[]> {
  const seconds = quick ? 20 : 60;
  const figures: Figure[] = [];
  for (const [name, run] of Object.entries({
    'Telegram alone': async () => withTelegram({ env: EVERY }, seconds),
    'Discord alone': async () => withDiscord({ TELEGRAM_TOKEN: undefined }, seconds),
    'Telegram and Discord': async () => withDiscord({}, seconds),
  })) {
    const runs: Run[] = [];
    for (let round = 0; round < repetitions; round += 1) runs.push(await run());
    figures.push({ figure: `one chat, ${name}: memory`, unit: 'MB', values: runs.map((each) => each.memory), goal: GOAL.memory });
    const answers = runs.flatMap(({ answer }) => answer ?? []);
    if (answers.length === 0) continue;
    const what = `one chat, ${name}: start until an answer`;
    figures.push({ figure: what, unit: 's', values: answers.map(({ wall }) => wall), goal: GOAL.answer });
    figures.push({ figure: `${what}, CPU`, unit: 's', values: answers.map(({ cpu }) => cpu) });
  }
  return figures;
}

const withTelegram = async (setting: Setting, seconds: number): Promise<Run> =>
  withScene(setting, async ({ telegram, start }) => {
    const first = await start();
    await telegram.polled();
    await wait(seconds * 1_000);
    const { now } = await memory(first.pid);
    await first.stop();
    const answering = telegram.ask({ chat: OPERATOR, text: '/help' });
    const { pid } = await start({ ready: false });
    const answered = await answering;
    if (answered === undefined) throw new Error('bench: /help was not answered');
    return { memory: now, answer: { wall: answered.text / 1_000, cpu: await cpuSeconds(pid) } };
  });

async function withDiscord(env: NonNullable<Setting['env']>, seconds: number): Promise<Run> {
  const child = await startChild<Ready>('discord', [TOKEN, '1', '50']);
  try {
    const chats = child.ready.channels.map((channel) => address('discord', channel));
    const settings = { ...EVERY, DISCORD_TOKEN: TOKEN, DISCORD_API_URL: child.ready.url, ...env };
    return await withScene({ chats, env: settings }, async ({ start }) => {
      const bot = await start();
      await child.call('connected');
      await wait(seconds * 1_000);
      return { memory: (await bot.memory()).now };
    });
  } finally {
    await child.stop();
  }
}
