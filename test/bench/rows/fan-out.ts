/** One event to many chats, without a platform's limit: CPU time, time and memory; beside Alertmanager and a bare loop over grammY. */
import { setTimeout as wait } from 'node:timers/promises';
import { alertmanagerCost, alertmanagerVersion, type Cost } from '../harness/alertmanager.js';
import { startChild } from '../harness/child.js';
import type { Figure } from '../harness/figure.js';
import { NO_LIMIT, TELEGRAM_TOKEN, startTelegram, withScene } from '../harness/scene.js';
import type { Scale } from './row.js';

const GOALS = { 1_000: { cpu: 1.3, peak: 150 }, 5_000: { cpu: 4.5, peak: 250 } } as const;
/** A version that cannot lift its limit sends 30 a second. */
const PATIENCE = 300_000;

export async function fanOut({ quick, repetitions }: Scale): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const chats of quick ? ([1_000] as const) : ([1_000, 5_000] as const)) {
    const costs: Cost[] = [];
    const loops: { readonly cpu: number; readonly wall: number }[] = [];
    const managers: Cost[] = [];
    for (let round = 0; round < repetitions; round += 1) {
      costs.push(await botCost(chats));
      loops.push(await loopCost(chats));
      if (alertmanagerVersion() !== undefined) managers.push(await managerCost(chats));
    }
    const peers = (of: 'cpu' | 'wall') => ({
      ...(managers.length === 0 ? {} : { Alertmanager: managers.map((cost) => cost[of]) }),
      grammY: loops.map((cost) => cost[of]),
    });
    const what = `1 event to ${chats.toLocaleString('en')} chats`;
    const missing =
      alertmanagerVersion() === undefined ? { note: 'Alertmanager is not installed (apt-get install prometheus-alertmanager)' } : {};
    figures.push(
      { figure: `${what}: CPU`, unit: 's', values: costs.map(({ cpu }) => cpu), goal: GOALS[chats].cpu, peers: peers('cpu'), ...missing },
      { figure: `${what}: time`, unit: 's', values: costs.map(({ wall }) => wall), peers: peers('wall') },
      {
        ...{ figure: `${what}: peak memory`, unit: 'MB', values: costs.map(({ peak }) => peak), goal: GOALS[chats].peak },
        peers: managers.length === 0 ? {} : { Alertmanager: managers.map(({ peak }) => peak) },
      },
    );
  }
  return figures;
}

const botCost = async (chats: number): Promise<Cost> =>
  withScene({ chats, env: NO_LIMIT }, async ({ telegram, start, mint }) => {
    const bot = await start();
    await telegram.polled();
    await bot.calm();
    const before = await bot.usage();
    await mint();
    if (!(await telegram.reached(chats, PATIENCE))) throw new Error('bench: the alert did not reach every chat');
    await wait(1_000);
    const { cpu } = await bot.usage();
    const { span } = await telegram.taken();
    return { cpu: cpu - before.cpu, wall: span / 1_000, peak: (await bot.memory()).peak };
  });

async function managerCost(chats: number): Promise<Cost> {
  const telegram = await startTelegram();
  try {
    return await alertmanagerCost(telegram, chats);
  } finally {
    await telegram.stop();
  }
}

async function loopCost(chats: number): Promise<{ readonly cpu: number; readonly wall: number }> {
  const telegram = await startTelegram();
  const loop = await startChild('loop', [telegram.url, TELEGRAM_TOKEN]);
  try {
    return await loop.call<{ cpu: number; wall: number }>('send', chats);
  } finally {
    await loop.stop();
    await telegram.stop();
  }
}
