/** The bot comes into a server and into groups: it says once what can be typed, and links to it do what they say. */
import { expect, test } from 'vitest';
import { openConnectedBot, read } from './connected-bot.js';

test('a group that the bot is added to is greeted once, whether it is listed or not, over a restart too', async () => {
  const bot = await openConnectedBot({ envFor: ({ guild, group }) => ({ ACCESS: `discord/guild/${guild},telegram/chat/${group}` }) });
  const { telegram, group, olga } = bot;
  telegram.kickBot(group);
  telegram.addBot(group);
  const [listed] = await telegram.waitFor(() =>
    bot.posted('I send alerts about ownership coins').length > 0 ? bot.posted('I send alerts about ownership coins') : undefined,
  );
  expect(listed?.text).toContain('/watch');
  const strangers = telegram.group({ title: 'Strangers', owner: olga });
  telegram.kickBot(strangers);
  telegram.addBot(strangers);
  const alerted = await telegram.waitFor(() => bot.posted('its operator has allowed', strangers)[0]);
  expect(alerted.text).toContain(`telegram/chat/${strangers}`);
  await bot.restart();
  expect(bot.posted('I send alerts about ownership coins')).toHaveLength(1);

  // Who has alerts in a DM from the listed server may ask there, over a restart too, until they leave the server; others may not.
  const { controls } = bot.discord;
  const [direct, other] = [controls.openDirect(bot.anna), controls.addUser({ name: 'stranger' })];
  await bot.slash('watch', { target: 'tide', where: 'dm' });
  await bot.restart();
  expect(read(await bot.slash('alerts', {}, { where: direct }))).toContain('Tidewater');
  const refused = await bot.slash('alerts', {}, { user: other, where: controls.openDirect(other) });
  expect(read(refused)).toContain(`discord/user/${other}`);
});

test('a server that the bot is invited to is greeted where its notices stand', async () => {
  const bot = await openConnectedBot({ env: { ACCESS: 'open' } });
  const { controls } = bot.discord;
  const guild = controls.addGuild();
  controls.kick(guild);
  const channel = controls.addChannel({ guild, name: 'hello' });
  controls.setSystemChannel(guild, channel);
  controls.invite(guild);
  const message = await controls.waitFor(() => bot.alerted(channel)[0]);
  expect(read(message)).toContain('/watch: choose');
});

test('a link to the bot watches what it names', async () => {
  const bot = await openConnectedBot({ env: { ACCESS: 'open' } });
  expect((await bot.write('/start watch_tide')).text).toContain('Watching Tidewater');
  expect((await bot.write('/start')).text).toContain('I send alerts about ownership coins');
});
