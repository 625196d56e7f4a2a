/** A forum that is set up from a channel: each proposal is a post with tags for its stage and result, archived at the end. */
import { expect, test } from 'vitest';
import { Permission, USUAL_BOT_PERMISSIONS } from '../stand-ins/discord/flags.js';
import { openConnectedBot, read } from './connected-bot.js';

const TITLE = 'Fund the second audit';

test('a proposal is one post from its draft to its result, over a restart, and other kinds can be switched off', async () => {
  const bot = await openConnectedBot();
  const { discord, guild, anna } = bot;
  const { controls } = discord;
  const forum = controls.addChannel({ guild, kind: 'forum', name: 'governance' });
  const watched = read(await bot.slash('watch', { target: 'tide', channel: forum }));
  expect(watched).toContain('Watching Tidewater in #governance');
  // The tags that are missing are named until the bot may make them.
  expect(watched).toContain('grant me Manage Channels there, or make them: Proposal');
  controls.setBotPermissions(guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_CHANNELS);
  const settings = await bot.slash('alerts', { target: 'tide', kind: 'supply', action: 'off', channel: forum });
  expect(read(settings)).not.toContain('make them');

  await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await bot.sim({ kind: 'proposal', project: 'tide', title: TITLE, draftSeconds: 60, liveSeconds: 1_800 });
  const posts = () => controls.posts(forum).filter(({ name }) => name.includes(TITLE));
  for (let passed = 0; passed < 900 && posts().length === 0; passed += 30) await bot.pass(30, 10);
  expect(posts()).toMatchObject([{ archived: false, tags: ['Proposal', expect.stringMatching(/Live|Ending soon/u)] }]);
  // What is pressed in a post is about the forum.
  const press = async (button: string) => read(await controls.press({ message: posts()[0]!.id, user: anna, button }).reply());
  expect(await press('Why?')).toContain('because this chat watches Tidewater');
  expect(await press('Mute…')).not.toContain('Nothing is watched');
  await bot.restart();
  for (let passed = 0; passed < 7_200 && posts()[0]?.archived !== true; passed += 60) await bot.pass(60, 20);
  expect(posts()).toEqual([
    expect.objectContaining({
      name: expect.stringMatching(/passed|failed/iu),
      archived: true,
      tags: ['Proposal', expect.stringMatching(/Passed|Failed/u)],
    }),
  ]);
  expect(read(controls.message(posts()[0]!.id)!)).toMatch(/passed|failed/iu);
  expect(controls.posts(forum)).toHaveLength(1);
  expect(discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
});
