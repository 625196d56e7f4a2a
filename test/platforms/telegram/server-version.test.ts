import { afterEach, describe, expect, test } from 'vitest';
import { instant, MINUTE } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

let bot: TelegramHarness;
afterEach(async () => bot.close());

const timed = (bot: TelegramHarness) => reply({ finding: ['Ends ', { at: instant(bot.clock.now() + MINUTE) }], zone: 'Europe/Berlin' });
const marks = (message: { entities: readonly { type: string }[] } | undefined) => message?.entities.map(({ type }) => type);

describe('local times', () => {
  test('answers and alerts show moments in the timezone of the reader', async () => {
    bot = await openHarness();
    bot.answers(() => timed(bot));
    await bot.listen();
    const { anna, chat } = bot.privately();
    bot.telegram.say({ chat, from: anna, text: '/premium tide' });
    await bot.posts(chat);
    await bot.platform.notifier.deliver(at(chat), { id: 'a1', reply: timed(bot) });
    expect(bot.telegram.posted(chat).map(marks)).toEqual([
      ['bold', 'date_time'],
      ['bold', 'date_time'],
    ]);
  });

  test('a server from before Bot API 9.5 refuses them once, and then gets the time of the chat', async () => {
    bot = await openHarness({}, { lacks: ['local-times'] });
    const { chat } = bot.privately();
    for (const id of ['a1', 'a2'])
      expect(await bot.platform.notifier.deliver(at(chat), { id, reply: timed(bot) })).toMatchObject({ kind: 'sent' });
    const [first, second] = bot.telegram.posted(chat);
    expect(first?.text).toMatch(/^Ends (?:\w{3} \d+, )?\d\d:\d\d CES?T$/u);
    expect([first, second].map(marks)).toEqual([['bold'], ['bold']]);
    const sent = bot.telegram.calls('sendMessage').map(({ answer }) => answer?.ok);
    expect(sent).toEqual([false, true, true]);
  });
});
