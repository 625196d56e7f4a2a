/** Discord: what one event to many channels costs beside a bare loop over discord.js, and what the bot makes of the permitted rate. */
import { setTimeout as wait } from 'node:timers/promises';
import { address } from '../../../src/chat/address.js';
import { startChild } from '../harness/child.js';
import type { Figure } from '../harness/figure.js';
import { NO_LIMIT, withScene, type Scene } from '../harness/scene.js';
import type { Line, Ready } from '../programs/discord.js';
import type { Taken } from '../programs/taken.js';
import { usedOf, type Scale } from './row.js';

const TOKEN = 'bench.discord.token-of-the-stand-in';
const PER_SECOND = 50;
const UNLIMITED = 100_000;
const JITTER = 50;
const GOALS = { 5: 97, 50: 93 } as const;
const PATIENCE = 180_000;

export async function discord({ quick, repetitions }: Scale): Promise<readonly Figure[]> {
  const channels = quick ? 300 : 1_000;
  const costs: Awaited<ReturnType<typeof cost>>[] = [];
  for (let round = 0; round < repetitions; round += 1) costs.push(await cost(channels));
  const what = `1 event to ${channels.toLocaleString('en')} channels of Discord`;
  return [
    { figure: `${what}: CPU`, unit: 's', values: costs.map(({ cpu }) => cpu), peers: { 'discord.js': costs.map(({ peer }) => peer.cpu) } },
    {
      figure: `${what}: time`,
      unit: 's',
      values: costs.map(({ wall }) => wall),
      peers: { 'discord.js': costs.map(({ peer }) => peer.wall) },
    },
    { figure: `${what}: peak memory`, unit: 'MB', values: costs.map(({ peak }) => peak) },
    ...(await atRate(5, { channels, repetitions })),
    ...(await atRate(50, { channels, repetitions })),
  ];
}

async function atRate(
  roundTrip: 5 | 50,
  { channels, repetitions }: { readonly channels: number; readonly repetitions: number },
): Promise<readonly Figure[]> {
  const runs: Taken[] = [];
  for (let round = 0; round < repetitions; round += 1) runs.push(await rateRun(channels, roundTrip));
  const what = `Discord at ${PER_SECOND}/s, ${roundTrip} ms and up to ${JITTER} ms more`;
  return [
    { figure: `${what}: rate used`, unit: '%', values: runs.map((run) => usedOf(run, PER_SECOND)), goal: GOALS[roundTrip], atLeast: true },
    { figure: `${what}: refused`, unit: '', values: runs.map(({ refused }) => refused), goal: 0 },
    { figure: `${what}: most in a sliding second`, unit: '', values: runs.map(({ most }) => most), goal: PER_SECOND },
  ];
}

interface DiscordServer extends Ready {
  line(line: Line): Promise<void>;
  reached(count: number): Promise<boolean>;
  taken(): Promise<Taken>;
  reset(): Promise<void>;
}

/** Runs `work` beside a Discord on which each channel watches the project, with a bot that is connected and has nothing else to do. */
async function withBot<T>(
  { channels, perSecond }: { readonly channels: number; readonly perSecond: number },
  work: (scene: Scene, bot: Awaited<ReturnType<Scene['start']>>, server: DiscordServer) => Promise<T>,
): Promise<T> {
  const child = await startChild<Ready>('discord', [TOKEN, String(channels), String(perSecond)]);
  const server: DiscordServer = {
    ...child.ready,
    line: async (line) => child.call('line', line),
    reached: async (count) => child.call('reached', { count, milliseconds: PATIENCE }),
    taken: async () => child.call('taken'),
    reset: async () => child.call('reset'),
  };
  const env = { ...(perSecond === UNLIMITED ? NO_LIMIT : {}), DISCORD_TOKEN: TOKEN, DISCORD_API_URL: server.url };
  try {
    return await withScene({ chats: server.channels.map((channel) => address('discord', channel)), env }, async (scene) => {
      const bot = await scene.start();
      await child.call('connected');
      await bot.calm();
      return work(scene, bot, server);
    });
  } finally {
    await child.stop();
  }
}

const cost = async (channels: number) =>
  withBot({ channels, perSecond: UNLIMITED }, async ({ mint }, bot, server) => {
    const before = await bot.usage();
    await mint();
    if (!(await server.reached(channels))) throw new Error('bench: the alert did not reach every channel');
    await wait(1_000);
    const { cpu } = await bot.usage();
    const { span } = await server.taken();
    const { peak } = await bot.memory();
    const loop = await startChild('discord-loop', [server.url, TOKEN]);
    try {
      const peer = await loop.call<{ cpu: number; wall: number }>('send', server.channels);
      return { cpu: cpu - before.cpu, wall: span / 1_000, peak, peer };
    } finally {
      await loop.stop();
    }
  });

const rateRun = async (channels: number, roundTrip: number): Promise<Taken> =>
  withBot({ channels, perSecond: PER_SECOND }, async ({ mint }, _, server) => {
    await server.line({ roundTrip, jitter: JITTER });
    await server.reset();
    await mint();
    await server.reached(channels);
    return server.taken();
  });
