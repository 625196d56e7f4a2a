/** What a platform asks and remembers of chats that are managed from a private chat. */
import { afterEach, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import type { OtherChannel } from '../../../src/chat/inbound.js';
import { reply } from '../../../src/chat/reply.js';
import { Managing } from '../../../src/platforms/telegram/managing.js';
import { openStore } from '../../../src/store/open.js';
import type { NewChat } from '../../stand-ins/telegram/control.js';
import { handClock } from '../../support/clock.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

let bot: TelegramHarness;
afterEach(async () => bot.close());

/** Anna's private chat, and what the bot was asked there last. */
async function opened() {
  bot = await openHarness();
  await bot.listen();
  const { anna, chat } = bot.privately();
  const asked = async (text = '/watchlist') => {
    const standing = bot.inbounds.length;
    bot.telegram.say({ chat, from: anna, text });
    await bot.telegram.waitFor(() => bot.inbounds.length > standing);
    return bot.inbounds.at(-1)!;
  };
  const found = async (channel: number | string): Promise<OtherChannel> => (await asked()).from.inChannel!(String(channel));
  return { anna, chat, asked, found };
}

const SAYS = {
  managed: '',
  away: "I'm not in that chat",
  strange: "You aren't an administrator of that chat",
  unseen: "I'm not an administrator of that channel",
  mute: '"Post Messages" in News',
} as const;

test.each<[string, keyof typeof SAYS, NewChat, Parameters<TelegramHarness['telegram']['setMember']>[2], { can_post_messages?: boolean }]>([
  ['its creator', 'managed', {}, 'creator', {}],
  ['an administrator who may post', 'managed', {}, 'administrator', {}],
  ['an administrator who may not post', 'mute', {}, 'administrator', { can_post_messages: false }],
  ['a subscriber', 'strange', {}, 'member', {}],
  ['somebody who left', 'strange', {}, 'left', {}],
  ['its creator, while the bot is not there', 'away', { bot: 'left' }, 'creator', {}],
  ['its creator, who removed the bot', 'away', { bot: 'banned' }, 'creator', {}],
  ['its creator, while the bot is an ordinary member', 'unseen', { bot: 'member' }, 'creator', {}],
])('a channel as %s sees it: %s', async (_, answer, made, status, rights) => {
  const { anna, found } = await opened();
  const channel = bot.telegram.channel({ title: 'News', ...made });
  bot.telegram.setMember(channel, anna, status, { rights });
  const result = await found(channel);
  const circles = [`telegram/chat/${channel}`, `telegram/user/${anna.id}`];
  const managed = { kind: 'managed', chat: at(channel), name: 'News', author: 'News', circles };
  expect(result.kind === 'refused' ? [result.says.includes(SAYS[answer])] : result).toEqual(answer === 'managed' ? managed : [true]);
});

test('a group is managed by any administrator, by its name where it has one, and only an anonymous one is called like the group', async () => {
  const { anna, found } = await opened();
  const group = bot.telegram.supergroup({ title: 'Talk', username: 'harbour_talk' });
  bot.telegram.makeAdmin(group, anna);
  expect(await found('@harbour_talk')).not.toHaveProperty('author');
  bot.telegram.makeAdmin(group, anna, { anonymous: true });
  expect(await found('@harbour_talk')).toMatchObject({ kind: 'managed', chat: at(group), author: 'Talk' });
});

test('rights are asked each time: one that was taken away counts at the next question', async () => {
  const { anna, found } = await opened();
  const channel = bot.telegram.channel({ owner: anna });
  expect(await found(channel)).toMatchObject({ kind: 'managed' });
  bot.telegram.setMember(channel, anna, 'member');
  expect(await found(channel)).toMatchObject({ kind: 'refused' });
});

test.each(['1', '-1009999999999', '999999999999999999', '@nobody_here', '@me', 'x'])('%s is refused without a failure', async (channel) => {
  const { found } = await opened();
  expect(await found(channel)).toMatchObject({ kind: 'refused' });
});

test('a private chat is none to manage, not even the own one', async () => {
  const { chat, found } = await opened();
  expect(await found(chat)).toMatchObject({ kind: 'refused', says: expect.stringContaining("I'm not in that chat") });
});

test('in a group nobody can choose another chat, because others read along', async () => {
  await opened();
  const person = bot.telegram.person();
  const group = bot.telegram.group({ owner: person });
  bot.telegram.say({ chat: group, from: person, text: '/watch tide' });
  await bot.telegram.waitFor(() => bot.inbounds.length === 1);
  const { from, chosen } = bot.inbounds[0]!;
  expect([from.managed, chosen]).toEqual([undefined, undefined]);
  expect(await from.inChannel!(String(group))).toMatchObject({ kind: 'refused' });
});

test('a chosen chat goes with typed questions and with presses, and says which of the two it is', async () => {
  const { anna, chat, asked } = await opened();
  await (await asked()).from.managed!.choose({ channel: '-1001', name: 'News' });
  expect((await asked()).chosen).toEqual({ channel: '-1001', name: 'News', isTyped: true });
  bot.answers(() => reply({ finding: ['x'], actions: [{ label: 'Press', line: '/watch' }] }));
  await asked();
  const message = await bot.telegram.waitFor(() => bot.telegram.posted(chat).find(({ buttons }) => buttons.length > 0));
  await bot.telegram.press({ message, button: 'Press', from: anna }).answered;
  expect(bot.inbounds.at(-1)?.chosen).toMatchObject({ isTyped: false });
});

test('a choice ends twelve hours after the last question, and the chat is forgotten after 90 days', async () => {
  const clock = handClock();
  const store = await openStore('memory://');
  const managing = new Managing({ store, clock, log: silentLog });
  await managing.of(7).choose({ channel: '-1001', name: 'News' });
  for (const after of [11, 11]) {
    await clock.advance(after * HOUR);
    expect(await managing.chosen(7)).toEqual({ channel: '-1001', name: 'News' });
  }
  await clock.advance(12 * HOUR);
  expect(await managing.chosen(7)).toBeUndefined();
  expect(await managing.of(7).read()).toEqual({ known: [{ channel: '-1001', name: 'News' }], chosen: undefined });
  await clock.advance(90 * DAY);
  expect((await managing.of(7).read()).known).toEqual([]);
  await managing.sweep();
  expect(await managing.kept(at(-1001))).toEqual([]);
});

test('eight chats of a person are remembered, the one that was chosen last first', async () => {
  const managed = new Managing({ store: await openStore('memory://'), clock: handClock(), log: silentLog }).of(7);
  for (let n = 1; n <= 9; n += 1) await managed.choose({ channel: String(-1000 - n), name: `Chat ${n}` });
  await managed.choose({ channel: '-1005', name: 'Chat 5' });
  const { known } = await managed.read();
  expect(known.map(({ name }) => name)).toEqual([5, 9, 8, 7, 6, 4, 3, 2].map((n) => `Chat ${n}`));
});

test('what is remembered is counted and forgotten for the person, for the private chat and for the chat that was managed', async () => {
  const { anna, chat, asked } = await opened();
  const { managed } = (await asked()).from;
  const owner = bot.platform.dataOwner!;
  const counts = async () => [(await owner.keptOf!(`telegram/${anna.id}`)).length, (await owner.kept(at(-1001))).length];
  expect(await owner.keptOf!('discord/1')).toEqual([]);
  const forgets = [
    async () => owner.forgetChat(at(chat)),
    async () => owner.forgetPerson!(`telegram/${anna.id}`),
    async () => owner.forgetChat(at(-1001)),
  ];
  for (const forget of forgets) {
    await managed!.choose({ channel: '-1001', name: 'News' });
    expect(await counts()).toEqual([1, 1]);
    await forget();
    expect(await counts()).toEqual([0, 0]);
    expect((await asked()).chosen).toBeUndefined();
  }
});

test('a picked chat is a question about it; a forged one elsewhere is none', async () => {
  const { anna, chat } = await opened();
  const group = bot.telegram.group({ owner: anna });
  const shared = { message_id: 900, date: 0, from: anna, chat_shared: { request_id: 1, chat_id: -1001234567890 } };
  bot.telegram.push({ message: { ...shared, chat: { id: group, type: 'group', title: 'Talk' } } });
  bot.telegram.push({ message: { ...shared, chat: { id: chat, type: 'private', first_name: 'Anna' } } });
  await bot.telegram.waitFor(() => bot.inbounds.length > 0);
  await bot.done();
  expect(bot.lines()).toEqual(['/manage -1001234567890']);
});

test('the list of chats is shown after the answer, in a private chat only', async () => {
  const { anna, chat, asked } = await opened();
  bot.answers(() => reply({ finding: ['Pick'], chatPicker: true, actions: [{ label: 'Done', line: '/help' }] }));
  await asked('/help');
  await bot.posts(chat, 2);
  expect(bot.telegram.posted(chat).map(({ replyKeyboard }) => replyKeyboard)).toEqual([undefined, ['Pick a channel', 'Pick a group']]);
  const group = bot.telegram.group({ owner: anna });
  bot.telegram.say({ chat: group, from: anna, text: '/help' });
  await bot.posts(group);
  await bot.done();
  expect(bot.telegram.posted(group)).toHaveLength(1);
});
