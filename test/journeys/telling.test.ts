/** From a change at the service to a message in the chat, through the whole bot. */
import { expect, test } from 'vitest';
import { openWhole } from './whole.js';

test('a mint at a watched project is told once, and again by nobody after a restart', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await house.pass(70);
  expect(await house.alerts()).toEqual([expect.stringContaining('▲ Tidewater minted 486,211 TIDE')]);
  await house.restart();
  await house.pass(130);
  expect((await house.alerts()).filter((text) => text.includes('minted'))).toHaveLength(1);
});

test('what happens while the bot is away is told after it comes back', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'burn', project: 'tide', amount: '12.25' });
  await house.restart();
  await house.pass(70);
  expect(await house.alerts()).toEqual([expect.stringContaining('▼ Tidewater burned 12.25 TIDE')]);
});

test('a chat that watches one project hears nothing of another', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim([
    { kind: 'mint', project: 'kestrel-yard', amount: '77' },
    { kind: 'mint', project: 'tide', amount: '78' },
  ]);
  await house.pass(70);
  const told = await house.alerts();
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('78 TIDE');
});

test('a late row with a lower id is told', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'mint', project: 'tide', amount: '1000' });
  await house.pass(70);
  await house.sim({ kind: 'mint', project: 'tide', amount: '2000', late: true });
  await house.pass(70);
  expect(await house.alerts()).toEqual([expect.stringContaining('minted 1,000 TIDE'), expect.stringContaining('minted 2,000 TIDE')]);
});

test('a mute holds alerts back and lets them through when it ends', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.say('/mute tide 30m');
  await house.sim({ kind: 'mint', project: 'tide', amount: '5' });
  await house.pass(120);
  expect(await house.alerts()).toEqual([]);
  expect(await house.say('/why tide supply')).toContain('✗ muted');
  await house.say('/mute tide off');
  await house.pass(5);
  expect(await house.alerts()).toHaveLength(1);
});

test('what was unwatched while it waited is not told any more', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.say('/mute tide 30m');
  await house.sim({ kind: 'mint', project: 'tide', amount: '5' });
  await house.pass(70);
  await house.say('/unwatch tide');
  await house.pass(1_900);
  expect(await house.alerts()).toEqual([]);
});
