/** Chats in trouble: long waits, moves, removals, lost permissions. What was to be alerted is alerted, once, and where people are now. */
import { expect, test } from 'vitest';
import { kickedAndBack, lostEmbedLinks, SUPPLY, supergroup, twelveHours } from './scenes.js';
import { openConnectedBot, read } from './connected-bot.js';

test('a pause of twelve hours that Telegram wants is kept over a restart, and then everything is alerted once', async () => {
  const bot = await openConnectedBot({ watching: SUPPLY });
  const { until, early } = await twelveHours(bot);
  expect(early).toEqual([]);
  expect(bot.posted('minted 101 TIDE')).toHaveLength(1);
  expect(bot.posted('minted 102 TIDE')).toHaveLength(1);
  const sent = bot.telegram.calls('sendMessage').find(({ at }) => at >= until);
  expect((sent?.at ?? Number.NaN) - until).toBeLessThanOrEqual(2_000);
  // Discord waited for nothing.
  expect(bot.alerted().map(read)).toEqual([expect.stringContaining('minted 101 TIDE'), expect.stringContaining('minted 102 TIDE')]);
});

test('a group that becomes a supergroup keeps its list and is alerted there, when Telegram says that it moved', async () => {
  const bot = await openConnectedBot({ watching: SUPPLY });
  const to = await supergroup(bot, 'by message');
  expect(bot.posted('minted 202 TIDE', to)).toHaveLength(1);
  expect(bot.posted('minted', bot.group)).toEqual([]);
  expect(bot.telegram.calls('sendMessage').filter(({ answer }) => answer?.ok === false)).toEqual([]);
});

test('a group that becomes a supergroup keeps its list and is alerted there, when only a refused message says that it moved', async () => {
  const bot = await openConnectedBot({ watching: SUPPLY });
  const to = await supergroup(bot, 'by sending');
  expect(bot.posted('minted 201 TIDE', to)).toHaveLength(1);
  expect(bot.posted('minted 202 TIDE', to)).toHaveLength(1);
  expect(bot.posted('minted', bot.group)).toEqual([]);
});

test('people of a group that became a supergroup go on asking, though ACCESS lists the group, over a restart too', async () => {
  const bot = await openConnectedBot();
  const to = bot.telegram.migrate(bot.group);
  await bot.logged('chat.moved');
  expect((await bot.write('/premium tide', { chat: to, from: bot.paul })).text).toMatch(/^TIDE trades/);
  await bot.restart();
  expect((await bot.write('/premium tide', { chat: to, from: bot.paul })).text).toMatch(/^TIDE trades/);
  const strangers = bot.telegram.supergroup({ owner: bot.paul });
  expect((await bot.write('/premium tide', { chat: strangers, from: bot.paul })).text).toContain('ACCESS');
});

test('removed and invited again on both: nothing is tried meanwhile, the list stands, and one catch-up names what was missed', async () => {
  const bot = await openConnectedBot({ watching: SUPPLY });
  await kickedAndBack(bot);
  expect(bot.alerted().map(read)).toEqual([expect.stringContaining('minted 301 TIDE')]);
  expect(bot.posted('minted 301 TIDE')).toHaveLength(1);
  for (const text of [read(bot.alerted()[0] ?? { content: '', embeds: [] }), bot.posted('minted 301 TIDE')[0]?.text])
    expect(text).toMatch(/Catching up: the bot was not in this chat for \d+ min/u);
  const refusals = bot.discord.transcript.calls('POST', `/channels/${bot.channel}/messages`).filter(({ status }) => status >= 400);
  expect(refusals).toEqual([]);
  expect(bot.telegram.calls('sendMessage').filter(({ answer }) => answer?.ok === false)).toEqual([]);
});

test.each(['while it listens', 'while it is away'] as const)(
  'an alert whose embed lacks a permission shows its first line, says so, and is completed once it is mended %s',
  async (mended) => {
    const bot = await openConnectedBot({ watching: SUPPLY });
    const { meanwhile, why, status } = await lostEmbedLinks(bot, mended);
    expect(meanwhile).toMatchObject([{ content: expect.stringContaining('minted 401 TIDE'), embeds: [] }]);
    expect(`${read(why)}\n${read(status)}`).toContain('I need Embed Links');
    expect(bot.alerted()).toMatchObject([{ id: meanwhile[0]?.id, content: expect.stringContaining('minted 401 TIDE'), embeds: [{}] }]);
  },
);
