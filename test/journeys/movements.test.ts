/** A movement of a treasury, from the service to a message in the chat, through the whole bot. */
import { expect, test } from 'vitest';
import { openBot } from './bot.js';

test('a payment out of a watched treasury is alerted once, and again by nobody after a restart, which keeps the sources of replies', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'movement', project: 'tide', amount: '18400.25', counterparty: 'Quill Counsel', note: 'second audit' });
  await harness.pass(130);
  const [alert] = await harness.alerts();
  expect(alert).toContain('▼ Tidewater paid 18,400 USDC ($18.4K) to Quill Counsel');
  expect(alert).toContain('Expenses / Legal · OpCo');
  const shown = await harness.say('/treasury tide');
  const sources = /\[Sources: ([^\]]+)\]/u.exec(shown)?.[1] ?? '';
  const before = await harness.say(sources);
  expect(before).toContain('GET /v1/dao/treasury/overview?slug=tide');
  await harness.restart();
  // What the button shows is written at a stop.
  expect(await harness.say(sources)).toBe(before);
  await harness.pass(250);
  expect(await harness.alerts()).toHaveLength(1);
});

test('a movement that was entered late is alerted, and one within the treasury says so', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'movement', project: 'tide', amount: '1000', direction: 'inflow', counterparty: 'Harbor Router' });
  await harness.pass(130);
  await harness.sim({ kind: 'movement', project: 'tide', amount: '2000', direction: 'internal', late: true });
  await harness.pass(130);
  expect(await harness.alerts()).toEqual([
    expect.stringContaining('▲ Tidewater received 1,000 USDC ($1.00K) from Harbor Router'),
    expect.stringContaining('Tidewater moved 2,000 USDC ($2.00K) from '),
  ]);
});

test('a chat that does not want movements hears of none, and the alert leads to one that can be asked for', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.say('/alerts tide off movements');
  await harness.sim({ kind: 'movement', project: 'tide', amount: '77' });
  await harness.pass(130);
  expect(await harness.alerts()).toEqual([]);
  expect(await harness.say('/movements tide')).toContain('77 USDC');
});
