/**
 * How long a chat line blocks the event loop: fuzzed lines of every command through the real dispatcher. `npm run bench:lines`
 * prints the slowest; LINES and SEED set how many and which. A line is measured by its longest synchronous stretch, not by what it waits for; a slow
 * one is asked again and its least time counts.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAppHarness, type AppHarness } from '../support/app-harness.js';
import { fuzzedLine, seeded } from '../support/lines.js';

const LINES = Number(process.env['LINES'] ?? 10_000);
const SEED = Number(process.env['SEED'] ?? 20_261_122);
const GOAL = 50;
const AGAIN = 4;
const SHOWN = 10;
/** Turns of the loop after which a question waits for the clock. */
const PATIENCE = 300;

/** Measures milliseconds: those on the wall or, where other processes had the core meanwhile, those of this one. */
function start(): () => number {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(performance.now() - wall, (user + system) / 1_000);
  };
}

/** The longest stretch in milliseconds in which nothing else could run while the line was answered. */
async function blocked({ say, clock }: AppHarness, line: string): Promise<number> {
  const state = { done: false };
  const answering = say(line).finally(() => (state.done = true));
  let longest = 0;
  let since = start();
  // The stretch in which the question was begun ends at the first turn.
  for (let turns = 1; !state.done; turns += 1) {
    await turn();
    longest = Math.max(longest, since());
    if (turns % PATIENCE === 0) await clock.next();
    since = start();
  }
  await answering;
  return longest;
}

const shown = (line: string): string => `${JSON.stringify(line.slice(0, 60))} (${line.length})`;

const slower = (a: Measured, b: Measured): number => b.least - a.least;

interface Measured {
  readonly line: string;
  readonly first: number;
  /** The least of several times. */
  readonly least: number;
}

async function again(harness: AppHarness, { line, first, least }: Measured): Promise<Measured> {
  let shortest = least;
  for (let times = 0; times < AGAIN && shortest > GOAL / 2; times += 1) shortest = Math.min(shortest, await blocked(harness, line));
  return { line, first, least: shortest };
}

/** The lines on one service, the slowest first. */
async function measure(harness: AppHarness, lines: readonly string[]): Promise<readonly Measured[]> {
  const examples = harness.registry.catalogue.commands.flatMap((command) => command.examples);
  for (const line of ['/watch tide', '/watch heron', '/watch launches', ...examples]) await blocked(harness, line);
  const measured: Measured[] = [];
  for (const line of lines) {
    const first = await blocked(harness, line);
    measured.push({ line, first, least: first });
  }
  const settled: Measured[] = [];
  for (const one of measured) settled.push(await again(harness, one));
  return settled.toSorted(slower);
}

function table(title: string, measured: readonly Measured[]): string {
  const at = (part: number): string => (measured[Math.floor((measured.length - 1) * (1 - part))]?.least ?? 0).toFixed(1);
  const rows = measured
    .slice(0, SHOWN)
    .map(({ line, first, least }) => `${least.toFixed(1).padStart(8)} ms, first ${first.toFixed(1).padStart(8)} ms  ${shown(line)}`);
  return [`${title}: median ${at(0.5)} ms, 99% ${at(0.99)} ms, slowest ${at(1)} ms (goal: under ${GOAL} ms)`, ...rows, ''].join('\n');
}

test(`the slowest of ${LINES} fuzzed lines`, async () => {
  // The first is the bot alone: its service knows names and nothing else. In the second, making and reading what the service answers counts too.
  for (const [title, harness] of [
    ['the bot alone', await openAppHarness({ answers: {} })],
    ['with the embedded service in the same process', await openAppHarness()],
  ] as const) {
    const random = seeded(SEED);
    const lines = Array.from({ length: LINES }, () => fuzzedLine(random, harness.registry.catalogue.commands));
    const measured = await measure(harness, lines);
    process.stdout.write(`\n${LINES} lines, seed ${SEED}, ${table(title, measured)}`);
    expect(measured).toHaveLength(LINES);
  }
});
