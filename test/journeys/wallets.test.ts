/** A wallet, from the line that watches it to the alert that tells what moved, through the whole bot. */
import { expect, test } from 'vitest';
import { createWorld } from '../../src/simulator/world/world.js';
import { openBot } from './bot.js';

const HOUR = 3_600;
const WALLET = createWorld({ seed: 'navwatch', pace: 1, facts: () => [], refreshes: () => [] }).wallets.some(1);
const aboutTide = (alerts: readonly string[]): readonly string[] => alerts.filter((text) => text.includes('TIDE'));

test('a watched wallet is refreshed within the hour, over a restart, and what moved is alerted once by its label', async () => {
  const harness = await openBot();
  expect(await harness.say(`/watch ${WALLET} fund-1`)).toContain('Watching "fund-1"');
  await harness.pass(120);
  expect(await harness.say('/wallet fund-1')).toMatch(/Snapshot is \d+ (s|min) old/u);

  await harness.sim({ kind: 'transfer', wallet: WALLET, project: 'tide', amount: '1000' });
  await harness.pass(HOUR / 2, 5);
  // What moved is not to be seen before another snapshot is made.
  expect(aboutTide(await harness.alerts())).toEqual([]);
  await harness.restart(60_000);
  await harness.pass(HOUR / 2 + 120);
  const [alert = '', ...others] = aboutTide(await harness.alerts());
  expect(others).toEqual([]);
  expect(alert).toMatch(/^▲ "fund-1" (opened a position: 1,000 TIDE|now holds [\d.,]+ TIDE \(\+1,000)/u);
  await harness.pass(2 * HOUR, 10);
  expect(aboutTide(await harness.alerts())).toHaveLength(1);

  const [, line = ''] = /\[Why\?: (\/why \S+)\]/u.exec(alert) ?? [];
  expect(await harness.say(line)).toContain('You got this because this chat watches fund-1 → wallet');
  const why = await harness.say('/why fund-1');
  expect(why).toContain('✓ checked');
  expect(why).toMatch(/Snapshot is \d+ min old/u);
  expect(await harness.say('/status')).toContain('Watching 0 projects and 1 wallet for 1 chat');
});

test('what nobody watches any more is neither refreshed nor checked', async () => {
  const harness = await openBot();
  await harness.say(`/watch ${WALLET} fund-1`);
  await harness.pass(120);
  await harness.say('/unwatch fund-1');
  const { requests } = await harness.simState();
  await harness.pass(2 * HOUR, 10);
  expect((await harness.simState()).requests).toBe(requests);
});
