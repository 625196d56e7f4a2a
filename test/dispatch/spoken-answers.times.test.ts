import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

test.each([
  ['did tide mint anything this week', 'this week'],
  ['did tide mint anything yesterday', 'yesterday'],
  ['did heron mint today?', 'today'],
])('"%s" says that the list has all times', async (text, time) => {
  const { say } = await openAppHarness();
  expect((await say(text)).text).toContain(`without "${time}": this list has all times`);
});

test.each(['mints of tide', 'premium of tide 1 month'])('"%s" leaves out no time', async (text) => {
  const { say } = await openAppHarness();
  expect((await say(text)).text).not.toContain('without "');
});
