/** The thread of the whole bot on Discord, on Telegram and on the page at once: asking, watching, being told, pressing. */
import { describe, expect, test } from 'vitest';
import { Permission } from '../stand-ins/discord/flags.js';
import { labels, openTwo, read, type Two } from './two.js';

const MINT = 'minted 486,211 TIDE';
const mint = async (two: Two, amount = '486210.5') => two.sim({ kind: 'mint', project: 'tide', amount });
const watchEverywhere = async (two: Two) => {
  expect(read(await two.slash('watch', { target: 'tide' }))).toContain('Watching Tidewater');
  expect((await two.write('/watch tide')).text).toContain('Watching Tidewater');
  expect(await two.say('/watch tide')).toContain('Watching Tidewater');
};

test('a question is answered alike on Discord, on Telegram and on the page', async () => {
  const two = await openTwo();
  const page = await two.say('/premium tide 3M');
  const [finding = ''] = page.split('\n');
  const onDiscord = await two.slash('premium', { project: 'tide', range: '3M' });
  const onTelegram = await two.write('/premium tide 3M');
  expect(finding).toMatch(/^TIDE trades .* NAV/);
  expect(read(onDiscord).split('\n')[0]).toBe(finding);
  expect(onTelegram.text.split('\n')[0]).toBe(finding);
  expect(labels(onDiscord)).toEqual(onTelegram.buttons.flat().map(({ text }) => text.replace(/^• | •$|^✓ /gu, '')));
  expect(onDiscord).toMatchObject({ ephemeral: false, pings: { quiet: true } });
});

test('what happens reaches all three once, in the same words', async () => {
  const two = await openTwo();
  await watchEverywhere(two);
  await mint(two);
  await two.pass(70);
  const [page = '', ...more] = await two.alerts();
  expect(more).toEqual([]);
  expect(two.told()).toHaveLength(1);
  expect(two.posted(MINT)).toHaveLength(1);
  const [onDiscord] = two.told();
  const [onTelegram] = two.posted(MINT);
  const [finding = ''] = page.split('\n');
  expect(finding).toContain(MINT);
  expect(read(onDiscord!).split('\n')[0]).toBe(finding);
  expect(onTelegram!.text.split('\n')[0]).toBe(finding);
  await two.restart();
  await two.pass(130);
  // What a mint does to the premium is other news.
  const ofTheMint = (text: string): boolean => text.includes(MINT);
  expect([
    two.told().filter((message) => ofTheMint(read(message))).length,
    two.posted(MINT).length,
    (await two.alerts()).filter(ofTheMint).length,
  ]).toEqual([1, 1, 1]);
});

test('buttons are pressed on both: an answer changes in place, an alert stays and is answered', async () => {
  const two = await openTwo();
  const { controls } = two.discord;
  const asked = await two.slash('premium', { project: 'tide', range: '3M' });
  await controls.press({ message: asked.id, user: two.anna, button: '1M' }).reply();
  expect(controls.message(asked.id)).toMatchObject({ edits: 1 });
  // Somebody else's answer is not written over.
  const beside = await controls.press({ message: asked.id, user: two.ben, button: '1W' }).reply();
  expect(beside.id).not.toBe(asked.id);
  expect(controls.message(asked.id)).toMatchObject({ edits: 1 });
  const written = await two.write('/premium tide 3M', { from: two.paul });
  const button = written.buttons.flat().find(({ text }) => text.includes('1M'))!.text;
  await two.telegram.press({ message: written, button, from: two.paul }).answered;
  expect(two.telegram.edits(two.group).map(({ id }) => id)).toEqual([written.id]);

  await watchEverywhere(two);
  await mint(two);
  await two.pass(70);
  const [alert] = two.told();
  const why = await controls.press({ message: alert!.id, user: two.ben, button: 'Why?' }).reply();
  expect(read(why)).toContain('because this chat watches');
  expect(controls.message(alert!.id)).toMatchObject({ edits: 0 });
  const [post] = two.posted(MINT);
  const standing = two.telegram.posted(two.group).length;
  const press = two.telegram.press({ message: post!, button: 'Why?', from: two.paul });
  const notice = await press.answered;
  const answer = notice.text ?? (await two.telegram.waitFor(() => two.telegram.posted(two.group)[standing])).text;
  expect(answer).toContain('because this chat watches');
  expect(two.telegram.edits(two.group)).toHaveLength(1);
});

describe('who may ask', () => {
  /** More requests than the lists of projects that are read at start. */
  const SURVEY = 12;
  const unlisted = { env: { ACCESS: '', OPERATORS: '' } };

  test('strangers are refused with what the operator can do about it, and cost the service nothing', async () => {
    const two = await openTwo(unlisted);
    const { requests: before } = await two.simState();
    const onDiscord = await two.slash('premium', { project: 'tide' });
    expect(onDiscord.ephemeral).toBe(true);
    expect(read(onDiscord)).toContain('ACCESS');
    expect(read(onDiscord)).toContain(`discord/guild/${two.guild}`);
    const onTelegram = await two.write('/premium tide');
    expect(onTelegram.text).toContain(`telegram/chat/${two.group}`);
    for (let asked = 0; asked < 2 * SURVEY; asked += 1) await two.slash('premium', { project: 'tide' });
    const { requests } = await two.simState();
    expect(requests - before).toBeLessThan(SURVEY);
  });

  test('what the refusal names, put into ACCESS, lets them in', async () => {
    const two = await openTwo({
      ...unlisted,
      envFor: ({ guild, group }) => ({ ACCESS: `discord/guild/${guild},telegram/chat/${group}` }),
      env: { OPERATORS: '' },
    });
    expect(read(await two.slash('premium', { project: 'tide' }, { user: two.ben }))).toMatch(/^TIDE trades/);
    expect((await two.write('/premium tide', { from: two.paul })).text).toMatch(/^TIDE trades/);
  });

  test('operators see how the bot stands in full, others whether it works, and nobody else sees either', async () => {
    const two = await openTwo();
    const full = await two.slash('status', {});
    const short = await two.slash('status', {}, { user: two.ben });
    expect(full.ephemeral && short.ephemeral).toBe(true);
    expect(read(full)).toMatch(/discord in 1 server\ntelegram connected as @navwatch_bot/iu);
    expect(read(short)).toMatch(/^(?:All systems OK|No problems so far).*\nUp /u);
    for (const secret of ['telegram', 'budget', 'requests', 'store']) expect(read(short)).not.toContain(secret);
    expect((await two.write('/status')).text).toContain('Discord in 1 server · Telegram connected as');
    expect((await two.write('/status', { from: two.paul })).text).not.toContain('connected as');
  });
});

describe('who may change what a chat is told', () => {
  const REFUSAL = 'Only people who can manage this';

  test('only those who manage the channel, or administer the group', async () => {
    const two = await openTwo();
    const refused = await two.slash('watch', { target: 'tide' }, { user: two.ben });
    expect(refused.ephemeral).toBe(true);
    expect(read(refused)).toContain(REFUSAL);
    expect((await two.write('/watch tide', { from: two.paul })).text).toContain(REFUSAL);
    expect(read(await two.slash('watchlist', {}, { user: two.ben }))).not.toContain('Tidewater');
    await watchEverywhere(two);
    expect(read(await two.slash('unwatch', { target: 'tide' }, { user: two.ben }))).toContain(REFUSAL);
    two.telegram.makeAdmin(two.group, two.paul, { anonymous: true });
    expect((await two.write('/unwatch tide', { from: two.paul })).text).toContain('Tidewater');
    expect((await two.write('/watchlist')).text).not.toContain('Tidewater (');
  });

  test('a stranger to the watchlist cannot change it by a button either', async () => {
    const two = await openTwo();
    const begun = await two.slash('watch', { target: 'tide' });
    const refused = await two.discord.controls.press({ message: begun.id, user: two.ben, button: 'Undo' }).reply();
    expect(refused.ephemeral).toBe(true);
    expect(read(refused)).toContain(REFUSAL);
    const written = await two.write('/watch tide');
    const notice = await two.telegram.press({ message: written, button: 'Undo', from: two.paul }).answered;
    expect(notice.text).toContain(REFUSAL);
    expect(read(await two.slash('watchlist'))).toContain('Tidewater');
    expect((await two.write('/watchlist')).text).toContain('Tidewater');
  });

  test('a chat where alerts could not be posted is told what is missing, and watches only once it is there', async () => {
    const two = await openTwo();
    const { controls } = two.discord;
    const { EMBED_LINKS } = Permission;
    controls.setPermission({ channel: two.channel, target: 'bot', deny: EMBED_LINKS });
    const refused = read(await two.slash('watch', { target: 'tide' }));
    expect(refused).toContain('I need Embed Links');
    expect(refused).toContain('/watch tide');
    expect(read(await two.slash('watchlist'))).not.toContain('Tidewater');
    controls.setPermission({ channel: two.channel, target: 'bot', inherit: EMBED_LINKS });
    expect(read(await two.slash('watch', { target: 'tide' }))).toContain('Watching Tidewater');
  });
});
