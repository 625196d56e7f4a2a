/** Threads of proposals and published alerts on Discord: off at first, their permission named before anything is stored, and no second one after a kill. */
import { expect, test } from 'vitest';
import { Permission } from '../stand-ins/discord/flags.js';
import { openConnectedBot, read, type ConnectedBot } from './connected-bot.js';

const TITLE = 'Fund the second audit';
const THREADS = /\/messages\/\d+\/threads$/u;
const CROSSPOST = /\/crosspost$/u;

const opened = async (options: Parameters<typeof openConnectedBot>[0] = {}) => {
  const bot = await openConnectedBot(options);
  bot.discord.controls.setPermission({ channel: bot.channel, target: 'bot', allow: Permission.CREATE_PUBLIC_THREADS });
  await bot.slash('watch', { target: 'tide' });
  return bot;
};
const propose = async (bot: ConnectedBot, liveSeconds = 36_000) =>
  bot.sim({ kind: 'proposal', project: 'tide', title: TITLE, draftSeconds: 60, liveSeconds });
/** Lets time pass until the channel has the live message. */
async function live(bot: ConnectedBot) {
  for (let passed = 0; passed < 900 && bot.alerted().every((one) => !read(one).includes(TITLE)); passed += 30) await bot.pass(30, 10);
  const message = bot.alerted().find((one) => read(one).includes(TITLE));
  if (message === undefined) throw new Error('The proposal was not alerted.');
  return message;
}
const calls = (bot: ConnectedBot, method: string, path: string | RegExp) => bot.discord.transcript.calls(method, path);

test('threads are off at first: a proposal is one message', async () => {
  const bot = await opened();
  await propose(bot);
  await live(bot);
  expect(calls(bot, 'POST', THREADS)).toEqual([]);
});

test('a proposal gets a thread under its live message, which says the result and is archived at the end', async () => {
  const bot = await opened();
  expect(read(await bot.slash('alerts', { target: 'tide', rule: 'threads on' }))).toContain('each proposal and launch gets a thread');
  await propose(bot, 1_800);
  const message = await live(bot);
  const [made, ...others] = calls(bot, 'POST', THREADS);
  expect(made).toMatchObject({ status: 201, path: expect.stringContaining(`/channels/${bot.channel}/messages/${message.id}/threads`) });
  expect(made?.body).toMatchObject({ name: expect.stringContaining(TITLE) });
  expect(others).toEqual([]);
  const isArchived = () => calls(bot, 'PATCH', new RegExp(`/channels/${message.id}$`, 'u'));
  for (let passed = 0; passed < 7_200 && isArchived().length === 0; passed += 60) await bot.pass(60, 20);
  expect(isArchived()).toMatchObject([{ status: 200, body: { archived: true, name: expect.stringMatching(/passed|failed/iu) } }]);
  expect(bot.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
});

test('without Create Public Threads nothing is stored, and the permission is named', async () => {
  const bot = await openConnectedBot();
  await bot.slash('watch', { target: 'tide' });
  const refused = read(await bot.slash('alerts', { target: 'tide', rule: 'threads on' }));
  expect(refused).toContain('I need Create Public Threads');
  expect(read(await bot.slash('alerts', { target: 'tide' }))).not.toContain('Threads:');
});

test('in a thread and on Telegram the reason is said', async () => {
  const bot = await opened();
  const thread = bot.discord.controls.addThread({ parent: bot.channel });
  await bot.slash('watch', { target: 'tide' }, { where: thread });
  expect(read(await bot.slash('alerts', { target: 'tide', rule: 'threads:on' }, { where: thread }))).toContain(
    'text and announcement channels',
  );
  await bot.write('/watch tide');
  expect((await bot.write('/alerts tide threads on')).text).toContain('for channels of a Discord server');
});

test('a permission that is taken away later costs the thread and no alert', async () => {
  const bot = await opened();
  await bot.slash('alerts', { target: 'tide', rule: 'threads on' });
  bot.discord.controls.setPermission({ channel: bot.channel, target: 'bot', inherit: Permission.CREATE_PUBLIC_THREADS });
  await propose(bot);
  await live(bot);
  expect(await bot.logged('discord.thread-not-made')).toMatchObject({ because: expect.stringContaining('50013') });
  expect(bot.alerted().filter((one) => read(one).includes(TITLE))).toHaveLength(1);
});

test('a cut line while the thread is made leaves one message and, with its next edit, one thread', async () => {
  const bot = await opened();
  await bot.slash('alerts', { target: 'tide', rule: 'threads on' });
  bot.discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST', path: THREADS });
  await propose(bot, 1_800);
  const message = await live(bot);
  for (let passed = 0; passed < 3_600 && calls(bot, 'POST', THREADS).length < 2; passed += 60) await bot.pass(60, 20);
  expect(calls(bot, 'POST', THREADS).map(({ path }) => path)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining(message.id)));
  expect(bot.alerted().filter(({ id }) => id === message.id)).toHaveLength(1);
});

test('alerts are published in an announcement channel, and only there', async () => {
  const bot = await opened();
  expect(read(await bot.slash('alerts', { target: 'tide', rule: 'publish on' }))).toContain('Only announcement channels can publish');
  const news = bot.discord.controls.addChannel({ guild: bot.guild, kind: 'announcement', name: 'news' });
  await bot.slash('watch', { target: 'tide' }, { where: news });
  expect(read(await bot.slash('alerts', { target: 'tide', rule: 'publish on' }, { where: news }))).toContain('alerts are published');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await bot.pass(70);
  const [alert] = bot.alerted(news);
  expect(calls(bot, 'POST', CROSSPOST)).toMatchObject([
    { status: 200, path: expect.stringContaining(`/channels/${news}/messages/${alert?.id}`) },
  ]);
});
