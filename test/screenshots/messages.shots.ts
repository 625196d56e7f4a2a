/**
 * Draws messages as both stand-ins received them, for people to look at: `npm run screenshots:messages`. The pictures are written to the
 * folder in PICTURES_FOLDER, else to one for temporary files.
 */
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawSvg, outlinedSvg, pngOf } from '../../src/charts/svg.js';
import type { Drawing } from '../../src/charts/pictures.js';
import { labels, openConnectedBot, read, type ConnectedBot } from '../journeys/connected-bot.js';
import { Permission, USUAL_BOT_PERMISSIONS } from '../stand-ins/discord/flags.js';
import type { Seen } from '../stand-ins/discord/types.js';
import type { SeenMessage } from '../stand-ins/telegram/control.js';
import { NO_CHROMIUM, chromiumPath } from '../support/chromium.js';
import { DISCORD_STYLE, discordForm, discordMessage, forumPost } from './discord-markup.js';
import { sheet, type Shown } from './markup.js';
import { TELEGRAM_STYLE, telegramMessage } from './telegram-markup.js';

const FOLDER = process.env['PICTURES_FOLDER'] ?? join(tmpdir(), 'navwatch-messages');
const TITLE = 'Fund the second audit';
/** Pixels: a wide window on Discord, and a phone on Telegram. */
const [WIDE, NARROW] = [760, 420];

const pictures: Drawing = {
  svg: async (chart, theme) => outlinedSvg(drawSvg(chart, theme)),
  png: async (chart, theme) => Uint8Array.from(pngOf(drawSvg(chart, theme))),
  isCold: () => false,
  warm: async () => {},
  close: async () => {},
};

let browser: Browser;
beforeAll(async () => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error(NO_CHROMIUM);
  await mkdir(FOLDER, { recursive: true });
  browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
});
afterAll(async () => browser.close());

async function draw(name: string, { style, width, parts }: Parameters<typeof sheet>[0]): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 600 }, deviceScaleFactor: 1.25 });
  await page.setContent(sheet({ style, width, parts }));
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
  await page.close();
}

/** Lets time pass until something is there. */
async function awaited<T>(bot: ConnectedBot, look: () => T | undefined, { seconds = 3_600, step = 20 } = {}): Promise<T> {
  for (let passed = 0; passed < seconds; passed += step) {
    const found = look();
    if (found !== undefined) return found;
    await bot.pass(step, step);
  }
  const found = look();
  if (found === undefined) throw new Error(`not within ${seconds} s`);
  return found;
}

const mint = async (bot: ConnectedBot) => bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
const propose = async (bot: ConnectedBot, liveSeconds: number) =>
  bot.sim({ kind: 'proposal', project: 'tide', title: TITLE, draftSeconds: 60, liveSeconds });
const price = async (bot: ConnectedBot, to: string) => bot.sim({ kind: 'price', project: 'tide', price: to });

test('Discord', async () => {
  const bot = await openConnectedBot({ pictures });
  const { controls } = bot.discord;
  const { guild, channel, anna, ben } = bot;
  controls.setBotPermissions(
    guild,
    USUAL_BOT_PERMISSIONS |
      Permission.MANAGE_ROLES |
      Permission.PIN_MESSAGES |
      Permission.MANAGE_CHANNELS |
      Permission.CREATE_PUBLIC_THREADS,
  );
  const roles = controls.addRole({ guild, permissions: Permission.MANAGE_ROLES | Permission.MANAGE_CHANNELS });
  controls.addMember({ guild, user: anna, roles: [roles] });
  const forum = controls.addChannel({ guild, kind: 'forum', name: 'governance' });
  const parts: Shown[] = [];
  const names = {
    roles: new Map<string, string>(),
    channels: new Map([
      [channel, 'treasury'],
      [forum, 'governance'],
    ]),
  };
  const show = (caption: string, message: Seen): void => {
    for (const { id, name } of controls.roles(guild)) names.roles.set(id, name);
    parts.push({ caption, html: discordMessage(message, names) });
  };
  const flush = async (name: string) => draw(name, { style: DISCORD_STYLE, width: WIDE, parts: parts.splice(0) });
  const find = (words: string, where = channel): Seen | undefined => controls.messages(where).findLast((one) => read(one).includes(words));

  show('/watch tide', await bot.slash('watch', { target: 'tide' }));
  show('/watch tide channel:#governance', await bot.slash('watch', { target: 'tide', channel: forum }));
  show('/pings', await bot.slash('pings'));
  show('/pings on', await bot.slash('pings', { action: 'on' }));
  const invitation = find('Choose what you want to be pinged for')!;
  show('The message for members', invitation);
  show('After a press', await controls.press({ message: invitation.id, user: ben, button: 'Proposals' }).reply());
  await flush('discord-pings');

  show('/alerts tide threads on', await bot.slash('alerts', { target: 'tide', rule: 'threads on' }));
  const settings = await bot.slash('alerts', { target: 'tide', kind: 'premium' });
  show('/alerts tide premium', settings);
  const form = controls.press({ message: settings.id, user: anna, button: labels(settings).find((label) => label.endsWith('…')) ?? '' });
  parts.push({ caption: 'Its form', html: discordForm(await form.form()) });
  show('/alerts tide', await bot.slash('alerts', { target: 'tide' }));
  await flush('discord-settings');

  await bot.pass(120, 20);
  show('/board on', await bot.slash('board', { action: 'on' }));
  show('The board', await awaited(bot, () => find('Board: 1 project')));
  await flush('discord-board');

  await mint(bot);
  show('A mint', await awaited(bot, () => find('minted 486,211')));
  await bot.slash('alerts', { target: 'tide', kind: 'premium', action: 'only', rule: 'above 25 band 3' });
  await price(bot, '0.75');

  const high = await awaited(bot, () => find('25% threshold'));
  show('A threshold', high);
  await price(bot, '0.5848');
  show(
    'The same, back to normal',
    await awaited(bot, () => (controls.message(high.id)!.edits > 0 ? controls.message(high.id) : undefined)),
  );
  await flush('discord-alerts');

  await propose(bot, 7_200);
  const live = await awaited(bot, () => bot.alerted().find((one) => read(one).includes(TITLE)));
  show('A proposal, which pings its role', live);
  const post = () => controls.posts(forum).find(({ name }) => name.includes(TITLE));
  const posted = await awaited(bot, post);
  parts.push({ caption: 'Its post in a forum', html: forumPost(posted, discordMessage(controls.message(posted.id)!, names)) });
  show('Why?', await controls.press({ message: live.id, user: anna, button: 'Why?' }).reply());
  await bot.pass(3_600, 60);
  show('An hour later', controls.message(live.id)!);
  await flush('discord-live');
  await awaited(bot, () => (post()?.archived === true ? true : undefined), { seconds: 20_000, step: 60 });
  show('The result', controls.message(live.id)!);
  parts.push({ caption: 'The post after the result', html: forumPost(post()!, discordMessage(controls.message(posted.id)!, names)) });
  for (const message of controls.messages(live.id)) show('In its thread', message);
  await flush('discord-result');

  show('/digest daily 09:00', await bot.slash('digest', { setting: 'daily', time: '09:00' }));
  show('/digest now', await bot.slash('digest', { setting: 'now' }));
  show('/privacy', await bot.slash('privacy'));
  show('/alerts replay 7d', await bot.slash('alerts', { rule: 'replay 7d' }));
  await flush('discord-digest');
  expect(bot.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
});

test('Telegram', async () => {
  const bot = await openConnectedBot({ pictures, env: { ACCESS: 'open' } });
  const { telegram, olga, group } = bot;
  telegram.setBot(group, 'administrator');
  const news = telegram.channel({ title: 'Harbour news', owner: olga, bot: 'left' });
  const here = telegram.privateChat(olga);
  const parts: Shown[] = [];
  const show = (caption: string, message: SeenMessage): void => void parts.push({ caption, html: telegramMessage(message) });
  const flush = async (name: string) => draw(name, { style: TELEGRAM_STYLE, width: NARROW, parts: parts.splice(0) });
  const find = (words: string, chat = group): SeenMessage | undefined => telegram.posted(chat).findLast(({ text }) => text.includes(words));
  const after = (id: number, chat = group) => telegram.posted(chat).find((one) => one.id === id && one.edits > 0);
  const typed = async (text: string): Promise<SeenMessage> => bot.write(text, { chat: here });

  show('/manage', await typed('/manage'));
  show('The list', await telegram.waitFor(() => telegram.posted(here).findLast(({ replyKeyboard }) => replyKeyboard !== undefined)));
  const standing = telegram.posted(here).length;
  telegram.pick({ from: olga, button: 'Pick a channel', chat: news });
  await telegram.waitFor(() => find('You are managing Harbour news', here));
  for (const message of telegram.posted(here).slice(standing)) show('After a channel was picked', message);
  show('/watch tide', await typed('/watch tide'));
  show('/board unpinned', await typed('/board unpinned'));
  show('/manage done', await typed('/manage done'));
  await flush('telegram-manage');

  show('/watch tide', await bot.write('/watch tide'));
  show('/alerts tide', await bot.write('/alerts tide'));
  show('/alerts tide premium', await bot.write('/alerts tide premium'));
  await bot.pass(120, 20);
  show('/board on', await bot.write('/board on'));
  show('The board', await awaited(bot, () => find('Board: 1 project')));
  await flush('telegram-board');

  await mint(bot);
  show('A mint', await awaited(bot, () => find('minted 486,211')));
  await bot.write('/alerts tide premium only above 25 band 3');
  await price(bot, '0.75');
  const high = await awaited(bot, () =>
    telegram
      .posted(group)
      .findLast(({ text, buttons }) => text.includes('25% threshold') && buttons.flat().some((one) => one.text === 'Why?')),
  );
  show('A threshold', high);
  await price(bot, '0.5848');
  show('The same, back to normal', await awaited(bot, () => after(high.id)));
  await flush('telegram-alerts');

  await propose(bot, 7_200);
  const live = await awaited(bot, () => telegram.posted(group).find(({ text }) => text.includes(TITLE) && !text.includes('Board')));
  show('A proposal', live);
  await bot.pass(3_600, 60);
  show(
    'An hour later',
    telegram.posted(group).find(({ id }) => id === live.id)!,
  );
  show(
    'The result',
    await awaited(bot, () => telegram.posted(group).find(({ id, text }) => id === live.id && /passed|failed/iu.test(text)), {
      seconds: 20_000,
      step: 60,
    }),
  );
  await flush('telegram-live');

  show('/digest daily 09:00', await bot.write('/digest daily 09:00'));
  show('/digest now', await bot.write('/digest now'));
  show('/alerts replay 7d', await bot.write('/alerts replay 7d'));
  show('/unwatch tide', await bot.write('/unwatch tide'));
  show('/privacy delete chat', await bot.write('/privacy delete chat'));
  await flush('telegram-digest');
  expect(after(high.id)?.text).toContain('Back below 25%');
});
