/**
 * How long a chat line blocks the event loop: fuzzed lines of every command through the real dispatcher, on the embedded service. `npm run bench:lines`
 * prints the slowest; LINES and SEED set how many and which. A line is measured by its longest synchronous stretch, not by what it waits for. The
 * service runs in the same process, so each slow line is asked again and its least time counts.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.js';
import { fuzzedLine, seeded } from '../support/lines.js';

const LINES = Number(process.env['LINES'] ?? 10_000);
const SEED = Number(process.env['SEED'] ?? 20_261_122);
const GOAL = 50;
const AGAIN = 4;
const SHOWN = 10;
/** Turns of the loop after which a question waits for the clock. */
const PATIENCE = 300;

/** The longest stretch in milliseconds in which nothing else could run while the line was answered. */
async function blocked({ say, clock }: House, line: string): Promise<number> {
  const state = { done: false };
  const answering = say(line).finally(() => (state.done = true));
  let longest = 0;
  let since = performance.now();
  // The stretch in which the question was begun ends at the first turn.
  for (let turns = 1; !state.done; turns += 1) {
    await turn();
    longest = Math.max(longest, performance.now() - since);
    if (turns % PATIENCE === 0) await clock.next();
    since = performance.now();
  }
  await answering;
  return longest;
}

const shown = (line: string): string => `${JSON.stringify(line.slice(0, 60))} (${line.length})`;

test(`the slowest of ${LINES} fuzzed lines`, async () => {
  const house = await openHouse();
  const { commands } = house.registry.catalogue;
  for (const line of ['/watch tide', '/watch heron', '/watch launches', ...commands.flatMap(({ examples }) => examples)])
    await blocked(house, line);
  const random = seeded(SEED);
  const measured: { line: string; first: number; least: number }[] = [];
  for (let number = 0; number < LINES; number += 1) {
    const line = fuzzedLine(random, commands);
    const first = await blocked(house, line);
    measured.push({ line, first, least: first });
  }
  for (const one of measured)
    for (let times = 0; times < AGAIN && one.least > GOAL / 2; times += 1) one.least = Math.min(one.least, await blocked(house, one.line));
  const slowest = measured.toSorted((a, b) => b.least - a.least);
  const times = measured.map(({ least }) => least).toSorted((a, b) => a - b);
  const at = (part: number): string => (times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1);
  process.stdout.write(
    [
      `\n${LINES} lines, seed ${SEED}: median ${at(0.5)} ms, 99% ${at(0.99)} ms, slowest ${at(1)} ms (goal: under ${GOAL} ms)`,
      ...slowest
        .slice(0, SHOWN)
        .map(({ line, first, least }) => `${least.toFixed(1).padStart(8)} ms, first ${first.toFixed(1).padStart(8)} ms  ${shown(line)}`),
      '',
    ].join('\n'),
  );
  expect(measured).toHaveLength(LINES);
});
