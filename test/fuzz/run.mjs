/** `npm run fuzz -- --runs 5000 --minutes 5 --target feeds,lines --seed 7 --replay data/fuzz/FILE`; the minutes are those of each target. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { optionsOf, refuse } from '../support/program-options.mjs';

const values = optionsOf(
  {
    runs: { type: 'string' },
    minutes: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'string' },
    replay: { type: 'string' },
  },
  { runs: 1, minutes: 0.01, seed: 0 },
);
const { target, replay } = values;
if (replay !== undefined && (target === undefined || !existsSync(replay)))
  refuse('--replay takes a file of data/fuzz, and needs the --target that failed with it');
const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [`FUZZ_${name.toUpperCase()}`, value]));
const { status } = spawnSync('vitest', ['run', '--config', 'test/fuzz/vitest.config.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
process.exitCode = status ?? 1;
