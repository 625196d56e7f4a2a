import { afterEach, describe, expect, test } from 'vitest';
import { instant, MINUTE } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

let bot: TelegramHarness;
afterEach(async () => bot.close());

const timed = (bot: TelegramHarness) => reply({ finding: ['Ends ', { at: instant(bot.clock.now() + MINUTE) }], zone: 'Europe/Berlin' });
const summary = (bot: TelegramHarness) =>
  reply({
    finding: ['7 events, the next '],
    blocks: [
      { kind: 'list', items: Array.from({ length: 7 }, (_, n) => ({ line: [`Event ${n}`] })) },
      { kind: 'line', line: ['Ends ', { at: instant(bot.clock.now() + MINUTE) }] },
    ],
    isSummary: true,
  });
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

describe('folded summaries', () => {
  test('a long summary is folded below its first line, a short one and an answer are not', async () => {
    bot = await openHarness();
    bot.answers(() => reply({ ...summary(bot), isSummary: undefined }));
    await bot.listen();
    const { anna, chat } = bot.privately();
    const whole = summary(bot);
    await bot.platform.notifier.deliver(at(chat), { id: 'a1', reply: whole });
    await bot.platform.notifier.deliver(at(chat), { id: 'a2', reply: reply({ ...whole, blocks: whole.blocks.slice(1) }) });
    bot.telegram.say({ chat, from: anna, text: '/history' });
    const [folded, ...others] = await bot.posts(chat, 3);
    expect(marks(folded)).toContain('expandable_blockquote');
    const [quote] = folded?.entities.filter(({ type }) => type === 'expandable_blockquote') ?? [];
    expect(folded?.text.slice(quote?.offset, (quote?.offset ?? 0) + (quote?.length ?? 0))).toMatch(/^• Event 0[^]*\nEnds /u);
    expect(others.flatMap((one) => marks(one))).not.toContain('expandable_blockquote');
  });

  test('a server that knows neither quotes nor local times refuses each once, and then gets the same lines', async () => {
    bot = await openHarness({}, { lacks: ['quotes', 'local-times'] });
    const { chat } = bot.privately();
    for (const id of ['a1', 'a2'])
      expect(await bot.platform.notifier.deliver(at(chat), { id, reply: summary(bot) })).toMatchObject({ kind: 'sent' });
    const [first, second] = bot.telegram.posted(chat);
    expect(first?.text.split('\n')).toHaveLength(9);
    expect(second?.text).toBe(first?.text);
    expect(bot.telegram.calls('sendMessage').map(({ answer }) => answer?.ok)).toEqual([false, false, true, true]);
    expect(bot.log.filter(({ event }) => event === 'telegram.older-server')).toMatchObject([
      { fields: { lacks: 'quotes' } },
      { fields: { lacks: 'local times' } },
    ]);
  });
});
