/** The oracle can fail: each planted mistake is caught, and the bot without it is clean on the same seeds. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MUTANTS } from './list.mjs';

/** Seeds of which the first that catches a mistake counts: a change of the bot may move what coincides in a seed. */
const CAUGHT_BY: Readonly<Record<string, readonly number[]>> = {
  'watermark-first': [223, 55, 245, 424],
  'nonce-per-attempt': [4, 27],
  'not-sealed': [4],
  'watermark-of-away': [51, 81],
  'never-run-last': [47],
  hysteresis: [21, 1, 6],
  cooldown: [36],
  'budget-after': [41, 46],
  'edit-lost': [834],
  eleventh: [25, 104],
};

const [register, program] = ['register.mjs', 'run.ts'].map((name) => new URL(name, import.meta.url));

const reportSchema = z.object({ name: z.string(), seed: z.number(), kinds: z.array(z.string()) });

/** One process has all mutants built in, and is asked for one after the other. */
async function ran(wanted: readonly string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', String(register), fileURLToPath(String(program)), ...wanted]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => reportSchema.parse(JSON.parse(line)));
}

test('each of ten planted mistakes is caught on a seed on which the bot itself is clean', async () => {
  expect(Object.keys(CAUGHT_BY).toSorted()).toEqual(MUTANTS.map(({ name }) => name).toSorted());
  const reports = await ran(Object.entries(CAUGHT_BY).map(([name, seeds]) => `${name}:${seeds.join(',')}`));
  const seeds = [...new Set(reports.filter(({ kinds }) => kinds.length > 0).map(({ seed }) => seed))];
  const clean = await ran([`none:${seeds.join(',')}`]);
  expect(clean.filter(({ kinds }) => kinds.length > 0)).toEqual([]);
  const caught = reports.filter(({ kinds }) => kinds.length > 0).map(({ name }) => name);
  expect(caught.toSorted()).toEqual(Object.keys(CAUGHT_BY).toSorted());
}, 240_000);
