/** Members of a Discord server choose what they are pinged for, and the alerts of the channel ping exactly them. */
import { expect, test } from 'vitest';
import { Permission, USUAL_BOT_PERMISSIONS } from '../stand-ins/discord/flags.js';
import { labels, openConnectedBot, read } from './connected-bot.js';

test('a moderator sets ping roles up, a member takes one, an alert pings that role alone, and a deleted role is cleared', async () => {
  const bot = await openConnectedBot();
  const { discord, guild, channel, anna, ben } = bot;
  const { controls } = discord;
  await bot.slash('watch', { target: 'tide' });
  // Anna manages channels and no roles.
  expect(read(await bot.slash('pings', { action: 'on' }))).toContain('You need Manage Roles');
  controls.addMember({ guild, user: anna, roles: [controls.addRole({ guild, permissions: Permission.MANAGE_ROLES })] });
  expect(read(await bot.slash('pings', { action: 'on' }))).toContain('I need Manage Roles in this server');
  expect(controls.roles(guild).filter(({ name }) => /pings/u.test(name))).toEqual([]);
  controls.setBotPermissions(guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_ROLES);

  const page = await bot.slash('pings');
  expect(page.ephemeral).toBe(true);
  expect(read(page)).toContain('"Proposal pings"');
  expect(read(await bot.slash('pings', { action: 'on' }))).toContain('Ping roles: on in this channel');
  const invitation = controls.messages(channel).find((one) => read(one).includes('Choose what you want to be pinged for'));
  expect(labels(invitation!)).toEqual(['Proposals', 'Launches', 'Deep discounts']);
  expect(invitation?.pings.quiet).toBe(true);

  const press = async () => controls.press({ message: invitation!.id, user: ben, button: 'Proposals' }).reply();
  const pressed = await press();
  expect([pressed.ephemeral, read(pressed)]).toEqual([true, expect.stringContaining("You're pinged for proposals now.")]);
  const role = controls.roles(guild).find(({ name }) => name === 'Proposal pings')!.id;
  expect(controls.rolesOfMember(guild, ben)).toEqual([role]);
  expect(read(await bot.slash('alerts', { target: 'tide' }))).toContain(`Proposals: <@&${role}>`);

  await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 60, liveSeconds: 36_000 });
  const live = () => bot.alerted().find((one) => read(one).includes('Fund the second audit'));
  for (let passed = 0; passed < 900 && live() === undefined; passed += 30) await bot.pass(30, 10);
  expect(live()?.pings).toEqual({ everyone: false, users: [], roles: [role], quiet: false });
  expect(bot.alerted().find((one) => read(one).includes('minted'))?.pings.quiet).toBe(true);

  expect(read(await bot.slash('privacy'))).toContain('which roles its alerts mention');
  controls.deleteRole(role);
  expect(read(await press())).toContain('The role for proposals was deleted');
  expect(read(await bot.slash('alerts', { target: 'tide' }))).not.toContain(role);
  expect(discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
});

test('with Off alerts ping nobody, and on Telegram it is said that this is for Discord', async () => {
  const bot = await openConnectedBot();
  const { controls } = bot.discord;
  await bot.slash('watch', { target: 'tide' });
  controls.setBotPermissions(bot.guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_ROLES);
  controls.addMember({
    guild: bot.guild,
    user: bot.anna,
    roles: [controls.addRole({ guild: bot.guild, permissions: Permission.MANAGE_ROLES })],
  });
  expect(read(await bot.slash('pings', { action: 'on', kinds: 'proposals' }))).toContain('Ping roles: on');
  expect(controls.roles(bot.guild).filter(({ name }) => /pings/u.test(name))).toHaveLength(1);
  expect(read(await bot.slash('pings', { action: 'off' }, { user: bot.ben }))).toContain('Only people who can manage this channel');
  expect(read(await bot.slash('pings', { action: 'off' }))).toContain('Ping roles: off in this channel');
  expect((await bot.write('/pings on')).text).toContain('channels of a Discord server');
});
