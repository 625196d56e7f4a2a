/**
 * `npm run simulate -- --seeds 10000 [--first 1] [--processes 2]`, or `--seed N [--trace] [--shrink]`. Prints figures, and each failing seed with what is
 * wrong; ends with 1 if any seed fails.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FindingKind, Violation } from './oracle/verdict.js';
import { figuresOf, joined, type Figures } from './run/figures.js';
import { shrink } from './run/shrink.js';
import { simulate, traceOf } from './run/simulate.js';
import { scenarioOf } from './scenario/make.js';
import type { Scenario } from './scenario/scenario.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    first: { type: 'string', default: '1' },
    processes: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    /** Of one process among several: it takes every so many-th seed. */
    part: { type: 'string' },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const kindsOf = async (scenario: Scenario): Promise<ReadonlySet<FindingKind>> =>
  new Set((await simulate(scenario)).judgement.violations.map(({ kind }) => kind));

async function one(seed: number): Promise<boolean> {
  const run = await simulate(scenarioOf(seed));
  const { violations } = run.judgement;
  if (values.trace) say(JSON.stringify({ scenario: scenarioOf(seed), trace: traceOf(run.played) }, undefined, 1));
  for (const { kind, says } of violations) say(`${kind}: ${says}`);
  if (values.shrink && violations.length > 0) {
    const { scenario, runs } = await shrink(scenarioOf(seed), kindsOf);
    say(`shrunk in ${runs} runs: ${JSON.stringify(scenario, undefined, 1)}`);
  }
  say(violations.length === 0 ? `seed ${seed}: as it should be` : `seed ${seed}: ${violations.length} violations`);
  return violations.length === 0;
}

interface Report {
  readonly seed: number;
  readonly figures: Figures;
  readonly violations: readonly Violation[];
}

/** Every `of`-th seed from the `part`-th on. */
async function some(
  { first, seeds, part, of }: Readonly<Record<'first' | 'seeds' | 'part' | 'of', number>>,
  report: (report: Report) => void,
): Promise<void> {
  for (let seed = first + part; seed < first + seeds; seed += of) {
    const run = await simulate(scenarioOf(seed));
    report({ seed, figures: figuresOf(run), violations: run.judgement.violations });
  }
}

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
  const parts = Array.from({ length: of }, async (_, part) => {
    const child = fork(program, ['--first', String(first), '--seeds', String(seeds), '--processes', String(of), '--part', String(part)], {
      // Most of what a seed leaves behind dies young.
      execArgv: [...process.execArgv, '--max-semi-space-size=64'],
    });
    return new Promise<void>((resolve, reject) => {
      child.on('message', (report: Report) => take(report));
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`part ${part} ended with ${code}`))));
    });
  });
  await Promise.all(parts);
  for (const [name, count] of Object.entries(figures)) say(`${name.padEnd(26)} ${Number.isInteger(count) ? count : count.toFixed(1)}`);
  if (failed.length > 0) say(`failed: npm run simulate -- --seed ${failed.join(' | ')} --shrink`);
  return failed.length === 0;
}

const [first, seeds, of] = [Number(values.first), Number(values.seeds), Number(values.processes)];
if (values.part !== undefined) {
  await some({ first, seeds, part: Number(values.part), of }, (report) => process.send?.(report));
  process.disconnect();
} else {
  const isRight = values.seed === undefined ? await many(first, seeds, of) : await one(Number(values.seed));
  process.exitCode = isRight ? 0 : 1;
}
