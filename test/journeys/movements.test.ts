/** A movement of a treasury, from the service to a message in the chat, through the whole bot. */
import { expect, test } from 'vitest';
import { openWhole } from './whole.js';

test('a payment out of a watched treasury is told once, and again by nobody after a restart', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'movement', project: 'tide', amount: '18400.25', counterparty: 'Quill Counsel', note: 'second audit' });
  await house.pass(130);
  const [alert] = await house.alerts();
  expect(alert).toContain('▼ Tidewater paid 18,400 USDC ($18.4K) to Quill Counsel');
  expect(alert).toContain('Expenses / Legal · OpCo');
  await house.restart();
  await house.pass(250);
  expect(await house.alerts()).toHaveLength(1);
});

test('a movement that was entered late is told, and one within the treasury says so', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'movement', project: 'tide', amount: '1000', direction: 'inflow', counterparty: 'Harbor Router' });
  await house.pass(130);
  await house.sim({ kind: 'movement', project: 'tide', amount: '2000', direction: 'internal', late: true });
  await house.pass(130);
  expect(await house.alerts()).toEqual([
    expect.stringContaining('▲ Tidewater received 1,000 USDC ($1.00K) from Harbor Router'),
    expect.stringContaining('Tidewater moved 2,000 USDC ($2.00K) from '),
  ]);
});

test('a chat that does not want movements hears of none, and the alert leads to one that can be asked for', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.say('/alerts tide off movements');
  await house.sim({ kind: 'movement', project: 'tide', amount: '77' });
  await house.pass(130);
  expect(await house.alerts()).toEqual([]);
  expect(await house.say('/movements tide')).toContain('77 USDC');
});
