import { afterEach, beforeEach, expect, test } from 'vitest';
import { inviteLinks } from '../../../src/platforms/telegram/profile.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(async () => harness.close());

test('one link adds the bot to a group, the other to a channel with the right to post', () => {
  const links = inviteLinks({ username: 'navwatch_bot', can_join_groups: true });
  expect(links.map(({ url }) => url)).toEqual([
    'https://t.me/navwatch_bot?startgroup',
    'https://t.me/navwatch_bot?startchannel&admin=post_messages+edit_messages',
  ]);
});

test('a bot that no group may add has no link to one', () => {
  expect(inviteLinks({ username: 'navwatch_bot', can_join_groups: false })).toHaveLength(1);
});

test('they are for private chats, and there is none before the bot knows its name', async () => {
  const { chat } = harness.privately();
  expect(harness.platform.inviteLinks?.(at(chat))).toEqual([]);
  await harness.listen();
  expect(harness.platform.inviteLinks?.(at(chat))).toHaveLength(2);
  expect(harness.platform.inviteLinks?.(at(harness.telegram.group()))).toEqual([]);
});
