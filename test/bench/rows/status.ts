/** How long `/status` takes through Telegram, from the question to its answer: while nothing happens, and while chats are alerted at the permitted rate. */
import { setTimeout as wait } from 'node:timers/promises';
import { median, type Figure } from '../harness/figure.js';
import { OPERATOR, withScene, type Telegram } from '../harness/scene.js';
import type { Scale } from './row.js';

const GOAL = 0.5;
const RULES = { perSecond: 30, roundTrip: 5 };
/** A private chat takes a message a second. */
const PAUSE = 1_300;
const PATIENCE = 120_000;

export async function status({ quick, repetitions }: Scale): Promise<readonly Figure[]> {
  const chats = quick ? 200 : 1_000;
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < repetitions; round += 1)
    await withScene({ chats, rules: RULES }, async ({ telegram, start, mint }) => {
      const bot = await start();
      await telegram.polled();
      await bot.calm();
      // The first answer loads what the others find loaded.
      await ask(telegram);
      for (let asks = 0; asks < 5; asks += 1) idle.push(await ask(telegram));
      await telegram.reset();
      await mint();
      await telegram.reached(10, PATIENCE);
      while (!(await telegram.reached(chats, 1))) busy.push(await ask(telegram));
    });
  const values = (of: readonly number[]): readonly number[] => (of.length === 0 ? [] : [median(of)!]);
  return [
    { figure: '/status, idle: median', unit: 's', values: values(idle), goal: GOAL },
    { figure: '/status while chats are alerted: median', unit: 's', values: values(busy), goal: GOAL },
    { figure: '/status while chats are alerted: slowest', unit: 's', values: busy.length === 0 ? [] : [Math.max(...busy)], goal: GOAL },
  ];
}

/** Seconds. An answer that did not come counts as the patience of the stand-in. */
async function ask(telegram: Telegram): Promise<number> {
  const answered = await telegram.ask({ chat: OPERATOR, text: '/status' });
  await wait(PAUSE);
  return (answered?.text ?? 30_000) / 1_000;
}
