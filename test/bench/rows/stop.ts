/** SIGTERM while chats are alerted, where a message that was cut off is not repeated: what never comes, and how the process ends. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Figure } from '../harness/figure.js';
import { withScene } from '../harness/scene.js';
import type { Scale } from './row.js';

const CHATS = 600;
const STOPPED_AT = 200;
const PATIENCE = 90_000;

export async function stop({ repetitions }: Scale): Promise<readonly Figure[]> {
  const runs: Awaited<ReturnType<typeof run>>[] = [];
  for (let round = 0; round < repetitions; round += 1) runs.push(await run());
  const what = `SIGTERM during ${CHATS} alerts`;
  return [
    { figure: `${what}: never sent`, unit: '', values: runs.map(({ never }) => never), goal: 0 },
    { figure: `${what}: sent twice`, unit: '', values: runs.map(({ twice }) => twice), goal: 0 },
    { figure: `${what}: exit code`, unit: '', values: runs.map(({ code }) => code ?? -1), goal: 0 },
    { figure: `${what}: until it ended`, unit: 's', values: runs.map(({ seconds }) => seconds), goal: 5 },
  ];
}

const run = async () =>
  withScene(
    { chats: CHATS, rules: { perSecond: 30, roundTrip: 50 }, env: { AMBIGUOUS_SENDS: 'hold' } },
    async ({ telegram, start, mint }) => {
      const bot = await start();
      await telegram.polled();
      await bot.calm();
      await mint();
      await telegram.reached(STOPPED_AT, PATIENCE);
      const { code, seconds } = await bot.stop();
      await start();
      // What does not come at the permitted rate, with time to spare, is not coming.
      await telegram.reached(CHATS, 45_000);
      await wait(1_000);
      const { chats, repeated } = await telegram.taken();
      return { code, seconds, never: CHATS - chats, twice: repeated };
    },
  );
