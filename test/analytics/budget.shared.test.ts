/** The monthly budget, counted by several processes on one shared engine. */
import { expect, test } from 'vitest';
import { Budget } from '../../src/analytics/budget.js';
import { DAY } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { handClock } from '../support/clock.js';
import { sharedEngineDouble } from '../support/shared-engine.js';

async function opened(limit: number) {
  const clock = handClock();
  const engine = sharedEngineDouble(clock);
  const active = engine.process();
  await active.store.shared.acquire('one', 40 * DAY);
  const budgetOf = (store: typeof active.store, writesLedger: boolean) => new Budget({ store, clock, limit, writesLedger, log: silentLog });
  return {
    active: budgetOf(active.store, true),
    others: [engine.process(), engine.process()].map(({ store }) => budgetOf(store, false)),
    again: () => budgetOf(active.store, true),
  };
}

test('all processes together make no more calls than the plan allows, and every call that it allows', async () => {
  const { active, others } = await opened(100);
  const all = [active, ...others];
  const booked = await Promise.all(
    Array.from({ length: 150 }, async (_, index) =>
      all[index % 3]!.book('row', 'question').then(
        () => 1,
        () => 0,
      ),
    ),
  );
  const made = booked.reduce<number>((sum, one) => sum + one, 0);
  expect(made).toBeLessThanOrEqual(100);
  for (const one of all) await one.close();
  // Reserved and not made, they are free again.
  let more = 0;
  for (const one of [...all, ...all])
    while (
      await one.book('row', 'question').then(
        () => true,
        () => false,
      )
    )
      more += 1;
  expect(made + more).toBe(100);
});

test('the active process counts the calls of the others, as questions, in the next process too', async () => {
  const { active, others, again } = await opened(10_000);
  for (let call = 0; call < 30; call += 1) await others[0]!.book('row', 'question');
  await others[0]!.close();
  await active.book('row', 'poll');
  await active.book('row', 'question');
  expect(active.state()).toMatchObject({ used: 32, questions: 31 });
  await active.close();
  const next = again();
  await next.ready();
  expect(next.state()).toMatchObject({ used: 32, questions: 31 });
});

test('a call that is given back is free for every process, and is no question any more', async () => {
  const { active, others, again } = await opened(3);
  const [other] = others;
  for (let call = 0; call < 5; call += 1) await other!.giveBack(await other!.book('row', 'question'));
  for (let call = 0; call < 5; call += 1) await active.giveBack(await active.book('row', 'question'));
  expect(active.state()).toMatchObject({ used: 0, questions: 0 });
  expect(other!.state()).toMatchObject({ used: 0, questions: 0 });
  const next = again();
  await next.ready();
  expect(next.state()).toMatchObject({ used: 0, questions: 0 });
  for (let call = 0; call < 3; call += 1) await other!.book('row', 'question');
  await expect(active.book('row', 'question')).rejects.toMatchObject({ trouble: 'budget-spent' });
});
