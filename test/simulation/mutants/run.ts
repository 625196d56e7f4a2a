/** Runs seeds under one mutant after the other, each until a seed catches it, and prints what each found. Started with `register.mjs`. Arguments: `name:seed,seed …`. */
import { scenarioOf } from '../scenario/make.js';
import { simulate } from '../run/simulate.js';

for (const wanted of process.argv.slice(2)) {
  const [name = '', seeds = ''] = wanted.split(':');
  Reflect.set(globalThis, 'mutant', name);
  for (const seed of seeds.split(',').map(Number)) {
    const { played, judgement } = await simulate(scenarioOf(seed));
    const { violations } = judgement;
    process.stdout.write(
      `${JSON.stringify({ name, seed, requests: played.service.exchanges.length, kinds: [...new Set(violations.map(({ kind }) => kind))] })}\n`,
    );
    // The bot itself is looked at on all of them.
    if (violations.length > 0 && name !== 'none') break;
  }
}
