/**
 * What a month's requests buy: the plan beside a round-robin of the same budget, on the same thirty days. `npm run bench:plan` prints the table
 * and fails when the budget is overdrawn or the plan is not better. Simulated time, seeded: the same figures each time.
 */
import { expect, test } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { month, span, type Ages, type Outcome } from './plan/month.js';
import { draw, type Plan } from './plan/world.js';

const PLANS: readonly Plan[] = [
  { limit: 500, rows: 10, pages: 3, step: 10 * MINUTE },
  { limit: 5_000, rows: 100, pages: 50, step: 10 * MINUTE },
  { limit: 100_000, rows: 100, pages: 50, step: MINUTE },
];
const things = draw(20261101);

const row = (name: string, planned: Ages, turns: Ages): string =>
  [
    name.padEnd(10),
    ...[planned, turns].flatMap((ages) => [ages.weighted, ages.mean, ages.worst, ages.delay].map((age) => span(age).padStart(9))),
  ].join(' ');

function table(plan: Plan, planned: Outcome, turns: Outcome): string {
  const heads = ['at stake', 'mean', 'worst', 'events'].map((head) => head.padStart(9)).join(' ');
  return [
    `${plan.limit} calls a month, ${plan.rows} rows x ${plan.pages} pages: spent ${planned.spent} (round-robin ${turns.spent}), of them ${planned.questions} questions, ${planned.refusedQuestions} refused`,
    `${''.padEnd(10)} ${'age, planned'.padEnd(39)} age, round-robin`,
    `${''.padEnd(10)} ${heads} ${heads}`,
    ...[...planned.feeds].map(([id, ages]) => row(id, ages, turns.feeds.get(id) ?? ages)),
    row('all', planned.all, turns.all),
  ].join('\n');
}

test.each(PLANS)('a month of $limit calls is never overdrawn, and what is at stake is known younger than by taking turns', (plan) => {
  const planned = month(things, plan, 'planned');
  const turns = month(things, plan, 'round-robin');
  process.stdout.write(`\n${table(plan, planned, turns)}\n`);
  expect(planned.spent).toBeLessThanOrEqual(plan.limit);
  expect(planned.refusedQuestions).toBe(0);
  expect(planned.all.weighted).toBeLessThan(turns.all.weighted);
  expect(planned.all.delay).toBeLessThan(turns.all.delay);
});
