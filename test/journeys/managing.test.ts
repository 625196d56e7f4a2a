/** A channel of Telegram set up from the private chat with its admin: nothing is typed in the channel, and rights are asked at each change. */
import { expect, test } from 'vitest';
import type { SeenMessage } from '../stand-ins/telegram/control.js';
import { openConnectedBot } from './connected-bot.js';

const NOTHING = 'Nothing watched yet';

/** Olga owns a channel that the bot is not in. `listed`: who may ask, beside the group. */
async function opened(listed: 'olga' | 'channel' | 'nobody' = 'olga') {
  const made = { channel: 0 };
  const bot = await openConnectedBot({
    env: { OPERATORS: '' },
    before: ({ telegram }) => void (made.channel = telegram.channel({ title: 'Harbour news', bot: 'left' })),
    envFor: ({ group, olga }) => ({
      ACCESS: [
        `telegram/chat/${group}`,
        ...{ olga: [`telegram/user/${olga.id}`], channel: [`telegram/chat/${made.channel}`], nobody: [] }[listed],
      ].join(','),
    }),
  });
  const { telegram, olga } = bot;
  const { channel } = made;
  telegram.setMember(channel, olga, 'creator');
  const here = telegram.privateChat(olga);
  const next = async (act: () => void, chat = here): Promise<SeenMessage> => {
    const standing = telegram.posted(chat).length;
    act();
    return telegram.waitFor(() =>
      telegram
        .posted(chat)
        .slice(standing)
        .find(({ text }) => !text.includes('I was added')),
    );
  };
  const typed = async (text: string, from = olga): Promise<SeenMessage> => {
    const chat = telegram.privateChat(from);
    return next(() => telegram.say({ chat, from, text }), chat);
  };
  return {
    ...{ bot, telegram, olga, channel, here, next, typed },
    /** What a press shows: a notice, the message that it changed, or a new one. */
    async press(button: string, message: SeenMessage): Promise<string> {
      const [standing, edited] = [telegram.posted(here).length, telegram.edits(here).length];
      const { text = '' } = await telegram.press({ message, button, from: olga }).answered;
      if (text !== '') return text;
      return telegram.waitFor(() => telegram.posted(here)[standing]?.text ?? telegram.edits(here)[edited]?.after.text);
    },
    /** `/manage`, then a chat is picked from the list that Telegram shows. */
    async picked(chat = channel, button = 'Pick a channel'): Promise<SeenMessage> {
      const before = telegram.posted(here).length;
      telegram.say({ chat: here, from: olga, text: '/manage' });
      await telegram.waitFor(() =>
        telegram
          .posted(here)
          .slice(before)
          .some(({ replyKeyboard }) => replyKeyboard !== undefined),
      );
      return next(() => telegram.pick({ from: olga, button, chat }));
    },
  };
}

const labels = ({ buttons }: SeenMessage): readonly string[] => buttons.flat().map(({ text }) => text);

test('two steps set up a channel without a word in it, and /privacy says what is kept of it', async () => {
  const { telegram, channel, here, typed, picked, press } = await opened();
  expect((await picked()).text).toContain('You are managing Harbour news');
  expect(telegram.posted(here).find(({ text }) => text.includes('I was added'))?.text).toContain('Nothing was posted there');
  const watching = await typed('/watch tide');
  expect(watching.text).toContain('Watching Tidewater in Harbour news');
  expect(labels(watching)).toContain('Done');
  expect(telegram.messages(channel)).toEqual([]);
  const stored = (await typed('/privacy')).text;
  expect(stored).toMatch(
    /^Data stored about Harbour news and you[^]*Watchlist: 1 entry[^]*Who manages this chat from a private chat with me: 1 person/u,
  );
  expect(stored).toContain('Which chats you manage from your private chat with me: 1');
  expect((await typed('/manage done')).text).toContain('no longer managing Harbour news');
  expect((await typed('/watchlist')).text).toContain(NOTHING);
  const known = await typed('/manage');
  await telegram.waitFor(() => telegram.posted(here).at(-1)?.replyKeyboard !== undefined);
  expect(await press('Harbour news', known)).toContain('Watched there: 1 entry');
});

test('what is stored about a managed chat is deleted from the private chat, which keeps its own', async () => {
  const { telegram, channel, typed, picked, press } = await opened();
  await typed('/watch heron');
  await picked();
  await typed('/watch tide');
  const asked = await typed('/privacy delete chat');
  expect(asked.text).toMatch(/^⚠ Delete everything about Harbour news\?[^]*This deletes 1 entry/u);
  expect(await press('Delete everything', asked)).toContain('Everything about Harbour news is deleted');
  // Nobody manages it any more, so lines concern the private chat.
  expect((await typed('/watchlist')).text).toContain('Heron');
  expect((await typed('/privacy')).text).toMatch(/^Data stored about this chat and you/u);
  expect((await typed('/privacy')).text).not.toContain('manage from your private chat');
  expect(telegram.messages(channel)).toEqual([]);
});

test('whoever deletes their name also ends what they manage, and is told so', async () => {
  const { bot, typed, picked, press } = await opened();
  await picked();
  const inGroup = await bot.write('/privacy');
  expect(inGroup.text).toContain('Which chats you manage from your private chat with me: 1');
  await typed('/manage done');
  const asked = await typed('/privacy delete me');
  expect(asked.text).toContain('It also deletes which chats you manage from your private chat with me: 1');
  expect(await press('Delete my name', asked)).toContain('What was stored about you is deleted');
  expect((await typed('/privacy')).text).not.toContain('manage from your private chat');
});

test('buttons stay with the chat that they were shown for, whichever is managed when they are pressed', async () => {
  const { telegram, here, typed, picked, press } = await opened();
  const own = await typed('/watch heron');
  await picked();
  const there = await typed('/watch tide');
  expect(await press('Most', own)).not.toContain('Harbour news');
  expect(await press('Everything', telegram.messages(here).find(({ id }) => id === own.id) ?? own)).not.toContain('Harbour news');
  const linked = await typed('/start watch_alder');
  expect(await press('Undo', linked)).not.toContain('Harbour news');
  expect((await typed('/watchlist')).text).not.toMatch(/Heron|Alder/u);
  await typed('/manage done');
  expect(await press('Most', there)).toContain('Harbour news');
  expect(await press('Undo', there)).toContain('Harbour news');
  expect((await typed('/watchlist')).text).toContain('Heron');
});

test('buttons of answers, changes in plain words and a board concern the chat that is managed', async () => {
  const { bot, telegram, channel, typed, picked, press } = await opened();
  await picked();
  expect(await press('Watch', await typed('/premium tide'))).toContain('in Harbour news');
  const proposal = await typed('please mute tide for 2 hours');
  expect(proposal.text).toContain('Harbour news');
  await press('Mute', proposal);
  expect((await typed('/watchlist')).text).toMatch(/Harbour news[^]*muted/iu);
  expect((await typed('/board unpinned')).text).toMatch(/Board: on[^]*Harbour news/u);
  await bot.pass(60, 10);
  expect(telegram.posted(channel).map(({ text }) => text.split('\n')[0])).toEqual([expect.stringContaining('Board: 1 project')]);
  await typed('/manage done');
  expect((await typed('/watchlist')).text).toContain(NOTHING);
});

test('a right that was taken away is named, nothing is stored, and the person can leave the chat', async () => {
  const { telegram, olga, channel, typed, picked } = await opened();
  await picked();
  telegram.setMember(channel, olga, 'administrator', { rights: { can_post_messages: false } });
  const refused = await typed('/watch tide');
  expect(refused.text).toContain('You need the administrator right "Post Messages" in Harbour news');
  expect(labels(refused)).toEqual(['Done']);
  telegram.setMember(channel, olga, 'member');
  expect((await typed('/watch tide')).text).toContain("You aren't an administrator of that chat");
  telegram.setMember(channel, olga, 'creator');
  telegram.kickBot(channel);
  expect((await typed('/watch tide')).text).toContain("I'm not in that chat");
  telegram.setBot(channel, 'administrator');
  expect((await typed('/watchlist')).text).toContain(NOTHING);
  telegram.fail({ method: 'getChatMember', fault: { kind: 'refuse', code: 500, description: 'Internal Server Error' }, times: 'always' });
  expect((await typed('/watch tide')).text).toContain("Telegram isn't responding");
  telegram.mend();
  expect((await typed('/manage done')).text).toContain('no longer managing');
});

test('a right that the bot lacks is named before anything is stored', async () => {
  const { telegram, channel, typed } = await opened();
  telegram.setBot(channel, 'administrator', { can_post_messages: false });
  expect((await typed(`/manage ${channel}`)).text).toMatch(/I can't post alerts in Harbour news: I need .*"Post Messages"/u);
  expect((await typed('/privacy')).text).not.toContain('you manage from');
  expect((await typed('/watch tide')).text).toContain('in this chat');
});

test('nobody but an administrator learns the name of a chat or changes it, however they name it', async () => {
  const { bot, telegram, channel, typed } = await opened('channel');
  telegram.setBot(channel, 'administrator');
  telegram.setMember(channel, bot.paul, 'member');
  for (const line of [`/manage ${channel}`, `/watch tide channel:${channel}`, `/watch <#${channel}> tide`, `/history channel:${channel}`]) {
    const refused = await typed(line, bot.paul);
    expect(refused.text, line).toContain('only its administrators can manage it');
    expect(refused.text, line).not.toContain('Harbour');
  }
  const named = await typed('/manage @harbour_news', bot.paul);
  expect(named.text).not.toContain('Harbour');
  expect(named.text).toContain('pick that chat from the list');
  expect(telegram.calls('getChat').filter(({ params }) => String(params['chat_id']).startsWith('@'))).toEqual([]);
  expect((await typed(`/manage ${bot.olga.id}`, bot.paul)).text).toContain("I'm not in that chat");
});

test('whoever administers a listed channel sets it up without being listed, and is answered from then on', async () => {
  const { typed, picked } = await opened('channel');
  expect((await typed('/premium tide')).text).toContain('only answers chats and people its operator has allowed');
  expect((await picked()).text).toContain('You are managing Harbour news');
  expect((await typed('/premium tide')).text).toContain('TIDE');
});

test('a channel that is not listed is refused with its id, which the operator needs', async () => {
  const { channel, typed, picked } = await opened('nobody');
  expect((await picked()).text).toContain(`telegram/chat/${channel}`);
  expect((await typed('/privacy')).text).not.toContain('you manage from');
});

test('a group that became a supergroup stays managed, and an anonymous administrator is not named', async () => {
  const { bot, telegram, olga, typed, picked } = await opened();
  expect((await picked(bot.group, 'Pick a group')).text).toContain('You are managing Harbour talk');
  await typed('/watch tide');
  const moved = telegram.migrate(bot.group);
  telegram.setMember(moved, olga, 'creator', { anonymous: true });
  await telegram.waitFor(() => telegram.pending.length === 0 && telegram.polling);
  const there = await typed('/watch heron');
  expect(there.text).toContain('Watching Heron');
  expect(labels(there)).toContain('Done');
  const again = await typed('/watch heron');
  expect(again.text).toContain('by Harbour talk');
  expect(again.text).not.toContain('Olga');
});
