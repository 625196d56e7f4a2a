/** The thread of the whole bot on Discord, on Telegram and on the page at once: asking, watching, being alerted, pressing. */
import { describe, expect, test } from 'vitest';
import { Permission } from '../stand-ins/discord/flags.js';
import { labels, openConnectedBot, read, type ConnectedBot } from './connected-bot.js';

const MINT = 'minted 486,211 TIDE';
const mint = async (bot: ConnectedBot, amount = '486210.5') => bot.sim({ kind: 'mint', project: 'tide', amount });
const watchEverywhere = async (bot: ConnectedBot) => {
  expect(read(await bot.slash('watch', { target: 'tide' }))).toContain('Watching Tidewater');
  expect((await bot.write('/watch tide')).text).toContain('Watching Tidewater');
  expect(await bot.say('/watch tide')).toContain('Watching Tidewater');
};

test('a question is answered alike on Discord, on Telegram and on the page', async () => {
  const bot = await openConnectedBot();
  const page = await bot.say('/premium tide 3M');
  const [finding = ''] = page.split('\n');
  const onDiscord = await bot.slash('premium', { project: 'tide', range: '3M' });
  const onTelegram = await bot.write('/premium tide 3M');
  expect(finding).toMatch(/^TIDE trades .* NAV/);
  expect(read(onDiscord).split('\n')[0]).toBe(finding);
  expect(onTelegram.text.split('\n')[0]).toBe(finding);
  expect(labels(onDiscord)).toEqual(onTelegram.buttons.flat().map(({ text }) => text.replace(/^• | •$|^✓ /gu, '')));
  expect(onDiscord).toMatchObject({ ephemeral: false, pings: { quiet: true } });
});

test('what happens reaches all three once, in the same words', async () => {
  const bot = await openConnectedBot();
  await watchEverywhere(bot);
  await mint(bot);
  await bot.pass(70);
  const [page = '', ...more] = await bot.alerts();
  expect(more).toEqual([]);
  expect(bot.alerted()).toHaveLength(1);
  expect(bot.posted(MINT)).toHaveLength(1);
  const [onDiscord] = bot.alerted();
  const [onTelegram] = bot.posted(MINT);
  const [finding = ''] = page.split('\n');
  expect(finding).toContain(MINT);
  expect(read(onDiscord!).split('\n')[0]).toBe(finding);
  expect(onTelegram!.text.split('\n')[0]).toBe(finding);
  await bot.restart();
  await bot.pass(130);
  // What a mint does to the premium is other events.
  const ofTheMint = (text: string): boolean => text.includes(MINT);
  expect([
    bot.alerted().filter((message) => ofTheMint(read(message))).length,
    bot.posted(MINT).length,
    (await bot.alerts()).filter(ofTheMint).length,
  ]).toEqual([1, 1, 1]);
});

test('buttons are pressed on both: an answer changes in place, an alert stays and is answered', async () => {
  const bot = await openConnectedBot();
  const { controls } = bot.discord;
  const asked = await bot.slash('premium', { project: 'tide', range: '3M' });
  await controls.press({ message: asked.id, user: bot.anna, button: '1M' }).reply();
  expect(controls.message(asked.id)).toMatchObject({ edits: 1 });
  // Somebody else's answer is not written over.
  const beside = await controls.press({ message: asked.id, user: bot.ben, button: '1W' }).reply();
  expect(beside.id).not.toBe(asked.id);
  expect(controls.message(asked.id)).toMatchObject({ edits: 1 });
  const written = await bot.write('/premium tide 3M', { from: bot.paul });
  const button = written.buttons.flat().find(({ text }) => text.includes('1M'))!.text;
  await bot.telegram.press({ message: written, button, from: bot.paul }).answered;
  expect(bot.telegram.edits(bot.group).map(({ id }) => id)).toEqual([written.id]);

  await watchEverywhere(bot);
  await mint(bot);
  await bot.pass(70);
  const [alert] = bot.alerted();
  const why = await controls.press({ message: alert!.id, user: bot.ben, button: 'Why?' }).reply();
  expect(read(why)).toContain('because this chat watches');
  expect(controls.message(alert!.id)).toMatchObject({ edits: 0 });
  const [post] = bot.posted(MINT);
  const standing = bot.telegram.posted(bot.group).length;
  const press = bot.telegram.press({ message: post!, button: 'Why?', from: bot.paul });
  const notice = await press.answered;
  const answer = notice.text ?? (await bot.telegram.waitFor(() => bot.telegram.posted(bot.group)[standing])).text;
  expect(answer).toContain('because this chat watches');
  expect(bot.telegram.edits(bot.group)).toHaveLength(1);
});

describe('who may ask', () => {
  /** More requests than the lists of projects that are read at start. */
  const SURVEY = 12;
  const unlisted = { env: { ACCESS: '', OPERATORS: '' } };

  test('strangers are refused with what the operator can do about it, and cost the service nothing', async () => {
    const bot = await openConnectedBot(unlisted);
    const { requests: before } = await bot.simState();
    const onDiscord = await bot.slash('premium', { project: 'tide' });
    expect(onDiscord.ephemeral).toBe(true);
    expect(read(onDiscord)).toContain('ACCESS');
    expect(read(onDiscord)).toContain(`discord/guild/${bot.guild}`);
    const onTelegram = await bot.write('/premium tide');
    expect(onTelegram.text).toContain(`telegram/chat/${bot.group}`);
    for (let asked = 0; asked < 2 * SURVEY; asked += 1) await bot.slash('premium', { project: 'tide' });
    const { requests } = await bot.simState();
    expect(requests - before).toBeLessThan(SURVEY);
  });

  test('what the refusal names, put into ACCESS, lets them in', async () => {
    const bot = await openConnectedBot({
      ...unlisted,
      envFor: ({ guild, group }) => ({ ACCESS: `discord/guild/${guild},telegram/chat/${group}` }),
      env: { OPERATORS: '' },
    });
    expect(read(await bot.slash('premium', { project: 'tide' }, { user: bot.ben }))).toMatch(/^TIDE trades/);
    expect((await bot.write('/premium tide', { from: bot.paul })).text).toMatch(/^TIDE trades/);
  });

  test('operators see how the bot stands in full, others whether it works, and nobody else sees either', async () => {
    const bot = await openConnectedBot();
    const full = await bot.slash('status', {});
    const short = await bot.slash('status', {}, { user: bot.ben });
    expect(full.ephemeral && short.ephemeral).toBe(true);
    expect(read(full)).toMatch(/discord in 1 server\ntelegram connected as @navwatch_bot/iu);
    expect(read(short)).toMatch(/^(?:All systems OK|No problems so far).*\nUp /u);
    for (const secret of ['telegram', 'budget', 'requests', 'store']) expect(read(short)).not.toContain(secret);
    expect((await bot.write('/status')).text).toContain('Discord in 1 server · Telegram connected as');
    expect((await bot.write('/status', { from: bot.paul })).text).not.toContain('connected as');
  });
});

describe('who may change what a chat is alerted', () => {
  const REFUSAL = 'Only people who can manage this';

  test('only those who manage the channel, or administer the group', async () => {
    const bot = await openConnectedBot();
    const refused = await bot.slash('watch', { target: 'tide' }, { user: bot.ben });
    expect(refused.ephemeral).toBe(true);
    expect(read(refused)).toContain(REFUSAL);
    expect((await bot.write('/watch tide', { from: bot.paul })).text).toContain(REFUSAL);
    expect(read(await bot.slash('watchlist', {}, { user: bot.ben }))).not.toContain('Tidewater');
    await watchEverywhere(bot);
    expect(read(await bot.slash('unwatch', { target: 'tide' }, { user: bot.ben }))).toContain(REFUSAL);
    bot.telegram.makeAdmin(bot.group, bot.paul, { anonymous: true });
    expect((await bot.write('/unwatch tide', { from: bot.paul })).text).toContain('Tidewater');
    expect((await bot.write('/watchlist')).text).not.toContain('Tidewater (');
  });

  test('a stranger to the watchlist cannot change it by a button either', async () => {
    const bot = await openConnectedBot();
    const begun = await bot.slash('watch', { target: 'tide' });
    const refused = await bot.discord.controls.press({ message: begun.id, user: bot.ben, button: 'Undo' }).reply();
    expect(refused.ephemeral).toBe(true);
    expect(read(refused)).toContain(REFUSAL);
    const written = await bot.write('/watch tide');
    const notice = await bot.telegram.press({ message: written, button: 'Undo', from: bot.paul }).answered;
    expect(notice.text).toContain(REFUSAL);
    expect(read(await bot.slash('watchlist'))).toContain('Tidewater');
    expect((await bot.write('/watchlist')).text).toContain('Tidewater');
  });

  test('a chat where alerts could not be posted is alerted what is missing, and watches only once it is there', async () => {
    const bot = await openConnectedBot();
    const { controls } = bot.discord;
    const { EMBED_LINKS } = Permission;
    controls.setPermission({ channel: bot.channel, target: 'bot', deny: EMBED_LINKS });
    const refused = read(await bot.slash('watch', { target: 'tide' }));
    expect(refused).toContain('I need Embed Links');
    expect(refused).toContain('/watch tide');
    expect(read(await bot.slash('watchlist'))).not.toContain('Tidewater');
    controls.setPermission({ channel: bot.channel, target: 'bot', inherit: EMBED_LINKS });
    expect(read(await bot.slash('watch', { target: 'tide' }))).toContain('Watching Tidewater');
  });
});
