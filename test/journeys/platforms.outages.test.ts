/** A platform that does not work says why, keeps nothing else from working, and comes back by itself. */
import { expect, test } from 'vitest';
import { DISCORD_TOKEN, openTwo, read, TELEGRAM_TOKEN, type LogLine, type Two } from './two.js';

const troubles = (two: Two): readonly LogLine[] =>
  two.lines.filter(({ event }) => ['discord.not-connected', 'telegram.trouble'].includes(event));
/** Turns the clock until it is so; each turn lets real input and output happen. */
const passUntil = async (two: Two, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let seconds = 0; !(await isSo()); seconds += 5) {
    if (seconds > 1_800) throw new Error(`It is not so after half an hour; the status: ${await two.say('/status')}`);
    await two.pass(5, 5);
  }
};

test('a token that Discord refuses is named in /status and in the log, Telegram and the page go on, and it connects once it is good', async () => {
  const two = await openTwo({
    before: ({ discord }) => discord.controls.faults.next({ kind: 'refused', status: 401, code: 0 }, { path: '/gateway/bot', times: 3 }),
    expects: { discord: false },
  });
  expect(await two.logged('discord.not-connected')).toMatchObject({ because: expect.stringContaining('DISCORD_TOKEN') });
  const status = await two.say('/status');
  expect(status).toContain("Discord isn't working");
  expect(status).toContain('Discord refuses the token; copy it again from the developer portal into DISCORD_TOKEN');
  expect((await two.write('/watch tide')).text).toContain('Watching Tidewater');
  await two.sim({ kind: 'mint', project: 'tide', amount: '11' });
  await two.pass(70);
  expect(two.posted('minted 11 TIDE')).toHaveLength(1);
  await passUntil(two, () => two.lines.some(({ event }) => event === 'discord.connected'));
  expect(troubles(two)).toHaveLength(1);
  expect(await two.say('/status')).toContain('Discord in 1 server');
});

test('a gateway that closes with "authentication failed" is the same trouble', async () => {
  const two = await openTwo({
    before: ({ discord }) => discord.controls.gateway.refuseIdentifies(4004, 2),
    expects: { discord: false },
  });
  expect(await two.logged('discord.not-connected')).toMatchObject({ because: expect.stringContaining('DISCORD_TOKEN') });
  expect(await two.say('/status')).toContain("Discord isn't working");
  await passUntil(two, () => two.lines.some(({ event }) => event === 'discord.connected'));
  expect(await two.say('/status')).toContain('All systems OK');
});

test('a token that Telegram refuses is named in /status and in the log, Discord and the page go on, and it connects once it is good', async () => {
  const two = await openTwo({
    before: ({ telegram }) => void telegram.fail({ fault: { kind: 'refuse', code: 401, description: 'Unauthorized' }, times: 2 }),
    expects: { telegram: false },
  });
  expect(await two.logged('telegram.trouble')).toMatchObject({ says: expect.stringContaining('TELEGRAM_TOKEN') });
  const status = await two.say('/status');
  expect(status).toContain("Telegram isn't working");
  expect(status).toContain('Telegram refuses TELEGRAM_TOKEN; get a new one from @BotFather');
  expect(read(await two.slash('watch', { target: 'tide' }))).toContain('Watching Tidewater');
  await two.sim({ kind: 'mint', project: 'tide', amount: '12' });
  await two.pass(70);
  expect(two.told().map(read)).toEqual([expect.stringContaining('minted 12 TIDE')]);
  await passUntil(two, () => two.telegram.polling);
  expect(troubles(two)).toHaveLength(1);
  expect(await two.say('/status')).toContain('Telegram connected as @navwatch_bot');
});

test('a second program on the same Telegram token is said, Discord goes on, and listening goes on when it has ended', async () => {
  const two = await openTwo();
  await two.slash('watch', { target: 'tide' });
  await two.write('/watch tide');
  const mend = two.telegram.fail({
    fault: {
      kind: 'refuse',
      code: 409,
      description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    },
    method: 'getUpdates',
    times: 'always',
  });
  two.expects({ telegram: false });
  await passUntil(two, () => troubles(two).length > 0);
  expect(troubles(two)).toMatchObject([{ says: expect.stringContaining('another program polls with the same TELEGRAM_TOKEN') }]);
  expect(await two.say('/status')).toContain('another program polls with the same TELEGRAM_TOKEN; stop it');
  await two.sim({ kind: 'mint', project: 'tide', amount: '13' });
  await two.pass(70);
  expect(two.told()).toHaveLength(1);
  // Sending needs no listening.
  expect(two.posted('minted 13 TIDE')).toHaveLength(1);
  two.telegram.say({ chat: two.group, from: two.olga, text: '/watchlist' });
  mend();
  await passUntil(two, () => two.telegram.polling && two.telegram.pending.length === 0);
  await two.telegram.waitFor(() => two.posted('What this chat').length + two.posted('Tidewater').length > 1);
  expect(await two.say('/status')).toContain('Telegram connected as @navwatch_bot');
  expect(troubles(two)).toHaveLength(1);
});

test('a gateway of Discord that drops is resumed, and what was asked meanwhile is answered', async () => {
  const two = await openTwo();
  const { controls } = two.discord;
  await two.slash('watch', { target: 'tide' });
  controls.gateway.drop();
  const asked = controls.slash({ channel: two.channel, user: two.anna, command: 'watchlist' });
  await two.logged('discord.resumed');
  expect(read(await asked.reply())).toContain('Tidewater');
  expect(controls.gateway.counts()).toMatchObject({ identifies: 1, resumes: 1 });
  await two.sim({ kind: 'mint', project: 'tide', amount: '14' });
  await two.pass(70);
  expect(two.told()).toHaveLength(1);
  expect(await two.say('/status')).toContain('Discord in 1 server');
});

test('alerts go out on Discord while its gateway is away, which /status says', async () => {
  const two = await openTwo();
  const { controls } = two.discord;
  await two.slash('watch', { target: 'tide' });
  controls.gateway.setDown(true);
  controls.gateway.drop();
  await two.logged('discord.dropped');
  await two.sim({ kind: 'mint', project: 'tide', amount: '15' });
  await two.pass(70);
  expect(two.told().map(read)).toEqual([expect.stringContaining('minted 15 TIDE')]);
  expect(await two.say('/status')).toContain("Discord isn't working");
  expect((await two.write('/premium tide')).text).toMatch(/^TIDE trades/);
  const from = two.lines.length;
  controls.gateway.setDown(false);
  await passUntil(two, () => two.lines.slice(from).some(({ event }) => ['discord.resumed', 'discord.connected'].includes(event)));
  expect(await two.say('/status')).toContain('Discord in 1 server');
});

test('no token stands in the log, in a message, or on the page, whatever went wrong', async () => {
  const two = await openTwo();
  await two.slash('watch', { target: 'tide' });
  await two.write('/watch tide');
  const { faults } = two.discord.controls;
  for (const fault of [{ kind: 'cut' }, { kind: 'status', status: 500 }, { kind: 'refused', status: 401, code: 0 }] as const)
    faults.next(fault, { method: 'POST', path: '/messages' });
  for (const fault of [{ kind: 'cut-after' }, { kind: 'bad-gateway' }, { kind: 'half-answer' }] as const)
    two.telegram.fail({ fault, method: 'sendMessage' });
  two.telegram.fail({ fault: { kind: 'cut-before' }, method: 'getUpdates', times: 2 });
  await two.sim({ kind: 'mint', project: 'tide', amount: '16' });
  two.expects({ telegram: false });
  await two.pass(200);
  const said = [
    ...two.lines,
    ...two.discord.controls.everything().map((message) => [message.content, message.embeds, message.rows]),
    ...two.telegram.posted(two.group).map(({ raw }) => raw),
    await two.say('/status'),
    await two.say('/why'),
    await two.alerts(),
  ].map((one) => JSON.stringify(one));
  expect(two.told().length).toBe(1);
  expect(two.posted('minted 16 TIDE').length).toBeGreaterThan(0);
  const secrets = [DISCORD_TOKEN, TELEGRAM_TOKEN, encodeURIComponent(TELEGRAM_TOKEN)];
  expect(said.filter((one) => secrets.some((secret) => one.includes(secret)))).toEqual([]);
  expect(two.lines.length).toBeGreaterThan(10);
});
