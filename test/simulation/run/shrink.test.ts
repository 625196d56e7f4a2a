/** A failing scenario becomes one that a person can read. */
import { expect, test } from 'vitest';
import type { FindingKind } from '../oracle/verdict.js';
import { scenarioOf } from '../scenario/make.js';
import type { Scenario } from '../scenario/scenario.js';
import { accountOf } from './account.js';
import { shrink } from './shrink.js';

/** With a row and a stop; three chats. */
const SEED = scenarioOf(40);
const [row] = SEED.world.rows;

/** Fails where a row and a question come together, with half of all chances. */
const kindsOf = async ({ seed, world, steps }: Scenario): Promise<ReadonlySet<FindingKind>> => {
  const hasBoth = world.rows.some(({ amount }) => amount === row?.amount) && steps.some(({ kind }) => kind === 'ask');
  const chance = (seed / 2 ** 20 + world.rows.length + steps.length) % 2 < 1;
  return new Set(hasBoth && (chance || world.rows.length > 1) ? ['lost'] : []);
};

test('what a failure does not need is left out, with other chances where the same ones do not repeat it', async () => {
  const { scenario, runs } = await shrink(SEED, kindsOf);
  expect(await kindsOf(scenario)).toEqual(new Set(['lost']));
  expect(scenario).toMatchObject({ chats: [expect.anything()], faultRates: { service: 0, platform: 0 } });
  expect(scenario.world).toMatchObject({ rows: [row], markets: [] });
  expect(scenario.steps).toHaveLength(1);
  expect(runs).toBeLessThan(400);
});

test('an account has a line for each part, in order of time', async () => {
  const { scenario } = await shrink(SEED, kindsOf);
  const [head, ...lines] = accountOf(scenario).split('\n');
  expect(head).toContain(scenario.chats.join(', '));
  expect(lines).toHaveLength(scenario.steps.length + scenario.world.rows.length + 1);
  const times = lines.map((line) => Number.parseFloat(line));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
