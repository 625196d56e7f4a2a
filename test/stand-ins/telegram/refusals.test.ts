import { Api, GrammyError, InlineKeyboard, InputFile } from 'grammy/web';
import type { ForceReply } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../src/base/clock.js';
import { handClock } from '../../support/clock.js';
import type { Telegram } from './control.js';
import { startTelegram } from './server.js';

const TOKEN = '7100000001:planted-secret';
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const clock = handClock();
let telegram: Telegram;
let api: Api;
beforeEach(async () => {
  telegram = await startTelegram({ token: TOKEN, clock });
  api = new Api(TOKEN, { apiRoot: telegram.url });
});
afterEach(() => telegram.close());

/** The code and the words of a refusal, or that it was none. */
async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (cause) {
    if (cause instanceof GrammyError) return `${cause.error_code} ${cause.description}`;
    throw cause;
  }
  return 'accepted';
}

const chatWithPerson = () => telegram.privateChat(telegram.person());

test('a description and a short description have a length, and a menu button a kind', async () => {
  expect(await refusal(api.setMyDescription('x'.repeat(513)))).toMatch(/^400 /);
  expect(await refusal(api.setMyShortDescription('x'.repeat(121)))).toMatch(/^400 /);
  expect(await refusal(api.setMyDescription('x'.repeat(512)))).toBe('accepted');
  expect(await refusal(api.setMyShortDescription('x'.repeat(120)))).toBe('accepted');
  expect(await refusal(api.setChatMenuButton({ menu_button: { type: 'commands' } }))).toBe('accepted');
  expect(await api.getChatMenuButton()).toEqual({ type: 'commands' });
  expect((await api.getMyShortDescription()).short_description).toHaveLength(120);
  expect((await api.getMyDescription()).description).toHaveLength(512);
});

describe('who may write where', () => {
  test('unknown chats, strangers and methods that do not exist', async () => {
    expect(await refusal(api.sendMessage(-1, 'x'))).toBe('400 Bad Request: chat not found');
    expect(await refusal(api.sendMessage('@nobody_here', 'x'))).toBe('400 Bad Request: chat not found');
    expect(await refusal(api.sendMessage('', 'x'))).toBe('400 Bad Request: chat_id is empty');
    expect(await refusal(api.sendMessage(telegram.person().id, 'x'))).toBe("403 Forbidden: bot can't initiate conversation with a user");
    expect(await refusal(api.sendDice(chatWithPerson(), '🎲'))).toBe('404 Not Found: method not found');
    expect(await refusal(new Api('1:other', { apiRoot: telegram.url }).getMe())).toBe('401 Unauthorized');
  });

  test('blocked, deactivated, kicked, left and deleted chats each say so', async () => {
    const blocked = chatWithPerson();
    telegram.blockBot(blocked);
    expect(await refusal(api.sendMessage(blocked, 'x'))).toBe('403 Forbidden: bot was blocked by the user');
    const gone = chatWithPerson();
    telegram.deactivate(gone);
    expect(await refusal(api.sendMessage(gone, 'x'))).toBe('403 Forbidden: user is deactivated');
    const deleted = telegram.group();
    telegram.deleteGroup(deleted);
    expect(await refusal(api.sendMessage(deleted, 'x'))).toBe('403 Forbidden: the group chat was deleted');
    const places = { group: telegram.group(), supergroup: telegram.supergroup(), channel: telegram.channel() };
    for (const [kind, chat] of Object.entries(places)) {
      telegram.kickBot(chat);
      expect(await refusal(api.sendMessage(chat, 'x'))).toBe(`403 Forbidden: bot was kicked from the ${kind} chat`);
      telegram.setBot(chat, 'left');
      expect(await refusal(api.sendMessage(chat, 'x'))).toBe(`403 Forbidden: bot is not a member of the ${kind} chat`);
      telegram.addBot(chat);
      expect(await refusal(api.sendMessage(chat, 'x'))).toBe('accepted');
    }
  });

  test('a channel wants an administrator who may post, a muted group wants an administrator', async () => {
    const channel = telegram.channel({ bot: 'member' });
    expect(await refusal(api.sendMessage(channel, 'x'))).toBe('400 Bad Request: need administrator rights in the channel chat');
    telegram.setBot(channel, 'administrator', { can_post_messages: false });
    expect(await refusal(api.sendMessage(channel, 'x'))).toBe('400 Bad Request: need administrator rights in the channel chat');
    const group = telegram.supergroup();
    telegram.muteMembers(group);
    expect(await refusal(api.sendMessage(group, 'x'))).toBe('400 Bad Request: not enough rights to send text messages to the chat');
    expect(await refusal(api.sendPhoto(group, new InputFile(PIXEL)))).toBe('400 Bad Request: not enough rights to send photos to the chat');
    telegram.setBot(group, 'administrator');
    expect(await refusal(api.sendMessage(group, 'x'))).toBe('accepted');
  });

  test('General is reached by leaving the number out; unknown and closed topics refuse; elsewhere the number is not looked at', async () => {
    const forum = telegram.supergroup({ forum: true });
    const topic = telegram.topic(forum, 'Alerts');
    expect(topic).toBeGreaterThan(1);
    const to = (thread: number) => refusal(api.sendMessage(forum, 'x', { message_thread_id: thread }));
    expect(await to(1)).toBe('400 Bad Request: message thread not found');
    expect(await to(topic + 90)).toBe('400 Bad Request: message thread not found');
    telegram.closeTopic(forum, topic);
    expect(await to(topic)).toBe('400 Bad Request: TOPIC_CLOSED');
    telegram.closeTopic(forum, 'general');
    expect(await refusal(api.sendMessage(forum, 'x'))).toBe('400 Bad Request: TOPIC_CLOSED');
    telegram.setBot(forum, 'administrator');
    expect(await to(topic)).toBe('accepted');
    telegram.deleteTopic(forum, topic);
    expect(await to(topic)).toBe('400 Bad Request: message thread not found');
    expect(await refusal(api.sendMessage(chatWithPerson(), 'x', { message_thread_id: 5 }))).toBe(
      '400 Bad Request: message thread not found',
    );
    const group = telegram.group();
    expect(await refusal(api.sendMessage(group, 'plain', { message_thread_id: 5 }))).toBe('accepted');
    expect(telegram.posted(group, 'general').map(({ text }) => text)).toEqual(['plain']);
  });
});

describe('what may be written', () => {
  test('lengths are counted after the markup is gone, in UTF-16 units', async () => {
    const chat = chatWithPerson();
    const html = { parse_mode: 'HTML' } as const;
    expect(await refusal(api.sendMessage(chat, `<b>${'&amp;'.repeat(4_096)}</b>`, html))).toBe('accepted');
    expect(await refusal(api.sendMessage(chat, '😀'.repeat(2_049)))).toBe('400 Bad Request: message is too long');
    expect(await refusal(api.sendMessage(chat, 'x'.repeat(40_000)))).toBe('400 Bad Request: text is too long');
    expect(await refusal(api.sendMessage(chat, ''))).toBe('400 Bad Request: message text is empty');
    expect(await refusal(api.sendMessage(chat, '<b> \n</b>', html))).toBe('400 Bad Request: text must be non-empty');
    expect(await refusal(api.sendMessage(chat, 'x', { parse_mode: 'MarkdownV2' }))).toBe('400 Bad Request: unsupported parse_mode');
    const caption = (text: string) => refusal(api.sendPhoto(chat, new InputFile(PIXEL), { caption: text, ...html }));
    expect(await caption(`<i>${'x'.repeat(1_024)}</i>`)).toBe('accepted');
    expect(await caption('x'.repeat(1_025))).toBe('400 Bad Request: message caption is too long');
    expect(await caption('<x>')).toMatch(/^400 Bad Request: can't parse entities: Unsupported start tag "x"/);
  });

  test('buttons carry text and 64 bytes, and are a hundred at most', async () => {
    const chat = chatWithPerson();
    const under = (keyboard: InlineKeyboard) => refusal(api.sendMessage(chat, 'x', { reply_markup: keyboard }));
    expect(await under(new InlineKeyboard().text('a', 'é'.repeat(32)))).toBe('accepted');
    expect(await under(new InlineKeyboard().text('a', `${'é'.repeat(32)}x`))).toBe('400 Bad Request: BUTTON_DATA_INVALID');
    expect(await under(new InlineKeyboard().text('', 'a'))).toBe('400 Bad Request: inline keyboard button text must be non-empty');
    expect(await under(new InlineKeyboard().url('a', 'http://localhost/x'))).toMatch(/^400 .*URL 'http:\/\/localhost\/x' is invalid/);
    expect(await under(InlineKeyboard.from([[{ text: 'a' } as never]]))).toBe(
      "400 Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    );
    const many = (count: number) => InlineKeyboard.from(Array.from({ length: count }, (_, row) => [InlineKeyboard.text('a', `${row}`)]));
    expect(await under(many(100))).toBe('accepted');
    expect(await under(many(101))).toBe('400 Bad Request: reply markup is too long');
  });

  test('a forced reply is asked of whom the text names, and neither has buttons nor can be changed', async () => {
    const anna = telegram.person();
    const group = telegram.group({ members: [anna] });
    const ask = (chat: number, markup: object) =>
      api.sendMessage(chat, `<a href="tg://user?id=${anna.id}">Anna</a>?`, { parse_mode: 'HTML', reply_markup: markup as ForceReply });
    const force = { force_reply: true, selective: true, input_field_placeholder: 'x'.repeat(64) };
    const sent = await ask(group, force);
    expect(telegram.posted(group)[0]?.forcedReply).toEqual({ placeholder: 'x'.repeat(64), opensFor: [anna.id] });
    expect(sent).not.toHaveProperty('reply_markup');
    expect(await refusal(api.editMessageText(group, sent.message_id, 'other'))).toBe("400 Bad Request: message can't be edited");
    expect(await refusal(ask(group, { ...force, input_field_placeholder: 'x'.repeat(65) }))).toBe('400 Bad Request: REPLY_MARKUP_INVALID');
    expect(await refusal(ask(group, { ...force, input_field_placeholder: '' }))).toBe('400 Bad Request: REPLY_MARKUP_INVALID');
    expect(await refusal(ask(telegram.channel(), force))).toBe('400 Bad Request: inline keyboard expected');
    await ask(group, { ...force, inline_keyboard: new InlineKeyboard().text('a', 'b').inline_keyboard });
    expect(telegram.posted(group).at(-1)).toMatchObject({ forcedReply: undefined, buttons: [[{ text: 'a' }]] });
    const alone = telegram.privateChat(anna);
    await ask(alone, { force_reply: true });
    expect(telegram.posted(alone)[0]?.forcedReply).toEqual({ placeholder: undefined, opensFor: 'everyone' });
  });

  test('a document that somebody sent is fetched by its path, with the token', async () => {
    const from = telegram.person();
    const { raw } = telegram.say({ chat: telegram.privateChat(from), from, document: { name: 'list.txt', content: 'tide' } });
    const { file_path: path = '' } = await api.getFile(raw.document?.file_id ?? '');
    const fetched = async (token: string, where: string) => {
      const answer = await fetch(`${telegram.url}/file/bot${token}/${where}`);
      return [answer.status, await answer.text()];
    };
    expect(await fetched(TOKEN, path)).toEqual([200, 'tide']);
    expect((await fetched('1:other', path))[0]).toBe(401);
    expect((await fetched(TOKEN, 'documents/none'))[0]).toBe(404);
    expect(telegram.calls('file')).toHaveLength(3);
  });

  test('files: a photo is a picture, an id is of its kind, and nothing is nothing', async () => {
    const chat = chatWithPerson();
    const sent = await api.sendPhoto(chat, new InputFile(PIXEL));
    const id = sent.photo[0]?.file_id ?? '';
    expect(await refusal(api.sendPhoto(chat, id))).toBe('accepted');
    expect(await refusal(api.sendDocument(chat, id))).toBe("400 Bad Request: can't use file of type Photo as Document");
    expect(await refusal(api.sendPhoto(chat, 'AgACmadeup'))).toBe('400 Bad Request: wrong file identifier/HTTP URL specified');
    expect(await refusal(api.sendPhoto(chat, new InputFile(Buffer.from('<svg/>'))))).toBe('400 Bad Request: IMAGE_PROCESS_FAILED');
    expect(await refusal(api.sendDocument(chat, new InputFile(Buffer.alloc(0))))).toBe('400 Bad Request: file must be non-empty');
    expect(await refusal(api.sendDocument(chat, ''))).toBe('400 Bad Request: there is no document in the request');
    expect(await refusal(api.getFile('nothing'))).toBe('400 Bad Request: wrong file_id or the file is temporarily unavailable');
  });

  test('commands of the menu are short, lower case and described', async () => {
    const set = (command: string, description = 'x') => refusal(api.setMyCommands([{ command, description }]));
    expect(await set('watch_2')).toBe('accepted');
    expect(await set('Watch')).toBe('400 Bad Request: BOT_COMMAND_INVALID');
    expect(await set('')).toBe('400 Bad Request: command must be non-empty');
    expect(await set('a'.repeat(33))).toBe('400 Bad Request: command length must not exceed 32');
    expect(await set('a', ' ')).toBe('400 Bad Request: command description must be non-empty');
    expect(await refusal(api.setMyCommands([], { scope: { type: 'chat', chat_id: telegram.channel() } }))).toBe(
      "400 Bad Request: can't change commands in channel chats",
    );
  });
});

describe('what may be changed', () => {
  test('an edit needs a message of its own, something new, and a text where there is one', async () => {
    const chat = chatWithPerson();
    const person = { id: chat, is_bot: false, first_name: 'x' };
    const { message_id: id } = await api.sendMessage(chat, 'one');
    const edit = (message: number, text: string) => refusal(api.editMessageText(chat, message, text));
    expect(await edit(id, 'one')).toMatch(/^400 Bad Request: message is not modified/);
    expect(await edit(id, 'two')).toBe('accepted');
    expect(await edit(id + 99, 'two')).toBe('400 Bad Request: message to edit not found');
    expect(await edit(telegram.say({ chat, from: person, text: 'theirs' }).id, 'x')).toBe("400 Bad Request: message can't be edited");
    const photo = await api.sendPhoto(chat, new InputFile(PIXEL));
    expect(await edit(photo.message_id, 'x')).toBe('400 Bad Request: there is no text in the message to edit');
    expect(await refusal(api.editMessageCaption(chat, id, { caption: 'x' }))).toBe(
      '400 Bad Request: there is no caption in the message to edit',
    );
    expect(await refusal(api.editMessageReplyMarkup(chat, id))).toMatch(/message is not modified/);
    expect(await refusal(api.deleteMessage(chat, id))).toBe('accepted');
    expect(await refusal(api.deleteMessage(chat, id))).toBe('400 Bad Request: message to delete not found');
    expect(telegram.deleted(chat)).toEqual([{ chat, id }]);
  });

  test('what others wrote in a group only an administrator deletes, and nothing after two days', async () => {
    const from = telegram.person();
    const chat = telegram.supergroup({ members: [from] });
    const theirs = telegram.say({ chat, from, text: 'hello' });
    expect(await refusal(api.deleteMessage(chat, theirs.id))).toBe("400 Bad Request: message can't be deleted");
    telegram.setBot(chat, 'administrator');
    expect(await refusal(api.deleteMessage(chat, theirs.id))).toBe('accepted');
    const mine = await api.sendMessage(chat, 'x');
    await clock.advance(49 * HOUR);
    expect(await refusal(api.deleteMessage(chat, mine.message_id))).toBe("400 Bad Request: message can't be deleted for everyone");
  });

  test('a press is answered soon, in 200 characters, and opens no address', async () => {
    const from = telegram.person();
    const chat = telegram.privateChat(from);
    const sent = await api.sendMessage(chat, 'x', { reply_markup: new InlineKeyboard().text('Go', '/go') });
    const press = () => telegram.press({ message: { chat, id: sent.message_id }, button: 'Go', from }).id;
    expect(await refusal(api.answerCallbackQuery(press(), { text: 'x'.repeat(201) }))).toBe('400 Bad Request: MESSAGE_TOO_LONG');
    expect(await refusal(api.answerCallbackQuery(press(), { url: 'https://acme.io' }))).toBe('400 Bad Request: URL_INVALID');
    expect(await refusal(api.answerCallbackQuery('made up'))).toMatch(/^400 Bad Request: query is too old/);
    const late = press();
    await clock.advance(16 * SECOND);
    expect(await refusal(api.answerCallbackQuery(late))).toMatch(/^400 Bad Request: query is too old/);
  });

  test('members of a private chat, a channel and a stranger', async () => {
    const stranger = telegram.person();
    const channel = telegram.channel({ bot: 'member' });
    expect(await refusal(api.getChatMember(channel, stranger.id))).toBe('400 Bad Request: member list is inaccessible');
    expect(await refusal(api.getChatMember(telegram.supergroup(), 12))).toBe('400 Bad Request: PARTICIPANT_ID_INVALID');
    expect((await api.getChatMember(telegram.supergroup(), stranger.id)).status).toBe('left');
    expect(await refusal(api.getChatAdministrators(chatWithPerson()))).toBe(
      '400 Bad Request: there are no administrators in the private chat',
    );
    expect(await refusal(api.sendChatAction(channel, 'dance' as never))).toBe('400 Bad Request: wrong parameter action in request');
    for (const url of ['http://acme.io/hook', 'https://acme.io:8787/hook', 'acme.io'])
      expect(await refusal(api.setWebhook(url))).toMatch(/^400 Bad Request: bad webhook/);
    expect(await refusal(api.setWebhook('https://acme.io/hook', { secret_token: 'not a token' }))).toMatch(
      /^400 Bad Request: secret token/,
    );
    expect(await refusal(api.setWebhook('https://acme.io/hook', { secret_token: 'a-token' }))).toBe('accepted');
    expect(await refusal(api.getUpdates())).toMatch(/^409 Conflict: can't use getUpdates method while webhook is active/);
    expect(await refusal(api.deleteWebhook())).toBe('accepted');
    expect((await api.getWebhookInfo()).url).toBe('');
  });
});

describe('flood limits', () => {
  test('three at once to a person, twenty a minute to a group, thirty a second overall; the wait stated is the wait needed', async () => {
    telegram.limitRates(true);
    const chat = chatWithPerson();
    const group = telegram.group();
    const burst = async (to: number, count: number) => Promise.all(Array.from({ length: count }, () => refusal(api.sendMessage(to, 'x'))));
    expect((await burst(chat, 4)).filter((answer) => answer !== 'accepted')).toEqual(['429 Too Many Requests: retry after 3']);
    await clock.advance(3 * SECOND);
    expect(await refusal(api.sendMessage(chat, 'x'))).toBe('accepted');
    expect((await burst(group, 21)).filter((answer) => answer !== 'accepted')).toEqual(['429 Too Many Requests: retry after 60']);
    await clock.advance(60 * SECOND);
    expect((await burst(group, 20)).every((answer) => answer === 'accepted')).toBe(true);
    const people = await Promise.all(Array.from({ length: 11 }, async () => refusal(api.sendMessage(chatWithPerson(), 'x'))));
    expect(people.filter((answer) => answer !== 'accepted')).toEqual(['429 Too Many Requests: retry after 1']);
  });
});

describe('inline results', () => {
  test('are refused where they are too many, repeat an id, lack content, or name an unknown picture', async () => {
    await telegram.close();
    telegram = await startTelegram({ token: TOKEN, clock, inlineMode: true });
    api = new Api(TOKEN, { apiRoot: telegram.url });
    void telegram.inline({ from: telegram.person(), query: 'x' });
    const [update] = await api.getUpdates();
    const id = update?.inline_query?.id ?? '';
    const article = (of: string, text = 'x') => ({
      type: 'article' as const,
      id: of,
      title: 'x',
      input_message_content: { message_text: text },
    });
    const many = Array.from({ length: 51 }, (_, index) => article(String(index)));
    expect(await refusal(api.answerInlineQuery(id, many))).toBe('400 Bad Request: RESULTS_TOO_MUCH');
    expect(await refusal(api.answerInlineQuery(id, [article('a'), article('a')]))).toBe('400 Bad Request: RESULT_ID_DUPLICATE');
    expect(await refusal(api.answerInlineQuery(id, [article('x'.repeat(65))]))).toBe('400 Bad Request: RESULT_ID_INVALID');
    expect(await refusal(api.answerInlineQuery(id, [article('a', '')]))).toMatch(/^400 /);
    const photo = { type: 'photo' as const, id: 'p', photo_file_id: 'nothing' };
    expect(await refusal(api.answerInlineQuery(id, [photo]))).toBe('400 Bad Request: wrong file identifier/HTTP URL specified');
    expect(await refusal(api.answerInlineQuery(id, [], { button: { text: 'x', start_parameter: 'not a word' } }))).toMatch(/^400 /);
    expect(await refusal(api.answerInlineQuery('1', [article('a')]))).toMatch(/query is too old/);
    expect(await refusal(api.answerInlineQuery(id, [article('a')]))).toBe('accepted');
  });
});

describe('a keyboard that asks for a chat', () => {
  const none = {
    ...{ is_anonymous: false, can_manage_chat: false, can_delete_messages: false, can_manage_video_chats: false },
    ...{ can_restrict_members: false, can_promote_members: false, can_change_info: false, can_invite_users: false },
    ...{ can_send_welcome_messages: false, can_post_stories: false, can_edit_stories: false, can_delete_stories: false },
  };
  const posting = { ...none, can_post_messages: true };
  const asking = (request: object) => ({
    keyboard: [[{ text: 'Pick', request_chat: { request_id: 1, chat_is_channel: true, ...request } }]],
  });

  test('needs all rights to be named, and none of the bot that the person lacks', async () => {
    const chat = chatWithPerson();
    const asked = async (request: object): Promise<string> => refusal(api.sendMessage(chat, 'x', { reply_markup: asking(request) }));
    expect(await asked({ user_administrator_rights: posting, bot_administrator_rights: posting })).toBe('accepted');
    expect(await asked({ bot_administrator_rights: posting })).toMatch(/^400 /);
    expect(await asked({ user_administrator_rights: { can_post_messages: true } })).toMatch(/^400 /);
    expect(await asked({ chat_is_channel: undefined })).toMatch(/^400 /);
    expect(await asked({ request_id: 2 ** 31 })).toMatch(/^400 /);
  });

  test('stands in private chats only', async () => {
    const refused = '400 Bad Request: chats can be requested in private chats only';
    expect(await refusal(api.sendMessage(telegram.group(), 'x', { reply_markup: asking({}) }))).toBe(refused);
    expect(await refusal(api.sendMessage(telegram.channel(), 'x', { reply_markup: asking({}) }))).toMatch(/^400 /);
  });

  test('lists the chats that Telegram would list, and makes the bot an administrator where its owner picks one', async () => {
    const person = telegram.person();
    const [own, strange, group] = [telegram.channel({ owner: person, bot: 'left' }), telegram.channel(), telegram.group({ owner: person })];
    const request = { user_administrator_rights: posting, bot_administrator_rights: posting };
    await api.sendMessage(telegram.privateChat(person), 'x', { reply_markup: asking(request) });
    for (const chat of [strange, group]) expect(() => telegram.pick({ from: person, button: 'Pick', chat })).toThrow('would not list');
    telegram.pick({ from: person, button: 'Pick', chat: own });
    expect(telegram.pending.map((update) => Object.keys(update)[1])).toEqual(['my_chat_member', 'message']);
    expect((await api.getChatMember(own, telegram.me.id)).status).toBe('administrator');
  });
});

test('a button has one of three styles', async () => {
  const chat = chatWithPerson();
  const styled = (style: string) => ({ inline_keyboard: [[{ text: 'Go', callback_data: 'x', style }]] });
  const send = async (style: string): Promise<string> =>
    refusal(api.raw.sendMessage({ chat_id: chat, text: 'x', reply_markup: styled(style) as never }));
  expect(await send('danger')).toBe('accepted');
  expect(await send('green')).toMatch(/^400 /);
});
