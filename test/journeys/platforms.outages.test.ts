/** A platform that does not work says why, keeps nothing else from working, and comes back by itself. */
import { expect, test } from 'vitest';
import { DISCORD_TOKEN, openConnectedBot, read, TELEGRAM_TOKEN, type LogLine, type ConnectedBot } from './connected-bot.js';

const troubles = (bot: ConnectedBot): readonly LogLine[] =>
  bot.lines.filter(({ event }) => ['discord.not-connected', 'telegram.trouble'].includes(event));
/** Turns the clock until it is so; each turn lets real input and output happen. */
const passUntil = async (bot: ConnectedBot, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let seconds = 0; !(await isSo()); seconds += 5) {
    if (seconds > 1_800) throw new Error(`It is not so after half an hour; the status: ${await bot.say('/status')}`);
    await bot.pass(5, 5);
  }
};

test('a token that Discord refuses is named in /status and in the log, Telegram and the page go on, and it connects once it is good', async () => {
  const bot = await openConnectedBot({
    before: ({ discord }) => discord.controls.faults.next({ kind: 'refused', status: 401, code: 0 }, { path: '/gateway/bot', times: 3 }),
    expects: { discord: false },
  });
  expect(await bot.logged('discord.not-connected')).toMatchObject({ because: expect.stringContaining('DISCORD_TOKEN') });
  const status = await bot.say('/status');
  expect(status).toContain("Discord isn't working");
  expect(status).toContain('Discord refuses the token; copy it again from the developer portal into DISCORD_TOKEN');
  expect((await bot.write('/watch tide')).text).toContain('Watching Tidewater');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '11' });
  await bot.pass(70);
  expect(bot.posted('minted 11 TIDE')).toHaveLength(1);
  await passUntil(bot, () => bot.lines.some(({ event }) => event === 'discord.connected'));
  expect(troubles(bot)).toHaveLength(1);
  expect(await bot.say('/status')).toContain('Discord in 1 server');
});

test('a gateway that closes with "authentication failed" is the same trouble', async () => {
  const bot = await openConnectedBot({
    before: ({ discord }) => discord.controls.gateway.refuseIdentifies(4004, 2),
    expects: { discord: false },
  });
  expect(await bot.logged('discord.not-connected')).toMatchObject({ because: expect.stringContaining('DISCORD_TOKEN') });
  expect(await bot.say('/status')).toContain("Discord isn't working");
  await passUntil(bot, () => bot.lines.some(({ event }) => event === 'discord.connected'));
  expect(await bot.say('/status')).toContain('All systems OK');
});

test('a token that Telegram refuses is named in /status and in the log, Discord and the page go on, and it connects once it is good', async () => {
  const bot = await openConnectedBot({
    before: ({ telegram }) => void telegram.fail({ fault: { kind: 'refuse', code: 401, description: 'Unauthorized' }, times: 2 }),
    expects: { telegram: false },
  });
  expect(await bot.logged('telegram.trouble')).toMatchObject({ says: expect.stringContaining('TELEGRAM_TOKEN') });
  const status = await bot.say('/status');
  expect(status).toContain("Telegram isn't working");
  expect(status).toContain('Telegram refuses TELEGRAM_TOKEN; get a new one from @BotFather');
  expect(read(await bot.slash('watch', { target: 'tide' }))).toContain('Watching Tidewater');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '12' });
  await bot.pass(70);
  expect(bot.alerted().map(read)).toEqual([expect.stringContaining('minted 12 TIDE')]);
  await passUntil(bot, () => bot.telegram.polling);
  expect(troubles(bot)).toHaveLength(1);
  expect(await bot.say('/status')).toContain('Telegram connected as @navwatch_bot');
});

test('a second program on the same Telegram token is said, Discord goes on, and listening goes on when it has ended', async () => {
  const bot = await openConnectedBot();
  await bot.slash('watch', { target: 'tide' });
  await bot.write('/watch tide');
  const mend = bot.telegram.fail({
    fault: {
      kind: 'refuse',
      code: 409,
      description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    },
    method: 'getUpdates',
    times: 'always',
  });
  bot.expects({ telegram: false });
  await passUntil(bot, () => troubles(bot).length > 0);
  expect(troubles(bot)).toMatchObject([{ says: expect.stringContaining('another program polls with the same TELEGRAM_TOKEN') }]);
  expect(await bot.say('/status')).toContain('another program polls with the same TELEGRAM_TOKEN; stop it');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '13' });
  await bot.pass(70);
  expect(bot.alerted()).toHaveLength(1);
  // Sending needs no listening.
  expect(bot.posted('minted 13 TIDE')).toHaveLength(1);
  bot.telegram.say({ chat: bot.group, from: bot.olga, text: '/watchlist' });
  mend();
  await passUntil(bot, () => bot.telegram.polling && bot.telegram.pending.length === 0);
  await bot.telegram.waitFor(() => bot.posted('What this chat').length + bot.posted('Tidewater').length > 1);
  expect(await bot.say('/status')).toContain('Telegram connected as @navwatch_bot');
  expect(troubles(bot)).toHaveLength(1);
});

test('a gateway of Discord that drops is resumed, and what was asked meanwhile is answered', async () => {
  const bot = await openConnectedBot();
  const { controls } = bot.discord;
  await bot.slash('watch', { target: 'tide' });
  controls.gateway.drop();
  const asked = controls.slash({ channel: bot.channel, user: bot.anna, command: 'watchlist' });
  await bot.logged('discord.resumed');
  expect(read(await asked.reply())).toContain('Tidewater');
  expect(controls.gateway.counts()).toMatchObject({ identifies: 1, resumes: 1 });
  await bot.sim({ kind: 'mint', project: 'tide', amount: '14' });
  await bot.pass(70);
  expect(bot.alerted()).toHaveLength(1);
  expect(await bot.say('/status')).toContain('Discord in 1 server');
});

test('alerts go out on Discord while its gateway is away, which /status says', async () => {
  const bot = await openConnectedBot();
  const { controls } = bot.discord;
  await bot.slash('watch', { target: 'tide' });
  controls.gateway.setDown(true);
  controls.gateway.drop();
  await bot.logged('discord.dropped');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '15' });
  await bot.pass(70);
  expect(bot.alerted().map(read)).toEqual([expect.stringContaining('minted 15 TIDE')]);
  expect(await bot.say('/status')).toContain("Discord isn't working");
  expect((await bot.write('/premium tide')).text).toMatch(/^TIDE trades/);
  const from = bot.lines.length;
  controls.gateway.setDown(false);
  await passUntil(bot, () => bot.lines.slice(from).some(({ event }) => ['discord.resumed', 'discord.connected'].includes(event)));
  expect(await bot.say('/status')).toContain('Discord in 1 server');
});

test('no token stands in the log, in a message, or on the page, whatever went wrong', async () => {
  const bot = await openConnectedBot();
  await bot.slash('watch', { target: 'tide' });
  await bot.write('/watch tide');
  const { faults } = bot.discord.controls;
  for (const fault of [{ kind: 'cut' }, { kind: 'status', status: 500 }, { kind: 'refused', status: 401, code: 0 }] as const)
    faults.next(fault, { method: 'POST', path: '/messages' });
  for (const fault of [{ kind: 'cut-after' }, { kind: 'bad-gateway' }, { kind: 'half-answer' }] as const)
    bot.telegram.fail({ fault, method: 'sendMessage' });
  bot.telegram.fail({ fault: { kind: 'cut-before' }, method: 'getUpdates', times: 2 });
  await bot.sim({ kind: 'mint', project: 'tide', amount: '16' });
  bot.expects({ telegram: false });
  await bot.pass(200);
  const said = [
    ...bot.lines,
    ...bot.discord.controls.everything().map((message) => [message.content, message.embeds, message.rows]),
    ...bot.telegram.posted(bot.group).map(({ raw }) => raw),
    await bot.say('/status'),
    await bot.say('/why'),
    await bot.alerts(),
  ].map((one) => JSON.stringify(one));
  expect(bot.alerted().length).toBe(1);
  expect(bot.posted('minted 16 TIDE').length).toBeGreaterThan(0);
  const secrets = [DISCORD_TOKEN, TELEGRAM_TOKEN, encodeURIComponent(TELEGRAM_TOKEN)];
  expect(said.filter((one) => secrets.some((secret) => one.includes(secret)))).toEqual([]);
  expect(bot.lines.length).toBeGreaterThan(10);
});
