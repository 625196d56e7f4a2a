/** A month's budget, as the chat feels it: the calls last, and what matters is told all the same. */
import { expect, test } from 'vitest';
import { openWhole } from './whole.js';

const HOUR = 3_600;

test('on five thousand calls a month everything is watched, a mint is told within hours, and the month lasts', async () => {
  const house = await openWhole({ env: { ANALYTICS_REQUESTS_PER_MONTH: '5000' } });
  await house.say('/watch all');
  await house.pass(HOUR / 2, 60);
  const first = (await house.simState()).requests;
  await house.pass(6 * HOUR, 600);
  const { requests } = await house.simState();
  // Ten days are left of the month, so a quarter of a day has a fortieth of the looks; some are made ahead of their time.
  expect(requests - first).toBeLessThan(4_000 / 40 + 60);
  await house.sim({ kind: 'mint', project: 'kestrel-yard', amount: '4321' });
  await house.pass(6 * HOUR, 600);
  expect((await house.alerts()).join('\n')).toContain('minted 4,321');
  const status = await house.say('/status');
  expect(status).toMatch(/API budget: \d+ of 5,000 used .* resets in .* left: [\d,]+ reserved for questions, [\d,]+ for checks/u);
  expect(status).toMatch(/Planned: project discovery every/u);
}, 60_000);

test('without a limit looks run at the floor, and no list is asked for their sake', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.pass(60);
  await house.sim({ kind: 'mint', project: 'tide', amount: '77' });
  await house.pass(130);
  expect((await house.alerts()).join('\n')).toContain('minted 77 TIDE');
  expect(await house.say('/status')).not.toContain('plan:');
});
