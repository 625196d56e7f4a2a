/** Asked through the whole bot, because why-not is computed from what looks, routing and delivery left behind. */
import { expect, test } from 'vitest';
import { openWhole } from '../journeys/whole.js';

test('under an alert, "Why?" names the entry, when it changed, when it was seen and when it was sent', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'mint', project: 'tide', amount: '5' });
  await house.pass(70);
  const [alert = ''] = await house.alerts();
  const [, line = ''] = /\[Why\?: (\/why \S+)\]/.exec(alert) ?? [];
  const why = await house.say(line);
  expect(why).toContain('You are told because this chat watches tide → supply');
  expect(why).toMatch(/changed .* seen .* queued .* sent .*\(1 attempt\)/);
});

test('a chat that watches nothing is told how to begin', async () => {
  const house = await openWhole();
  expect(await house.say('/why')).toContain('This chat watches nothing');
});

test('for what did not come, the first step that said no is named', async () => {
  const house = await openWhole();
  expect(await house.say('/why tide supply')).toContain('✗ watched: this chat does not watch it');
  await house.say('/watch tide');
  await house.pass(5);
  expect(await house.say('/why tide supply')).toContain('✗ changed: nothing has changed');
  await house.say('/alerts tide supply off');
  expect(await house.say('/why tide supply')).toContain('✗ wanted: supply is switched off here');
});

test('an event the service dates before the watch began is not told, with that reason', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'mint', project: 'tide', amount: '5', at: '2026-11-20T09:00:00Z' });
  await house.pass(70);
  expect(await house.alerts()).toEqual([]);
  expect(await house.say('/why')).toContain('not told: before the watch began');
});

test('an alert kind that does not exist is answered with those that do', async () => {
  const house = await openWhole();
  expect(await house.say('/why tide weather')).toContain('supply, proposals, launches, growth');
});
