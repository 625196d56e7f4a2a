/** `npm run fuzz`: each target for so many runs, guided by coverage. Every failure is shown with its input, which is kept in data/fuzz. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCoverage } from './coverage.js';
import { fuzz, type Outcome, type Target } from './fuzz.js';
import { TARGETS } from './targets/index.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2_000);
const BUDGET = Number(process.env['FUZZ_MINUTES'] ?? Infinity) * 60_000;
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123);
const ONLY = process.env['FUZZ_TARGET'];
const REPLAY = process.env['FUZZ_REPLAY'];
const FOLDER = 'data/fuzz';
const SHOWN = 160;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const short = (text: string): string =>
  text.length > SHOWN ? `${JSON.stringify(text.slice(0, SHOWN))}… (${text.length})` : JSON.stringify(text);

function report({ target, runs, seconds, blocks, kept, results, slowest, peakMb, keptMb, failures }: Outcome): void {
  const counts = [...results].toSorted(([, a], [, b]) => b - a).map(([result, count]) => `${result} ${count}`);
  say(
    `${target.padEnd(18)} ${String(runs).padStart(7)} runs ${seconds.toFixed(0).padStart(5)} s  ${String(blocks).padStart(6)} blocks  corpus ${String(kept).padStart(4)}  slowest ${slowest.ms.toFixed(0).padStart(3)} ms  peak +${peakMb.toFixed(0)} MB, kept ${keptMb.toFixed(0)} MB  ${failures.length} failures`,
  );
  say(`  ${counts.slice(0, 8).join(', ')}`);
  for (const { says, input, run } of failures) {
    const file = join(FOLDER, `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
    writeFileSync(file, input);
    say(
      `  run ${run}: ${says.split('\n').slice(0, 6).join('\n    ')}\n    ${short(input)}\n    npm run fuzz -- --target ${target} --replay ${file}`,
    );
  }
}

async function replay(target: Target, file: string): Promise<void> {
  const outcome = await fuzz({ ...target, inputs: [readFileSync(file, 'utf8')] }, { runs: 1, seed: SEED });
  report(outcome);
  expect(outcome.failures).toEqual([]);
}

const missing = ONLY?.split(',').filter((name) => TARGETS[name] === undefined) ?? [];
if (missing.length > 0) throw new Error(`no target ${missing.join(', ')}; the targets are ${Object.keys(TARGETS).join(', ')}`);
const names = Object.keys(TARGETS).filter((name) => ONLY === undefined || ONLY.split(',').includes(name));

test.each(names)('%s', async (name) => {
  mkdirSync(FOLDER, { recursive: true });
  const target = await TARGETS[name]?.();
  if (target === undefined) throw new Error(`no target ${name}`);
  const coverage = await openCoverage();
  try {
    if (REPLAY !== undefined) return await replay(target, REPLAY);
    const outcome = await fuzz(target, { runs: RUNS, seed: SEED, budget: BUDGET, coverage });
    report(outcome);
    expect(outcome.failures.map(({ says }) => says.split('\n')[0])).toEqual([]);
  } finally {
    await coverage.close();
    await target.close?.();
  }
});
