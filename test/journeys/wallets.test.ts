/** A wallet, from the line that watches it to the alert that tells what moved, through the whole bot. */
import { expect, test } from 'vitest';
import { createWorld } from '../../src/simulator/world/world.js';
import { openWhole } from './whole.js';

const HOUR = 3_600;
const WALLET = createWorld({ seed: 'navwatch', pace: 1, facts: () => [], refreshes: () => [] }).wallets.some(1);
const aboutTide = (alerts: readonly string[]): readonly string[] => alerts.filter((text) => text.includes('TIDE'));

test('a watched wallet is refreshed within the hour, over a restart, and what moved is told once by its label', async () => {
  const house = await openWhole();
  expect(await house.say(`/watch ${WALLET} fund-1`)).toContain('Watching "fund-1"');
  await house.pass(120);
  expect(await house.say('/wallet fund-1')).toMatch(/Snapshot is \d+ (s|min) old/u);

  await house.sim({ kind: 'transfer', wallet: WALLET, project: 'tide', amount: '1000' });
  await house.pass(HOUR / 2, 5);
  // What moved is not to be seen before another snapshot is made.
  expect(aboutTide(await house.alerts())).toEqual([]);
  await house.restart(60_000);
  await house.pass(HOUR / 2 + 120);
  const [alert = '', ...others] = aboutTide(await house.alerts());
  expect(others).toEqual([]);
  expect(alert).toMatch(/^▲ "fund-1" (opened a position: 1,000 TIDE|now holds [\d.,]+ TIDE \(\+1,000)/u);
  await house.pass(2 * HOUR, 10);
  expect(aboutTide(await house.alerts())).toHaveLength(1);

  const [, line = ''] = /\[Why\?: (\/why \S+)\]/u.exec(alert) ?? [];
  expect(await house.say(line)).toContain('You got this because this chat watches fund-1 → wallet');
  const why = await house.say('/why fund-1');
  expect(why).toContain('✓ checked');
  expect(why).toMatch(/Snapshot is \d+ min old/u);
  expect(await house.say('/status')).toContain('Watching 0 projects and 1 wallet for 1 chat');
});

test('what nobody watches any more is neither refreshed nor looked at', async () => {
  const house = await openWhole();
  await house.say(`/watch ${WALLET} fund-1`);
  await house.pass(120);
  await house.say('/unwatch fund-1');
  const { requests } = await house.simState();
  await house.pass(2 * HOUR, 10);
  expect((await house.simState()).requests).toBe(requests);
});
