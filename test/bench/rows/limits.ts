/** What the bot makes of the rate that Telegram permits: how much of it it uses, and how often it is refused, counted over sliding seconds. */
import type { Figure } from '../harness/figure.js';
import { withScene } from '../harness/scene.js';
import type { Taken } from '../programs/taken.js';
import { usedOf, type Scale } from './row.js';

const PER_SECOND = 30;
const JITTER = 50;
const GOALS = { 5: 97, 50: 93 } as const;
const PATIENCE = 120_000;

export async function limits({ quick, repetitions }: Scale): Promise<readonly Figure[]> {
  const chats = quick ? 200 : 1_000;
  const at = async (roundTrip: 5 | 50): Promise<readonly Figure[]> => {
    const runs: Taken[] = [];
    for (let round = 0; round < repetitions; round += 1) runs.push(await run(chats, roundTrip));
    const what = `Telegram at ${PER_SECOND}/s, ${roundTrip} ms and up to ${JITTER} ms more`;
    return [
      {
        figure: `${what}: rate used`,
        unit: '%',
        values: runs.map((taken) => usedOf(taken, PER_SECOND)),
        goal: GOALS[roundTrip],
        atLeast: true,
      },
      { figure: `${what}: refused`, unit: '', values: runs.map(({ refused }) => refused), goal: 0 },
    ];
  };
  if (quick) return (await Promise.all([at(5), at(50)])).flat();
  return [...(await at(5)), ...(await at(50))];
}

const run = async (chats: number, roundTrip: number): Promise<Taken> =>
  withScene({ chats, rules: { perSecond: PER_SECOND, roundTrip, jitter: JITTER } }, async ({ telegram, start, mint }) => {
    const bot = await start();
    await telegram.polled();
    await bot.calm();
    await mint();
    await telegram.reached(chats, PATIENCE);
    return telegram.taken();
  });
