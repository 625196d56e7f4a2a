/**
 * `npm run simulate -- --seeds 10000 [--first 1] [--processes 2]`, or `--seed N [--trace] [--shrink]`,
 * or `--replay FILE [--trace]`. Prints figures, and each failing seed with what is
 * wrong; ends with 1 if any seed fails, and with 2 if nothing could be played. docs/reliability.md says which seeds are of which family.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { optionsOf, refuse } from '../support/program-options.mjs';
import type { FindingKind, Violation } from './oracle/verdict.js';
import { accountOf } from './run/account.js';
import { figuresOf, joined, type Figures } from './run/figures.js';
import { shrink } from './run/shrink.js';
import { simulate, traceOf } from './run/simulate.js';
import { scenarioOf } from './scenario/make.js';
import type { Scenario } from './scenario/scenario.js';

const values = optionsOf(
  {
    seeds: { type: 'string' },
    first: { type: 'string' },
    processes: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    /** A scenario that was shrunk. */
    replay: { type: 'string' },
    /** Reports each seed to its parent. */
    child: { type: 'boolean', default: false },
  },
  { seeds: 1, first: 1, processes: 1, seed: 1 },
);
const isOne = values.seed !== undefined || values.replay !== undefined;
if (isOne && (values.seeds ?? values.first ?? values.processes) !== undefined)
  refuse('--seed and --replay play one seed; --seeds, --first and --processes are for many');

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Of scenarios that were shrunk. */
const FOLDER = 'data/simulation';

/** What this program has written. */
const shapeSchema = z.object({
  ...{ seed: z.number(), start: z.number(), calm: z.number() },
  ...{ steps: z.array(z.unknown()), chats: z.array(z.string()) },
  world: z.object({ rows: z.array(z.unknown()), growth: z.array(z.unknown()) }),
});
const keptSchema = z.custom<Scenario>((value) => shapeSchema.safeParse(value).success);

async function keptIn(file: string): Promise<Scenario> {
  try {
    return keptSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return refuse(`${file} cannot be read as a scenario; --replay takes a file that --shrink has written`);
  }
}

const kindsOf = async (scenario: Scenario): Promise<ReadonlySet<FindingKind>> =>
  new Set((await simulate(scenario)).judgement.violations.map(({ kind }) => kind));

async function one(scenario: Scenario): Promise<boolean> {
  const { seed } = scenario;
  const run = await simulate(scenario);
  const { violations } = run.judgement;
  if (values.trace) say(JSON.stringify({ scenario, trace: traceOf(run.played) }, undefined, 1));
  for (const { kind, says } of violations) say(`${kind}: ${says}`);
  if (values.shrink && violations.length > 0) {
    const { scenario: shrunk, runs } = await shrink(scenario, kindsOf);
    const file = join(FOLDER, `seed-${seed}.json`);
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, JSON.stringify(shrunk, undefined, 1));
    say(`shrunk in ${runs} runs:\n${accountOf(shrunk)}`);
    say(`again: npm run simulate -- --replay ${file} --trace`);
  }
  say(violations.length === 0 ? `seed ${seed}: as it should be` : `seed ${seed}: ${violations.length} violations`);
  return violations.length === 0;
}

interface Report {
  readonly seed: number;
  readonly figures: Figures;
  readonly violations: readonly Violation[];
}

async function some(first: number, seeds: number, report: (report: Report) => void): Promise<void> {
  for (let seed = first; seed < first + seeds; seed += 1) {
    const run = await simulate(scenarioOf(seed));
    report({ seed, figures: figuresOf(run), violations: run.judgement.violations });
  }
}

/** Of one process: Node keeps half a megabyte of each seed, as the signals of a killed bot never abort. */
const SEEDS_A_PROCESS = 250;

async function many(first: number, seeds: number, of: number): Promise<boolean> {
  let figures: Figures = {};
  const failed: number[] = [];
  const take = ({ seed, figures: own, violations }: Report): void => {
    figures = joined(figures, own);
    if (violations.length === 0) return;
    failed.push(seed);
    say(`seed ${seed}: ${violations.map(({ kind, says }) => `${kind}: ${says}`).join('; ')}`);
  };
  const program = fileURLToPath(import.meta.url);
  const inOneProcess = async (from: number, count: number): Promise<void> => {
    const child = fork(program, ['--first', String(from), '--seeds', String(count), '--child'], {
      // Most of what a seed leaves behind dies young.
      execArgv: [...process.execArgv, '--max-semi-space-size=64'],
    });
    child.on('message', (report: Report) => take(report));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the process of the seeds from ${from} ended with ${code}`);
  };
  // The last ones end together.
  const length = Math.min(SEEDS_A_PROCESS, Math.ceil(seeds / of));
  const parts = Array.from({ length: Math.ceil(seeds / length) }, (_, part) => first + part * length);
  const worker = async (): Promise<void> => {
    for (let from = parts.shift(); from !== undefined; from = parts.shift())
      await inOneProcess(from, Math.min(length, first + seeds - from));
  };
  await Promise.all(Array.from({ length: of }, worker));
  for (const [name, count] of Object.entries(figures)) say(`${name.padEnd(26)} ${Number.isInteger(count) ? count : count.toFixed(1)}`);
  if (failed.length > 0) say(`failed: npm run simulate -- --seed ${failed.join(' | ')} --shrink`);
  return failed.length === 0;
}

const [first, seeds] = [Number(values.first ?? 1), Number(values.seeds ?? 300)];
if (values.child) {
  await some(first, seeds, (report) => process.send?.(report));
  process.disconnect();
} else {
  const isRight =
    values.replay !== undefined
      ? await one(await keptIn(values.replay))
      : values.seed === undefined
        ? await many(first, seeds, Number(values.processes ?? availableParallelism()))
        : await one(scenarioOf(Number(values.seed)));
  process.exitCode = isRight ? 0 : 1;
}
