import type { User } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import type { Feature } from '../../stand-ins/telegram/control.js';
import { at, catalogueOf, COMMANDS, openHarness, warning, type TelegramHarness } from './harness.js';

let bot: TelegramHarness;
let anna: User;
let group: number;

const WHY = {
  ...COMMANDS[0],
  name: 'why',
  summary: 'Why an alert came',
  group: 'asking',
  options: [],
  examples: [],
  personal: true,
} as const;
const ALERT = reply({
  finding: ['Tidewater minted 5 TIDE'],
  actions: [
    { label: 'Why?', line: '/why 1' },
    { label: 'Mute', line: '/mute tide 24h' },
  ],
});

async function open(lacks: readonly Feature[] = []): Promise<void> {
  bot = await openHarness({ catalogue: catalogueOf([...COMMANDS, WHY]) }, { lacks });
  anna = bot.telegram.person({ first_name: 'Anna' });
  group = bot.telegram.supergroup({ members: [anna] });
  await bot.listen();
}
afterEach(async () => bot.close());

const alone = async (count = 1) =>
  bot.telegram.waitFor(() => bot.telegram.ephemeral(group).length >= count && bot.telegram.ephemeral(group));
const pressAlert = async (button: string) => {
  await bot.platform.notifier.deliver(at(group), { id: 'd-1', reply: ALERT });
  const [alert] = bot.telegram.posted(group);
  if (alert === undefined) throw new Error('no alert');
  return bot.telegram.press({ message: alert, button, from: anna });
};

describe('in a supergroup', () => {
  beforeEach(async () => open());

  test('"Why?" under an alert is answered to whoever pressed it, and the alert stays for everybody', async () => {
    await pressAlert('Why?');
    expect(await alone()).toMatchObject([{ text: '/why 1', raw: { message_id: 0, receiver_user: { id: anna.id } } }]);
    expect(bot.telegram.posted(group)).toMatchObject([{ text: ALERT.finding[0] }]);
  });

  test('what changes the chat is answered to everybody', async () => {
    await pressAlert('Mute');
    expect(await bot.posts(group, 2)).toMatchObject([{}, { text: '/mute tide 24h' }]);
    expect(bot.telegram.ephemeral(group)).toEqual([]);
  });

  test('a command that the client sent to the bot alone is answered to that person, also when it fails', async () => {
    bot.answers(() => warning('No project called "tidewtaer".'));
    bot.telegram.say({ chat: group, from: anna, text: '/why tidewtaer', ephemeral: true });
    expect(await alone()).toMatchObject([{ text: '⚠ No project called "tidewtaer".', raw: { receiver_user: { id: anna.id } } }]);
    expect(bot.telegram.posted(group)).toEqual([]);
  });

  test('a button of such an answer edits it, for that person alone', async () => {
    bot.answers(({ ask }) => reply({ finding: ['line' in ask ? ask.line : ''], actions: [{ label: 'Next', line: '/why 2' }] }));
    bot.telegram.say({ chat: group, from: anna, text: '/why 1', ephemeral: true });
    const [answer] = await alone();
    if (answer === undefined) throw new Error('no answer');
    bot.telegram.press({ message: answer, button: 'Next', from: anna });
    expect(await bot.telegram.waitFor(() => bot.telegram.edits(group)[0])).toMatchObject({ id: answer.id, after: { text: '/why 2' } });
    expect(bot.telegram.ephemeral(group)).toHaveLength(1);
    expect(bot.telegram.posted(group)).toEqual([]);
  });

  test('an answer after the 15 seconds in which Telegram allows it is there for everybody', async () => {
    bot.answers(async () => {
      await bot.clock.advance(20 * SECOND);
      return reply({ finding: ['late'] });
    });
    bot.telegram.say({ chat: group, from: anna, text: '/why 1', ephemeral: true });
    expect(await bot.posts(group)).toMatchObject([{ text: 'late', replyTo: undefined }]);
  });

  test('the menu says which commands clients send to the bot alone', async () => {
    const sets = await bot.telegram.waitFor(() => bot.telegram.calls('setMyCommands').length >= 2 && bot.telegram.calls('setMyCommands'));
    const groups = sets[1]?.params['commands'];
    expect(groups).toContainEqual({ command: 'why', description: 'Why an alert came', is_ephemeral: true });
    expect(groups).toContainEqual({ command: 'premium', description: 'What /premium tells' });
  });
});

test('a server from before Bot API 10.2 shows the answer to everybody, under the alert', async () => {
  await open(['ephemeral']);
  const { query } = await pressAlert('Why?');
  expect(await bot.posts(group, 2)).toMatchObject([{}, { text: '/why 1', replyTo: query.message?.message_id }]);
});
