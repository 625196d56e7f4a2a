/** Names from outside that ring, link, break markup or turn the text around, as each platform received them from the whole bot. */
import { expect, test } from 'vitest';
import { HOSTILE } from '../platforms/telegram/hostile.js';
import { textOf } from '../stand-ins/discord/shown.js';
import { labels, openConnectedBot, read, type ConnectedBot } from './connected-bot.js';

/** Half of a surrogate pair cannot travel in JSON. */
const NAMES = HOSTILE.map((name) => name.replaceAll(/\p{Cs}/gu, '\ufffd'));
const BENT = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u;
const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

/** Steps that a long poll of Telegram outlives. */
const STRIDE = 20;
/** Each of them is announced and goes live at once, and ten events stand in a message in full. */
const IN_FULL = 5;

/** A link that the bot makes: of a template, with an address in it. */
const PAGE = String.raw`https:\/\/(?:solscan\.io\/(?:account|token|tx)|dexscreener\.com\/solana|www\.metadao\.fi\/projects\/tide\/proposal)\/[1-9A-Za-z]{32,128}`;
const OWN_LINK = new RegExp(String.raw`\[[A-Z][a-z]+\]\(<${PAGE}>\)`, 'gu');
const OWN_URL = new RegExp(`^${PAGE}$`, 'u');

/** What every message of the bot must be, whatever stands in it. */
function harmless(bot: ConnectedBot): void {
  const onDiscord = bot.discord.controls.everything();
  const onTelegram = bot.telegram.posted(bot.group);
  expect(onDiscord.length).toBeGreaterThan(0);
  expect(onTelegram.length).toBeGreaterThan(0);
  for (const message of onDiscord) {
    expect(message.pings).toMatchObject({ quiet: true });
    const shown = textOf(message);
    expect(shown).not.toMatch(BENT);
    // Whatever could mention, link or format stands behind a backslash, or in code.
    expect(shown.replaceAll(/`[^`]*`|<t:\d+:R>/gu, '').replaceAll(OWN_LINK, '')).not.toMatch(/(?<!\\)(<@|@everyone|\]\(|<a )/u);
    for (const label of labels(message)) expect(label).not.toMatch(BENT);
  }
  for (const message of onTelegram) {
    expect(message.pings).toEqual([]);
    expect(message.preview).toBeUndefined();
    expect(message.text).not.toMatch(BENT);
    expect(
      message.entities.filter((entity) =>
        entity.type === 'text_link'
          ? !OWN_URL.test(entity.url)
          : !['bold', 'italic', 'code', 'pre', 'date_time', 'expandable_blockquote'].includes(entity.type),
      ),
    ).toEqual([]);
  }
  const refused = [
    ...bot.discord.transcript.calls().filter(({ status }) => status >= 400),
    ...bot.telegram.transcript.filter(({ answer }) => answer?.ok === false),
  ];
  expect(refused).toEqual([]);
}

test('hostile titles of proposals and launches arrive on both as what they are, and ring nobody', async () => {
  const bot = await openConnectedBot();
  await bot.slash('watch', { target: 'tide' });
  await bot.slash('watch', { target: 'launches' });
  await bot.write('/watch tide');
  await bot.write('/watch launches');
  // Grouped, they are fewer messages.
  for (const kind of ['proposals', 'launches']) {
    await bot.slash('alerts', { target: 'tide', kind, rule: 'updates:off' });
    await bot.write(`/alerts tide ${kind} updates:off`);
  }
  for (const kind of ['proposal', 'launch'])
    for (let alerted = 0; alerted < NAMES.length; alerted += IN_FULL) {
      for (const title of NAMES.slice(alerted, alerted + IN_FULL)) await bot.sim({ kind, project: 'tide', title });
      await bot.pass(80, STRIDE);
    }
  await bot.pass(60);
  expect(bot.alerted().map(read).join('\n')).toContain('"@everyone"');
  expect(bot.posted('</b><a href=').length).toBeGreaterThan(0);
  expect(bot.alerted().length).toBe(bot.telegram.posted(bot.group).length - 4);
  harmless(bot);
  for (const command of ['proposals', 'launches'] as const) {
    await bot.slash(command, command === 'proposals' ? { project: 'tide' } : {});
    await bot.write(command === 'proposals' ? '/proposals tide' : '/launches');
  }
  harmless(bot);
});

test('hostile names that people type come back to them harmless', async () => {
  const bot = await openConnectedBot();
  for (const name of NAMES.map((one) => one.slice(0, 3_000)).filter((one) => one.trim() !== '')) {
    expect(read(await bot.slash('premium', { project: name }))).toMatch(/No project (?:is )?called|Several projects|No argument|needs/u);
    await bot.write(`/premium ${name}`);
  }
  harmless(bot);
});

test('a hostile label of a wallet is shown on both and formats nothing', async () => {
  const bot = await openConnectedBot();
  for (const label of ['@everyone', '<@&1>', '</b><a href="https://e.example">', '**b**']) {
    await bot.slash('watch', { target: WALLET, label });
    await bot.write(`/watch ${WALLET} ${label}`);
    expect(read(await bot.slash('watchlist'))).toContain(label);
    await bot.write('/watchlist');
  }
  expect(read(await bot.slash('watch', { target: WALLET, label: '**b**\u202egnp' }))).toContain(
    'A label is one line of visible characters',
  );
  harmless(bot);
});
