/** A channel set up from another one: the rights of the person and of the bot there are read at each press. */
import { expect, test } from 'vitest';
import { Permission } from '../stand-ins/discord/flags.js';
import { labels, openConnectedBot, read } from './connected-bot.js';

const opened = async () => {
  const bot = await openConnectedBot();
  const { controls } = bot.discord;
  const other = controls.addChannel({ guild: bot.guild, name: 'governance' });
  const captain = controls.addUser({ name: 'captain' });
  const role = controls.addRole({ guild: bot.guild, permissions: Permission.ADMINISTRATOR });
  controls.addMember({ guild: bot.guild, user: captain, roles: [role] });
  /** What somebody who may see everything is shown in a channel. */
  const seen = async (command: string, where: string): Promise<string> => read(await bot.slash(command, {}, { user: captain, where }));
  return {
    bot,
    controls,
    other,
    watchlist: async (where: string) => seen('watchlist', where),
    alerts: async (where: string) => seen('alerts', where),
  };
};

const NOTHING = 'Nothing watched yet';

test('a project is watched in another channel by one line, the answer names that channel and only the asker sees it', async () => {
  const { bot, other, watchlist } = await opened();
  const answer = await bot.slash('watch', { target: 'tide', channel: other });
  expect(answer.ephemeral).toBe(true);
  expect(read(answer)).toContain('Watching Tidewater in #governance');
  expect(read(answer)).not.toContain('this channel');
  expect(await watchlist(other)).toContain('Tidewater');
  expect(await watchlist(bot.channel)).toContain(NOTHING);
});

test('the buttons of such an answer stay with that channel, and Undo takes the entry away there', async () => {
  const { bot, controls, other, watchlist, alerts } = await opened();
  await bot.slash('watch', { target: 'tide' });
  const answer = await bot.slash('watch', { target: 'tide', channel: other });
  expect(labels(answer)).toContain('Undo');
  const most = await controls.press({ message: answer.id, user: bot.anna, button: 'Most' }).reply();
  expect(read(most)).toContain('#governance');
  expect(await alerts(other)).toMatch(/Preset: Most/u);
  expect(await alerts(bot.channel)).toMatch(/Preset: Everything/u);
  await controls.press({ message: answer.id, user: bot.anna, button: 'Undo' }).reply();
  expect(await watchlist(other)).toContain(NOTHING);
  expect(await watchlist(bot.channel)).toContain('Tidewater');
});

test('Undo is refused once the right in the other channel is taken away', async () => {
  const { bot, controls, other, watchlist } = await opened();
  const answer = await bot.slash('watch', { target: 'tide', channel: other });
  controls.setPermission({ channel: other, target: bot.anna, deny: Permission.MANAGE_CHANNELS });
  const refused = await controls.press({ message: answer.id, user: bot.anna, button: 'Undo' }).reply();
  expect(read(refused)).toContain('You need Manage Channels in #governance');
  expect(await watchlist(other)).toContain('Tidewater');
});

test('whoever manages only the channel in which they ask changes and sees nothing of another one', async () => {
  const { bot, controls, other, watchlist } = await opened();
  await bot.slash('watch', { target: 'tide', channel: other });
  controls.setPermission({ channel: other, target: bot.anna, deny: Permission.VIEW_CHANNEL });
  for (const [command, options] of [
    ['watch', { target: 'heron' }],
    ['watchlist', {}],
    ['unwatch', { target: 'tide' }],
  ] as const) {
    const refused = read(await bot.slash(command, { ...options, channel: other }));
    expect(refused).toContain("You can't see that channel");
    // The name of a hidden channel is no less hidden than its alerts.
    expect(refused).not.toContain('governance');
  }
  expect(await watchlist(other)).toContain('Tidewater');
});

test('somebody who manages nothing here may set up the channel that they manage', async () => {
  const { bot, controls, other, watchlist } = await opened();
  controls.setPermission({ channel: other, target: bot.ben, allow: Permission.MANAGE_CHANNELS });
  expect(read(await bot.slash('watch', { target: 'tide', channel: other }, { user: bot.ben }))).toContain('in #governance');
  expect(await watchlist(other)).toContain('Tidewater');
});

test('a permission that the bot lacks there is named before anything is stored, and the button tries again', async () => {
  const { bot, controls, other, watchlist } = await opened();
  controls.setPermission({ channel: other, target: 'bot', deny: Permission.EMBED_LINKS });
  const refused = await bot.slash('watch', { target: 'tide', channel: other });
  expect(read(refused)).toContain("I can't post alerts in #governance: I need Embed Links there");
  expect(await watchlist(other)).toContain(NOTHING);
  controls.setPermission({ channel: other, target: 'bot', inherit: Permission.EMBED_LINKS });
  const again = await controls.press({ message: refused.id, user: bot.anna, button: 'Try again' }).reply();
  expect(read(again)).toContain('Watching Tidewater in #governance');
});

test('a change of what is watched there already says what the bot lacks there now', async () => {
  const { bot, controls, other } = await opened();
  await bot.slash('watch', { target: 'tide', channel: other });
  controls.setPermission({ channel: other, target: 'bot', deny: Permission.SEND_MESSAGES });
  const muted = read(await bot.slash('mute', { time: '2h', channel: other }));
  expect(muted).toContain("I can't post alerts in #governance: I need Send Messages there");
});

test('a channel of another server is refused, although the person manages it', async () => {
  const { bot, controls } = await opened();
  const guild = controls.addGuild({ name: 'Elsewhere' });
  const far = controls.addChannel({ guild, name: 'secret-plans' });
  controls.addMember({ guild, user: bot.anna, roles: [controls.addRole({ guild, permissions: Permission.ADMINISTRATOR })] });
  const refused = read(await bot.slash('watch', { target: 'tide', channel: far }));
  expect(refused).toContain('in another server');
  expect(refused).not.toContain('secret-plans');
});

test('a channel that the bot cannot see is refused with the permission to grant', async () => {
  const { bot, controls, other } = await opened();
  controls.setPermission({ channel: other, target: 'bot', deny: Permission.VIEW_CHANNEL });
  expect(read(await bot.slash('watch', { target: 'tide', channel: other }))).toContain('Grant me View Channel there');
});

test('dm and a channel together are refused, and nothing is stored', async () => {
  const { bot, other, watchlist } = await opened();
  expect(read(await bot.slash('watch', { target: 'tide', where: 'dm', channel: other }))).toContain('Leave one of the two out');
  expect(await watchlist(other)).toContain(NOTHING);
});

test('a role chosen from the list is mentioned, and a person too', async () => {
  const { bot, controls } = await opened();
  const analysts = controls.addRole({ guild: bot.guild, name: 'analysts', mentionable: true });
  await bot.slash('watch', { target: 'tide' });
  await bot.slash('alerts', { target: 'tide', mention: analysts });
  await bot.slash('alerts', { target: 'tide', mention: bot.ben });
  const both = read(await bot.slash('alerts', { target: 'tide' }));
  expect(both).toContain(`<@&${analysts}>`);
  expect(both).toContain(`<@${bot.ben}>`);
  const left = read(await bot.slash('alerts', { target: 'tide', action: 'remove', mention: bot.ben }));
  expect(left).toContain(`<@&${analysts}>`);
  expect(left).not.toContain(`<@${bot.ben}>`);
});

test('a channel in a typed line is refused in a group, where others read along', async () => {
  const { bot, other, watchlist } = await opened();
  const posted = await bot.write(`/watch tide <#${other}>`);
  expect(posted.text).toContain('managed from a private chat with me');
  expect(await watchlist(other)).toContain(NOTHING);
});
