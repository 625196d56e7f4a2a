/** Many people ask at once, each in a chat of their own: what one question costs must not grow with their number. */
import type { Figure } from '../harness/figure.js';
import { NO_LIMIT, withScene } from '../harness/scene.js';
import type { Scale } from './row.js';

const FIRST_CHAT = 500_001;
const WARM_UP = 30;
const PATIENCE = 300_000;

export async function crowd({ quick, repetitions, say }: Scale): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const people of quick ? [100] : [100, 1_000]) {
    const runs: { readonly cpu: number; readonly seconds: number; readonly bytes: number; readonly peak: number }[] = [];
    for (let round = 0; round < repetitions; round += 1) runs.push(await asked(people));
    const figure = (of: string, unit: string, values: readonly number[]): Figure => ({
      figure: `${people.toLocaleString('en')} questions at once: ${of}`,
      ...{ unit, values },
    });
    const own = [
      figure('CPU of each', 'ms', runs.map(({ cpu }) => cpu)), // prettier-ignore
      figure('until all are answered', 's', runs.map(({ seconds }) => seconds)), // prettier-ignore
      figure('documents written for each', 'kB', runs.map(({ bytes }) => bytes / 1_000)), // prettier-ignore
      figure('peak memory', 'MB', runs.map(({ peak }) => peak)), // prettier-ignore
    ];
    figures.push(...own);
    for (const { figure: name, unit, values } of own) say(`${name}: ${values.map((value) => value.toPrecision(3)).join(', ')} ${unit}`);
  }
  return figures;
}

const asked = async (people: number) =>
  // Nothing is checked in between.
  withScene({ env: { ...NO_LIMIT, POLL_MIN_SECONDS: '3600' } }, async ({ telegram, start }) => {
    const bot = await start();
    await telegram.polled();
    await bot.calm();
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const ask = async (chat: number): Promise<void> => {
      const answered = await telegram.ask({ chat, text: `/premium tide at:${day}`, milliseconds: PATIENCE });
      if (answered === undefined) throw new Error('bench: a question was not answered');
    };
    for (let warm = 0; warm < WARM_UP; warm += 1) await ask(FIRST_CHAT + warm);
    const before = await bot.usage();
    const begun = performance.now();
    await Promise.all(Array.from({ length: people }, async (_, index) => ask(FIRST_CHAT + WARM_UP + index)));
    const seconds = (performance.now() - begun) / 1_000;
    const after = await bot.usage();
    return {
      cpu: ((after.cpu - before.cpu) * 1_000) / people,
      seconds,
      bytes: (after.writes.bytes - before.writes.bytes) / people,
      peak: (await bot.memory()).peak,
    };
  });
