/** Chats in trouble: long waits, moves, removals, lost permissions. What was to be told is told, once, and where people are now. */
import { expect, test } from 'vitest';
import { kickedAndBack, lostEmbedLinks, supergroup, twelveHours } from './scenes.js';
import { openTwo, read } from './two.js';

test('a pause of twelve hours that Telegram wants is kept over a restart, and then everything is told once', async () => {
  const two = await openTwo();
  await two.slash('watch', { target: 'tide' });
  const { until, early } = await twelveHours(two);
  expect(early).toEqual([]);
  expect(two.posted('minted 101 TIDE')).toHaveLength(1);
  expect(two.posted('minted 102 TIDE')).toHaveLength(1);
  const sent = two.telegram.calls('sendMessage').find(({ at }) => at >= until);
  expect((sent?.at ?? Number.NaN) - until).toBeLessThanOrEqual(2_000);
  // Discord waited for nothing.
  expect(two.told().map(read)).toEqual([expect.stringContaining('minted 101 TIDE'), expect.stringContaining('minted 102 TIDE')]);
}, 60_000);

test('a group that becomes a supergroup keeps its list and is told there, when Telegram says that it moved', async () => {
  const two = await openTwo();
  const to = await supergroup(two, 'by message');
  expect(two.posted('minted 202 TIDE', to)).toHaveLength(1);
  expect(two.posted('minted', two.group)).toEqual([]);
  expect(two.telegram.calls('sendMessage').filter(({ answer }) => answer?.ok === false)).toEqual([]);
});

test('a group that becomes a supergroup keeps its list and is told there, when only a refused message says that it moved', async () => {
  const two = await openTwo();
  const to = await supergroup(two, 'by sending');
  expect(two.posted('minted 201 TIDE', to)).toHaveLength(1);
  expect(two.posted('minted 202 TIDE', to)).toHaveLength(1);
  expect(two.posted('minted', two.group)).toEqual([]);
});

test('people of a group that became a supergroup go on asking, though ACCESS lists the group, over a restart too', async () => {
  const two = await openTwo();
  const to = two.telegram.migrate(two.group);
  await two.logged('chat.moved');
  expect((await two.write('/premium tide', { chat: to, from: two.paul })).text).toMatch(/^TIDE trades/);
  await two.restart();
  expect((await two.write('/premium tide', { chat: to, from: two.paul })).text).toMatch(/^TIDE trades/);
  const strangers = two.telegram.supergroup({ owner: two.paul });
  expect((await two.write('/premium tide', { chat: strangers, from: two.paul })).text).toContain('ACCESS');
});

test('removed and invited again on both: nothing is tried meanwhile, the list stands, and one catch-up names what was missed', async () => {
  const two = await openTwo();
  await kickedAndBack(two);
  expect(two.told().map(read)).toEqual([expect.stringContaining('minted 301 TIDE')]);
  expect(two.posted('minted 301 TIDE')).toHaveLength(1);
  for (const text of [read(two.told()[0] ?? { content: '', embeds: [] }), two.posted('minted 301 TIDE')[0]?.text])
    expect(text).toMatch(/Catching up: the bot was not in this chat for \d+ min/u);
  const refusals = two.discord.transcript.calls('POST', `/channels/${two.channel}/messages`).filter(({ status }) => status >= 400);
  expect(refusals).toEqual([]);
  expect(two.telegram.calls('sendMessage').filter(({ answer }) => answer?.ok === false)).toEqual([]);
});

test.each(['while it listens', 'while it is away'] as const)(
  'an alert whose embed lacks a permission shows its first line, says so, and is completed once it is mended %s',
  async (mended) => {
    const two = await openTwo();
    const { meanwhile, why, status } = await lostEmbedLinks(two, mended);
    expect(meanwhile).toMatchObject([{ content: expect.stringContaining('minted 401 TIDE'), embeds: [] }]);
    expect(`${read(why)}\n${read(status)}`).toContain('I need Embed Links');
    expect(two.told()).toMatchObject([{ id: meanwhile[0]?.id, content: expect.stringContaining('minted 401 TIDE'), embeds: [{}] }]);
  },
);
