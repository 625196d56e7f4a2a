/** From a change at the service to a message in the chat, through the whole bot. */
import { expect, test } from 'vitest';
import { openBot } from './bot.js';

test('a mint at a watched project is alerted once, and again by nobody after a restart', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([expect.stringContaining('▲ Tidewater minted 486,211 TIDE')]);
  await harness.restart();
  await harness.pass(130);
  expect((await harness.alerts()).filter((text) => text.includes('minted'))).toHaveLength(1);
});

test('what happens while the bot is away is alerted after it comes back', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'burn', project: 'tide', amount: '12.25' });
  await harness.restart();
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([expect.stringContaining('▼ Tidewater burned 12.25 TIDE')]);
});

test('a chat that watches one project hears nothing of another', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim([
    { kind: 'mint', project: 'kestrel-yard', amount: '77' },
    { kind: 'mint', project: 'tide', amount: '78' },
  ]);
  await harness.pass(70);
  const alerted = await harness.alerts();
  expect(alerted).toHaveLength(1);
  expect(alerted[0]).toContain('78 TIDE');
});

test('a late row with a lower id is alerted', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '1000' });
  await harness.pass(70);
  await harness.sim({ kind: 'mint', project: 'tide', amount: '2000', late: true });
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([expect.stringContaining('minted 1,000 TIDE'), expect.stringContaining('minted 2,000 TIDE')]);
});

test('a mute holds alerts back and lets them through when it ends', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.say('/mute tide 30m');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '5' });
  await harness.pass(120);
  expect(await harness.alerts()).toEqual([]);
  expect(await harness.say('/why tide supply')).toContain('✗ muted');
  await harness.say('/mute tide off');
  await harness.pass(5);
  expect(await harness.alerts()).toHaveLength(1);
});

test('what was unwatched while it waited is not alerted any more', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.say('/mute tide 30m');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '5' });
  await harness.pass(70);
  await harness.say('/unwatch tide');
  await harness.pass(1_900, 20);
  expect(await harness.alerts()).toEqual([]);
});
