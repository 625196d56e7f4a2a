/** A month's budget, as the chat feels it: the calls last, and what matters is alerted all the same. */
import { expect, test } from 'vitest';
import { openBot } from './bot.js';

const HOUR = 3_600;

test('on five thousand calls a month everything is watched, a mint is alerted within hours, and the month lasts', async () => {
  const harness = await openBot({ env: { ANALYTICS_REQUESTS_PER_MONTH: '5000' } });
  expect(await harness.say('/watch all')).not.toContain('First checks are running');
  await harness.pass(60);
  expect(await harness.say('/watch tide')).toMatch(
    /On 5,000 requests a month changes are detected within about .* for .*\. Fewer projects are checked sooner\./u,
  );
  await harness.pass(HOUR / 2, 60);
  const first = (await harness.simState()).requests;
  await harness.pass(6 * HOUR, 600);
  const { requests } = await harness.simState();
  // Ten days are left of the month, so a quarter of a day has a fortieth of the checks; some are made ahead of their time.
  expect(requests - first).toBeLessThan(4_000 / 40 + 60);
  await harness.sim({ kind: 'mint', project: 'kestrel-yard', amount: '4321' });
  await harness.pass(6 * HOUR, 600);
  const alert = (await harness.alerts()).find((text) => text.includes('minted 4,321')) ?? '';
  const why = await harness.say(/\[Why\?: ([^\]]+)\]/u.exec(alert)?.[1] ?? '');
  expect(why).toMatch(/The list of projects showed a change .*; confirmed /u);
  expect(await harness.say('/why kestrel-yard supply')).toMatch(/✓ checked: seen in the list of projects .*, confirmed by its own data /u);
  const status = await harness.say('/status');
  expect(status).toMatch(/API budget: \d+ of 5,000 used .* resets in .* left: [\d,]+ reserved for questions, [\d,]+ for checks/u);
  expect(status).toMatch(/List of projects: read .* ago · every .* · believed \d+%/u);
  expect(status).toMatch(/supply +\d+ .* ago/u);
});

test('without a limit checks run at the floor, and no list is asked for their sake', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.pass(60);
  await harness.sim({ kind: 'mint', project: 'tide', amount: '77' });
  await harness.pass(130);
  expect((await harness.alerts()).join('\n')).toContain('minted 77 TIDE');
  expect(await harness.say('/status')).not.toContain('plan:');
});
