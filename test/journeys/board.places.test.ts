/** Boards and digests where a platform takes no plain messages in the channel itself: forums and media channels of Discord, topics of Telegram. */
import { expect, test } from 'vitest';
import { FEEDS } from '../../src/feeds/index.js';
import { Permission, USUAL_BOT_PERMISSIONS } from '../stand-ins/discord/flags.js';
import { openConnectedBot, read, type ConnectedBot } from './connected-bot.js';

/** So that nothing but boards and digests is posted. */
const KINDS = FEEDS.map(({ id }) => id);

async function watchQuietly(bot: ConnectedBot, channel: string): Promise<void> {
  await bot.slash('watch', { target: 'tide', channel });
  for (const kind of KINDS) await bot.slash('alerts', { target: 'tide', kind, action: 'off', channel });
}

test('in a forum a board is one post that is kept up to date and never pinned, and each digest is a post, with tags where each post needs one', async () => {
  const bot = await openConnectedBot();
  const { discord, guild } = bot;
  const { controls } = discord;
  const forum = controls.addChannel({ guild, kind: 'forum', name: 'governance' });
  controls.setForum(forum, { needsTag: true });
  controls.setBotPermissions(guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_CHANNELS);
  await watchQuietly(bot, forum);
  // Pin Messages is not granted: it pins nothing in a forum.
  const set = read(await bot.slash('board', { action: 'on', channel: forum }));
  expect(set).toMatch(/^● Board: on\n[^]*People with Manage Threads can pin it/u);
  const boards = () => controls.posts(forum).filter(({ name }) => name.startsWith('Board'));
  await bot.pass(120, 20);
  expect(boards()).toMatchObject([{ name: 'Board: 1 project', archived: false, tags: [expect.any(String)] }]);
  const id = boards()[0]?.id ?? '';
  await bot.restart();
  await bot.pass(1_800, 60);
  expect(boards()).toHaveLength(1);
  expect(controls.message(id)).toMatchObject({ pinned: false, edits: expect.toSatisfy((edits: number) => edits > 0) });

  await bot.slash('digest', { setting: 'daily', time: '13:00', channel: forum });
  await bot.pass(3_600, 60);
  const digests = controls.posts(forum).filter(({ name }) => name.startsWith('Daily digest'));
  expect(digests).toMatchObject([{ tags: [expect.any(String)] }]);

  // Somebody deletes the post: it is posted again, once.
  controls.deleteChannel(id);
  await bot.pass(4_000, 60);
  expect(boards().filter((one) => one.id !== id)).toHaveLength(1);
  expect(discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
}, 240_000);

test('a media channel is refused with what to choose instead, and nothing is stored', async () => {
  const bot = await openConnectedBot();
  const media = bot.discord.controls.addChannel({ guild: bot.guild, kind: 'media', name: 'pictures' });
  for (const [command, options] of [
    ['watch', { target: 'tide' }],
    ['board', { action: 'on' }],
    ['digest', { setting: 'daily' }],
  ] as const)
    expect(read(await bot.slash(command, { ...options, channel: media })), command).toContain(
      'Choose a text, announcement, voice or forum channel, or a thread.',
    );
  await bot.pass(70);
  expect(bot.discord.transcript.calls('POST', `/channels/${media}`)).toEqual([]);
});

test('in a topic of Telegram the board and the digest are messages of that topic, pinned there, and other topics have neither', async () => {
  const bot = await openConnectedBot({ env: { ACCESS: 'open' } });
  const { telegram, olga } = bot;
  const forum = telegram.supergroup({ title: 'Harbour forum', owner: olga, forum: true, bot: 'administrator' });
  const topic = telegram.topic(forum, 'Figures');
  const other = telegram.topic(forum, 'Talk');
  const answers = () => [...telegram.posted(forum, topic), ...telegram.ephemeral(forum)];
  const write = async (text: string): Promise<void> => {
    const standing = answers().length;
    telegram.say({ chat: forum, from: olga, text, thread: topic });
    await telegram.waitFor(() => answers().length > standing);
  };
  await write('/watch tide');
  for (const kind of KINDS) await write(`/alerts tide ${kind} off`);
  await write('/board on');
  await write('/digest daily 13:00');
  const boards = () => telegram.posted(forum).filter(({ text }) => text.includes('Board: 1 project'));
  await bot.pass(300, 20);
  expect(boards()).toMatchObject([{ thread: topic, pinned: true, silent: true }]);
  await bot.restart();
  await bot.pass(3_600, 60);
  expect(boards()).toHaveLength(1);
  expect(boards()[0]?.edits).toBeGreaterThan(0);
  expect(telegram.posted(forum).filter(({ text }) => text.includes('Daily digest'))).toMatchObject([{ thread: topic }]);
  expect([telegram.posted(forum, other), telegram.posted(forum, 'general')]).toEqual([[], []]);
}, 240_000);
