import { Bot, GrammyError, HttpError, InlineKeyboard, InputFile } from 'grammy/web';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { handClock } from '../support/clock.js';
import type { Telegram } from './telegram/control.js';
import { startTelegram } from './telegram/server.js';

const TOKEN = '7100000001:planted-secret';
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const clock = handClock();
let telegram: Telegram;
const running: { readonly bot: Bot; readonly over: Promise<void> }[] = [];

beforeEach(async () => {
  telegram = await startTelegram({ token: TOKEN, clock });
});
afterEach(async () => {
  for (const { bot, over } of running.splice(0)) {
    await bot.stop();
    await over;
  }
  await telegram.close();
});

const newBot = (): Bot => new Bot(TOKEN, { client: { apiRoot: telegram.url } });

/** Resolves when the bot waits for updates. */
async function start(bot: Bot, options: Parameters<Bot['start']>[0] = {}): Promise<void> {
  running.push({ bot, over: bot.start(options) });
  await telegram.waitFor(() => telegram.polling);
}

/** What grammY throws, whole. */
async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (cause: unknown) => cause,
  );
}

describe('a conversation through grammY', () => {
  test('a command is answered, a button pressed, the same message edited', async () => {
    const anna = telegram.person({ first_name: 'Anna' });
    const chat = telegram.privateChat(anna);
    const bot = newBot();
    bot.command('premium', (ctx) =>
      ctx.reply(`<b>${ctx.match}</b> trades below NAV`, {
        parse_mode: 'HTML',
        reply_markup: new InlineKeyboard().text('1W', '/premium 1W'),
      }),
    );
    bot.callbackQuery('/premium 1W', async (ctx) => {
      await ctx.editMessageText('a week of it');
      await ctx.answerCallbackQuery({ text: 'Here' });
    });
    await start(bot);
    telegram.say({ chat, from: anna, text: '/premium tide' });
    const [reply] = await telegram.waitFor(() => telegram.posted(chat).length === 1 && telegram.posted(chat));
    expect(reply).toMatchObject({
      text: 'tide trades below NAV',
      entities: [{ type: 'bold', offset: 0, length: 4 }],
      pings: [],
      preview: undefined,
    });
    expect(reply?.buttons).toEqual([[{ text: '1W', data: '/premium 1W' }]]);
    const press = telegram.press({ message: reply!, button: '1W', from: anna });
    expect(await press.answered).toEqual({ text: 'Here', alert: false, url: undefined });
    expect(telegram.edits(chat)).toMatchObject([
      { before: { text: 'tide trades below NAV' }, after: { text: 'a week of it', buttons: [], edits: 1 } },
    ]);
    expect(telegram.calls('sendMessage')).toMatchObject([{ params: { chat_id: chat, parse_mode: 'HTML' }, answer: { ok: true } }]);
  });

  test('the bot starts and stops as grammY does it, and every update is confirmed', async () => {
    const anna = telegram.person();
    const chat = telegram.privateChat(anna);
    const emitted: string[] = [];
    const bot = newBot();
    bot.on('message:text', (ctx) => void emitted.push(ctx.message.text));
    telegram.say({ chat, from: anna, text: 'before it ran' });
    await start(bot);
    telegram.say({ chat, from: anna, text: 'while it ran' });
    await telegram.waitFor(() => emitted.length === 2);
    for (const { over } of running.splice(0)) {
      await bot.stop();
      await over;
    }
    expect(emitted).toEqual(['before it ran', 'while it ran']);
    expect(telegram.pending).toEqual([]);
    expect(telegram.polling).toBe(false);
  });

  test('the poll really waits, and ends empty when its time is over', async () => {
    const poll = newBot().api.getUpdates({ timeout: 30 });
    await telegram.waitFor(() => telegram.polling);
    await clock.asleep();
    await clock.advance(30 * SECOND);
    expect(await poll).toEqual([]);
  });

  test('a newer poll fails the older one with 409, and grammY gives up polling', async () => {
    const bot = newBot();
    const over = thrown(bot.start());
    await telegram.waitFor(() => telegram.polling);
    const second = newBot();
    await start(second);
    const cause = await over;
    expect(cause).toBeInstanceOf(GrammyError);
    expect(cause).toMatchObject({
      error_code: 409,
      description: expect.stringMatching(/^Conflict: terminated by other getUpdates request/),
    });
    expect(telegram.polling).toBe(true);
  });

  test('what is asked for by name comes: members only then, and only to an administrator', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ bot: 'administrator', members: [anna] });
    telegram.makeAdmin(chat, anna);
    expect(telegram.pending).toEqual([]);
    const { api } = newBot();
    telegram.setBot(chat, 'administrator');
    expect(await api.getUpdates({ allowed_updates: ['chat_member'] })).toHaveLength(1);
    telegram.setMember(chat, anna, 'left');
    const [, left] = await api.getUpdates();
    expect(left?.chat_member).toMatchObject({ old_chat_member: { status: 'administrator' }, new_chat_member: { status: 'left' } });
  });
});

describe('groups, topics and channels', () => {
  test('with privacy mode a bot hears commands and replies to it but no mentions, and as an administrator everything', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    const { api } = newBot();
    const mine = await api.sendMessage(chat, 'mine');
    const said = (text: string, replyTo?: { chat: number; id: number }) =>
      telegram.say({ chat, from: anna, text, ...(replyTo ? { replyTo } : {}) });
    const gossip = said('gossip');
    said('/help');
    said('/help@navwatch_bot');
    said('/help@other_bot');
    said('ask @Navwatch_Bot');
    said('thanks', { chat, id: mine.message_id });
    said('not yours', gossip);
    telegram.setBot(chat, 'administrator');
    said('gossip again');
    const texts = telegram.pending.flatMap(({ message }) => message?.text ?? []);
    expect(texts).toEqual(['/help', '/help@navwatch_bot', 'thanks', 'gossip again']);
    expect(telegram.pending.find(({ message }) => message?.text === 'thanks')?.message).toMatchObject({
      message_thread_id: mine.message_id,
    });
  });

  test('a topic keeps its own messages, and its number stands in what the bot hears', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ forum: true, members: [anna] });
    const thread = telegram.topic(chat, 'Alerts');
    const bot = newBot();
    bot.command('here', (ctx) => ctx.reply('in the same topic'));
    await start(bot);
    telegram.say({ chat, from: anna, text: '/here', thread });
    await telegram.waitFor(() => telegram.posted(chat, thread).length === 1);
    telegram.say({ chat, from: anna, text: '/here' });
    await telegram.waitFor(() => telegram.posted(chat, 'general').length === 1);
    expect(telegram.posted(chat)).toHaveLength(2);
    expect(telegram.messages(chat, thread).map(({ by }) => by)).toEqual(['service', 'person', 'bot']);
  });

  test('an anonymous administrator speaks as the group', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    telegram.makeAdmin(chat, anna, { anonymous: true });
    telegram.say({ chat, from: anna, text: '/watch' });
    expect(telegram.pending.at(-1)?.message).toMatchObject({ from: { username: 'GroupAnonymousBot' }, sender_chat: { id: chat } });
    const admins = await newBot().api.getChatAdministrators(chat);
    expect(admins.map(({ status, ...rest }) => [status, 'is_anonymous' in rest && rest.is_anonymous])).toEqual([
      ['creator', false],
      ['administrator', true],
    ]);
  });

  test('a channel speaks in posts, and the bot finds it by its name', async () => {
    const chat = telegram.channel({ username: 'acme_news', title: 'Acme events' });
    const bot = newBot();
    bot.on('channel_post:text', (ctx) => ctx.reply(`heard ${ctx.channelPost.text}`));
    await start(bot);
    telegram.say({ chat, text: '/watch' });
    await telegram.waitFor(() => telegram.posted(chat).length === 1);
    expect(telegram.posted(chat)[0]?.raw).toMatchObject({ text: 'heard /watch', sender_chat: { id: chat, title: 'Acme events' } });
    expect((await bot.api.sendMessage('@Acme_News', 'x')).chat.id).toBe(chat);
  });

  test('a group becomes a supergroup: both service messages, and the new number in the refusal', async () => {
    const old = telegram.group({ title: 'Acme' });
    const to = telegram.migrate(old);
    const { api } = newBot();
    const updates = await api.getUpdates();
    expect(updates[0]?.my_chat_member).toMatchObject({
      chat: { id: to },
      old_chat_member: { status: 'left' },
      new_chat_member: { status: 'member' },
    });
    expect(updates.slice(1).map(({ message }) => [message?.chat.id, message?.migrate_to_chat_id, message?.migrate_from_chat_id])).toEqual([
      [old, to, undefined],
      [to, undefined, old],
    ]);
    expect(await thrown(api.sendMessage(old, 'x'))).toMatchObject({
      error_code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: to },
    });
    expect((await api.sendMessage(to, 'x')).message_id).toBeGreaterThan(0);
  });

  test('coming and going of the bot is alerted', async () => {
    const chat = telegram.group({ bot: 'left' });
    telegram.addBot(chat);
    telegram.kickBot(chat);
    const updates = await newBot().api.getUpdates();
    const standings = updates.flatMap(({ my_chat_member: alerted }) =>
      alerted ? [`${alerted.old_chat_member.status} > ${alerted.new_chat_member.status}`] : [],
    );
    expect(standings).toEqual(['left > member', 'member > kicked']);
  });

  test('each menu is seen where its scope reaches, the most specific first', async () => {
    const anna = telegram.person();
    const group = telegram.supergroup({ members: [anna] });
    const { api } = newBot();
    const set = (command: string, scope: Parameters<typeof api.setMyCommands>[1] = {}) =>
      api.setMyCommands([{ command, description: 'x' }], scope);
    await set('default');
    await set('groups', { scope: { type: 'all_group_chats' } });
    await set('admins', { scope: { type: 'all_chat_administrators' } });
    const seen = (chat: number) => telegram.menu(chat, anna).map(({ command }) => command);
    expect(seen(telegram.privateChat(anna))).toEqual(['default']);
    expect(seen(group)).toEqual(['groups']);
    telegram.makeAdmin(group, anna);
    expect(seen(group)).toEqual(['admins']);
    await api.deleteMyCommands({ scope: { type: 'all_chat_administrators' } });
    expect(seen(group)).toEqual(['groups']);
    expect(await api.getMyCommands({ scope: { type: 'all_group_chats' } })).toEqual([{ command: 'groups', description: 'x' }]);
  });
});

describe('files', () => {
  test('a photo arrives byte for byte, is sent again by its id, and can be fetched', async () => {
    const chat = telegram.privateChat(telegram.person());
    const { api } = newBot();
    const sent = await api.sendPhoto(chat, new InputFile(PIXEL, 'chart.png'), {
      caption: '<b>17.2 %</b> below',
      parse_mode: 'HTML',
      reply_markup: new InlineKeyboard().text('1W', 'w'),
    });
    const id = sent.photo.at(-1)?.file_id ?? '';
    await api.sendPhoto(chat, id);
    const [first, again] = telegram.posted(chat);
    expect(first).toMatchObject({ text: '17.2 % below', file: { kind: 'photo', name: 'chart.png' }, buttons: [[{ data: 'w' }]] });
    expect(again?.file?.bytes.equals(PIXEL)).toBe(true);
    const { file_path: path } = await api.getFile(id);
    const fetched = await fetch(`${telegram.url}/file/bot${TOKEN}/${path}`);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(PIXEL)).toBe(true);
    expect((await fetch(`${telegram.url}/file/botwrong/${path}`)).status).toBe(401);
  });

  test('a document keeps its name, and a picture can be exchanged with its caption', async () => {
    const chat = telegram.privateChat(telegram.person());
    const { api } = newBot();
    await api.sendDocument(chat, new InputFile(Buffer.from('{"a":1}'), 'watchlist.json'));
    expect(telegram.posted(chat)[0]?.file).toMatchObject({ kind: 'document', name: 'watchlist.json', bytes: Buffer.from('{"a":1}') });
    const photo = await api.sendPhoto(chat, new InputFile(PIXEL), { caption: 'one' });
    await api.editMessageMedia(chat, photo.message_id, { type: 'photo', media: new InputFile(PIXEL, 'b.png'), caption: 'two' });
    expect(telegram.posted(chat)[1]).toMatchObject({ text: 'two', file: { name: 'b.png' }, edits: 1 });
  });

  test('forms and queries are read like JSON', async () => {
    const chat = telegram.privateChat(telegram.person());
    const markup = JSON.stringify({ inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] });
    const form = new URLSearchParams({ chat_id: String(chat), text: 'by form', reply_markup: markup });
    await fetch(`${telegram.url}/bot${TOKEN}/SENDMESSAGE`, { method: 'POST', body: form });
    await fetch(`${telegram.url}/bot${TOKEN}/sendMessage?chat_id=${chat}&text=by+query`);
    expect(telegram.posted(chat).map(({ text, buttons }) => [text, buttons.length])).toEqual([
      ['by form', 1],
      ['by query', 0],
    ]);
    const bad = await fetch(`${telegram.url}/bot${TOKEN}/sendMessage`, {
      method: 'POST',
      body: '{"chat',
      headers: { 'content-type': 'application/json' },
    });
    expect(bad.status).toBe(400);
  });
});

describe('what rings and what is previewed', () => {
  test('names that ring and addresses that are previewed are seen by the test', async () => {
    const anna = telegram.person();
    const chat = telegram.privateChat(anna);
    const { api } = newBot();
    await api.sendMessage(chat, `@someone <a href="tg://user?id=${anna.id}">Anna</a> acme.io`, { parse_mode: 'HTML' });
    await api.sendMessage(chat, '<code>@someone</code> acme.io', { parse_mode: 'HTML', link_preview_options: { is_disabled: true } });
    const [loud, quiet] = telegram.posted(chat);
    expect(loud?.pings).toEqual([
      { kind: 'mention', text: '@someone' },
      { kind: 'text_mention', text: 'Anna' },
    ]);
    expect(loud?.preview).toBe('acme.io');
    expect(quiet).toMatchObject({ pings: [], preview: undefined });
  });
});

describe('what goes wrong', () => {
  test('a 429 tells its wait, for the calls, the method and the chat it was meant for', async () => {
    const [one, other] = [telegram.privateChat(telegram.person()), telegram.privateChat(telegram.person())];
    const { api } = newBot();
    telegram.fail({ fault: { kind: 'too-many', retryAfter: 43_837 }, method: 'sendMessage', chat: one, times: 2 });
    expect((await api.sendMessage(other, 'x')).message_id).toBeGreaterThan(0);
    for (let round = 0; round < 2; round += 1)
      expect(await thrown(api.sendMessage(one, 'x'))).toMatchObject({
        error_code: 429,
        description: 'Too Many Requests: retry after 43837',
        parameters: { retry_after: 43_837 },
      });
    expect((await api.sendMessage(one, 'x')).message_id).toBeGreaterThan(0);
    expect(telegram.calls('sendMessage').map(({ fault }) => fault)).toEqual([undefined, 'too-many', 'too-many', undefined]);
  });

  test.each([
    ['cut-before', 0],
    ['cut-after', 1],
    ['bad-gateway', 0],
  ] as const)('%s: grammY sees a network error, and so many messages stand: %i', async (kind, standing) => {
    const chat = telegram.privateChat(telegram.person());
    telegram.fail({ fault: { kind } });
    expect(await thrown(newBot().api.sendMessage(chat, 'x'))).toBeInstanceOf(HttpError);
    expect(telegram.posted(chat)).toHaveLength(standing);
  });

  test('half an answer ends the call with an error, and the message stands', async () => {
    const chat = telegram.privateChat(telegram.person());
    telegram.fail({ fault: { kind: 'half-answer' } });
    // With the client that grammY brings along a broken body is waited for until its own limit of 500 s.
    const { api } = new Bot(TOKEN, { client: { apiRoot: telegram.url, fetch: globalThis.fetch } });
    expect(await thrown(api.sendMessage(chat, 'x'))).toBeInstanceOf(HttpError);
    expect(telegram.posted(chat)).toHaveLength(1);
  });

  test.each([
    ['hang', 0],
    ['hang-after', 1],
  ] as const)('%s: nothing comes until the caller gives up, and so many messages stand: %i', async (kind, standing) => {
    const chat = telegram.privateChat(telegram.person());
    telegram.fail({ fault: { kind } });
    const patience = new AbortController();
    // grammY wants the signal of its own shim; the two are alike where it looks.
    const sent = thrown(newBot().api.sendMessage(chat, 'x', {}, patience.signal as never));
    await telegram.waitFor(() => telegram.calls('sendMessage').length === 1 && telegram.posted(chat).length === standing);
    patience.abort();
    expect(await sent).toBeInstanceOf(HttpError);
    expect(telegram.calls('sendMessage')[0]?.answer).toBeUndefined();
  });

  test('a slow answer comes when the clock says so, a fault is lifted, an own refusal is passed on', async () => {
    const chat = telegram.privateChat(telegram.person());
    const { api } = newBot();
    telegram.fail({ fault: { kind: 'slow', ms: 5_000 } });
    const slow = api.sendMessage(chat, 'x');
    await clock.asleep();
    expect(telegram.posted(chat)).toEqual([]);
    await clock.advance(5_000);
    expect((await slow).text).toBe('x');
    const lift = telegram.fail({ fault: { kind: 'refuse', code: 500, description: 'Internal Server Error' }, times: 'always' });
    expect(await thrown(api.sendMessage(chat, 'x'))).toMatchObject({ error_code: 500 });
    lift();
    expect((await api.sendMessage(chat, 'y')).text).toBe('y');
  });

  test('whoever waits for what never comes is alerted when it closes', async () => {
    const never = thrown(telegram.waitFor(() => false));
    await telegram.close();
    expect(await never).toMatchObject({ message: expect.stringContaining('it closed while somebody waited') });
  });
});
