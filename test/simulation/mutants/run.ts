/**
 * Runs seeds under one mutant after the other, each until a seed catches it that finds nothing in the bot itself. Prints what caught each. Started with
 * `register.mjs`. Arguments: `name:seed,seed …`.
 */
import { scenarioOf } from '../scenario/make.js';
import { simulate } from '../run/simulate.js';
import type { FindingKind } from '../oracle/verdict.js';

async function kindsOf(mutant: string, seed: number): Promise<readonly FindingKind[]> {
  Reflect.set(globalThis, 'mutant', mutant);
  const { violations } = (await simulate(scenarioOf(seed))).judgement;
  return [...new Set(violations.map(({ kind }) => kind))];
}

/** What each seed finds in the bot itself. */
const clean = new Map<number, readonly FindingKind[]>();

for (const wanted of process.argv.slice(2)) {
  const [name = '', seeds = ''] = wanted.split(':');
  for (const seed of seeds.split(',').map(Number)) {
    const kinds = await kindsOf(name, seed);
    if (kinds.length === 0) continue;
    const own = clean.get(seed) ?? (await kindsOf('none', seed));
    clean.set(seed, own);
    process.stdout.write(`${JSON.stringify({ name, seed, kinds, clean: own })}\n`);
    if (own.length === 0) break;
  }
}
