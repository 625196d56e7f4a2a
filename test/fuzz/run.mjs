/** `npm run fuzz -- --runs 5000 --minutes 5 --target feeds,lines --seed 7 --replay data/fuzz/FILE`; the minutes are those of each target. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    minutes: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'string' },
    replay: { type: 'string' },
  },
});
const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [`FUZZ_${name.toUpperCase()}`, value]));
const { status } = spawnSync('vitest', ['run', '--config', 'test/fuzz/vitest.config.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...env },
});
process.exitCode = status ?? 1;
