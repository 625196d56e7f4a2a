/** The oracle can fail: each planted mistake is caught, and the bot without it is clean on the same seeds. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { spread } from '../../support/properties.js';
import { shortLivedFlags } from '../../support/v8-flags.js';
import { MUTANTS } from './list.mjs';

/**
 * Seeds of which the first that catches a mistake counts: a change of the bot may move what coincides in a seed. Quick ones come first, and those
 * that several mistakes have in common, because the bot itself plays each once.
 */
const CAUGHT_BY: Readonly<Record<string, readonly number[]>> = {
  'watermark-first': [1_000_299, 1_000_144],
  'nonce-per-attempt': [1_000_020, 1_000_072],
  'not-sealed': [1_000_031, 1_000_171, 4_000_041],
  'watermark-of-away': [216, 186],
  'never-run-last': [127, 7],
  hysteresis: [216, 66],
  cooldown: [216, 6],
  'budget-after': [146, 406],
  'edit-lost': [253, 179],
  eleventh: [75, 390],
  'why-by-new-rules': [1_000_117, 4_000_065, 4_000_101],
  'launch-forgotten': [33, 303],
  'growth-restated': [272, 22],
  'cliff-of-tranche': [120, 285],
  'dropped-uncounted': [2_000_006, 2_000_008],
  'nav-since-last': [216, 186],
  'corrected-at-once': [392, 369],
  'restated-in-pause': [392, 602],
  'amount-kept': [98, 271],
  'never-too-old': [3_000_016, 3_000_034],
  'age-anew': [3_000_023, 3_000_017],
  'posted-under-mute': [4_000_001, 4_000_049, 4_000_073],
  'second-digest': [4_000_009, 4_000_033, 4_000_057],
  'refreshed-at-start': [4_000_013, 4_000_037],
  'dropped-corrected': [4_000_005, 4_000_101],
  'list-evaluated': [5_000_059, 5_000_063],
  'call-forgotten': [5_000_006, 5_000_014],
  'omitted-observed': [5_000_002, 5_000_158],
  'late-row-forgotten': [5_000_006, 5_000_003],
  'unread-at-rest': [5_000_014, 5_000_032],
  'known-is-false': [5_000_014, 5_000_032],
  'zeros-compared': [5_000_027],
  'answered-call-kept': [36_547],
  'moved-unmarked': [4_009_814],
  'exception-sounds': [6_000_011],
  'exception-begins': [6_000_001],
  'exclusion-forgotten': [6_000_009],
  'exception-of-all': [6_000_078, 6_000_018],
  'token-of-another': [8_000_001, 8_000_002],
  'unknown-token': [8_000_001, 8_000_002],
  'screen-flaps': [9_000_005, 9_000_011],
  'screen-forgotten': [9_000_001, 9_000_002],
  'flip-twice': [16, 46],
  'flip-unwritten': [48, 76],
  'market-of-another': [136],
  'back-at-once': [396],
  'back-although-off': [56, 176],
  'back-forgotten': [1236, 36],
  'reminder-not-moved': [7_000_003, 7_000_007],
  'reminder-after-end': [7_000_002, 7_000_006],
  'reminder-forgotten': [7_000_001, 7_000_004],
  'lasting-not-reset': [176],
  'lasting-at-once': [176],
  'lasting-unchanged': [396, 1196],
  'mute-of-one-ignored': [10_000_007, 10_000_003],
  'follow-ends-early': [10_000_004, 10_000_002],
  'follow-of-others': [10_000_004, 10_000_002],
  'trades-forgotten': [12_000_001, 12_000_003],
  'trade-read-twice': [12_000_001, 12_000_024],
  'late-trade-lost': [12_000_001],
  'late-trade-twice': [12_000_001],
  'last-trades-unread': [12_000_048],
  'trades-unread': [12_000_004, 12_000_008],
  'trade-of-absence': [12_000_027, 12_000_045],
  'joined-by-or': [1236, 36],
  'joined-stale': [1236, 36],
  'joined-by-its-first': [1236, 876],
};

const [register, program] = ['register.mjs', 'run.ts'].map((name) => new URL(name, import.meta.url));

const reportSchema = z.object({ name: z.string(), seed: z.number(), kinds: z.array(z.string()), clean: z.array(z.string()) });

/** One process has all mutants built in, and is asked for one after the other. */
async function ran(wanted: readonly string[]) {
  // A process of seconds: less scavenging, and less optimizing of what will hardly run again.
  const options = [...shortLivedFlags(400_000), '--import', String(register)];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, fileURLToPath(String(program)), ...wanted]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => reportSchema.parse(JSON.parse(line)));
}

test('each planted mistake is caught on a seed on which the bot itself is clean', async () => {
  expect(Object.keys(CAUGHT_BY).toSorted()).toEqual(MUTANTS.map(({ name }) => name).toSorted());
  const chosen = spread(Object.entries(CAUGHT_BY));
  const reports = await ran(chosen.map(([name, seeds]) => `${name}:${seeds.join(',')}`));
  expect(reports.filter(({ clean }) => clean.length > 0)).toEqual([]);
  expect(reports.map(({ name }) => name).toSorted()).toEqual(chosen.map(([name]) => name).toSorted());
}, 480_000);
