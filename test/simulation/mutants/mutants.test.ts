/** The oracle can fail: each planted mistake is caught, and the bot without it is clean on the same seeds. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MUTANTS } from './list.mjs';

/** Seeds of which the first that catches a mistake counts: a change of the bot may move what coincides in a seed. */
const CAUGHT_BY: Readonly<Record<string, readonly number[]>> = {
  'watermark-first': [55, 83, 116],
  'nonce-per-attempt': [27, 4],
  'not-sealed': [40, 95, 106, 1_000_021],
  'watermark-of-away': [6],
  'never-run-last': [47],
  hysteresis: [66],
  cooldown: [216, 36],
  'budget-after': [46],
  'edit-lost': [179, 253],
  eleventh: [3, 25],
  'why-by-new-rules': [79, 15, 119, 125],
  'launch-forgotten': [21, 33],
  'growth-restated': [22, 30],
  'cliff-of-tranche': [54, 206],
  'dropped-uncounted': [2_000_001],
  'nav-since-last': [186, 256],
  'corrected-at-once': [315],
  'restated-in-pause': [392],
  'amount-kept': [18, 21],
  'never-too-old': [3_000_003],
  'age-anew': [3_000_017, 3_000_023],
  'posted-under-mute': [4_000_001, 4_000_049, 4_000_073],
  'second-digest': [4_000_009, 4_000_033, 4_000_057],
  'refreshed-at-start': [4_000_013, 4_000_037],
  'dropped-corrected': [4_000_005, 4_000_101],
};

const [register, program] = ['register.mjs', 'run.ts'].map((name) => new URL(name, import.meta.url));

const reportSchema = z.object({ name: z.string(), seed: z.number(), kinds: z.array(z.string()), clean: z.array(z.string()) });

/** One process has all mutants built in, and is asked for one after the other. */
async function ran(wanted: readonly string[]) {
  // A process of seconds: less scavenging, and no optimizing of what will hardly run again.
  const options = ['--max-semi-space-size=64', '--interrupt-budget=1000000', '--import', String(register)];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, fileURLToPath(String(program)), ...wanted]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => reportSchema.parse(JSON.parse(line)));
}

test('each of twenty-five planted mistakes is caught on a seed on which the bot itself is clean', async () => {
  expect(Object.keys(CAUGHT_BY).toSorted()).toEqual(MUTANTS.map(({ name }) => name).toSorted());
  const reports = await ran(Object.entries(CAUGHT_BY).map(([name, seeds]) => `${name}:${seeds.join(',')}`));
  expect(reports.filter(({ clean }) => clean.length > 0)).toEqual([]);
  expect(reports.map(({ name }) => name).toSorted()).toEqual(Object.keys(CAUGHT_BY).toSorted());
}, 240_000);
