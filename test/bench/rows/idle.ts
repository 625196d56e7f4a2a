/** What the bot costs while one chat watches every project of the embedded world and nobody asks anything. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Figure } from '../harness/figure.js';
import { bytesToDisk } from '../harness/proc.js';
import { withScene } from '../harness/scene.js';
import type { Scale } from './row.js';

const MEGABYTE = 1_000_000;
const HOUR = 3_600;
/** Seconds between two checks. */
const EVERY = 60;
/** The first checks come before it is idle. */
const FIRST_CHECKS = 120_000;

export async function idle({ quick }: Scale): Promise<readonly Figure[]> {
  // Check records are written every five minutes.
  const seconds = quick ? 60 : 300;
  return withScene({ targets: () => [{ kind: 'all' }], pace: 1, env: { POLL_MIN_SECONDS: String(EVERY) } }, async ({ telegram, start }) => {
    const bot = await start();
    await telegram.polled();
    const isCalm = await bot.calm(FIRST_CHECKS);
    // Each check has run twice then; the first time it finds everything changed.
    await wait(EVERY * 1_000);
    const [before, onDisk] = [await bot.usage(), await bytesToDisk(bot.pid)];
    await wait(seconds * 1_000);
    const [after, toDisk] = [await bot.usage(), (await bytesToDisk(bot.pid)) - onDisk];
    const hourly = (amount: number): readonly number[] => [(amount / seconds) * HOUR];
    const known = (amount: number, of: number): readonly number[] => (after.writes.known ? hourly(amount / of) : []);
    const note = isCalm ? {} : { note: 'the first checks were not done when it was measured, so it is too high' };
    const { documents, bytes } = after.writes;
    return [
      { figure: 'idle, watching everything: of a core', unit: '%', values: [((after.cpu - before.cpu) / seconds) * 100], goal: 1, ...note },
      { figure: 'idle, watching everything: documents written', unit: 'an hour', values: known(documents - before.writes.documents, 1) },
      { figure: 'idle, watching everything: documents', unit: 'MB an hour', values: known(bytes - before.writes.bytes, MEGABYTE), goal: 2 },
      { figure: 'idle, watching everything: file', unit: 'MB an hour', values: hourly(toDisk / MEGABYTE), goal: 10 },
      { figure: 'idle, watching everything: memory', unit: 'MB', values: [(await bot.memory()).now] },
    ];
  });
}
