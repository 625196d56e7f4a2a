/** Names from outside that ring, link, break markup or turn the text around, as each platform received them from the whole bot. */
import { expect, test } from 'vitest';
import { HOSTILE } from '../platforms/telegram/hostile.js';
import { textOf } from '../stand-ins/discord/shown.js';
import { labels, openTwo, read, type Two } from './two.js';

/** Half of a surrogate pair cannot travel in JSON. */
const NAMES = HOSTILE.map((name) => name.replaceAll(/\p{Cs}/gu, '\ufffd'));
const BENT = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u;
const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

/** Each of them is announced and goes live at once, and ten events stand in a message in full. */
const IN_FULL = 5;

/** A link that the bot makes: of a template, with an address in it. */
const OWN_LINK = /\[[A-Z][a-z]+\]\(<https:\/\/(?:solscan\.io\/(?:account|token|tx)|dexscreener\.com\/solana)\/[1-9A-Za-z]{32,128}>\)/gu;
const OWN_URL = /^https:\/\/(?:solscan\.io\/(?:account|token|tx)|dexscreener\.com\/solana)\/[1-9A-Za-z]{32,128}$/u;

/** What every message of the bot must be, whatever stands in it. */
function harmless(two: Two): void {
  const onDiscord = two.discord.controls.everything();
  const onTelegram = two.telegram.posted(two.group);
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
        entity.type === 'text_link' ? !OWN_URL.test(entity.url) : !['bold', 'italic', 'code', 'pre'].includes(entity.type),
      ),
    ).toEqual([]);
  }
  const refused = [
    ...two.discord.transcript.calls().filter(({ status }) => status >= 400),
    ...two.telegram.transcript.filter(({ answer }) => answer?.ok === false),
  ];
  expect(refused).toEqual([]);
}

test('hostile titles of proposals and launches arrive on both as what they are, and ring nobody', async () => {
  const two = await openTwo();
  await two.slash('watch', { target: 'tide' });
  await two.slash('watch', { target: 'launches' });
  await two.write('/watch tide');
  await two.write('/watch launches');
  for (const kind of ['proposal', 'launch'])
    for (let told = 0; told < NAMES.length; told += IN_FULL) {
      for (const title of NAMES.slice(told, told + IN_FULL)) await two.sim({ kind, project: 'tide', title });
      await two.pass(80);
    }
  await two.pass(60);
  expect(two.told().map(read).join('\n')).toContain('"@everyone"');
  expect(two.posted('</b><a href=').length).toBeGreaterThan(0);
  expect(two.told().length).toBe(two.telegram.posted(two.group).length - 2);
  harmless(two);
  for (const command of ['proposals', 'launches'] as const) {
    await two.slash(command, command === 'proposals' ? { project: 'tide' } : {});
    await two.write(command === 'proposals' ? '/proposals tide' : '/launches');
  }
  harmless(two);
}, 60_000);

test('hostile names that people type come back to them harmless', async () => {
  const two = await openTwo();
  for (const name of NAMES.map((one) => one.slice(0, 3_000)).filter((one) => one.trim() !== '')) {
    expect(read(await two.slash('premium', { project: name }))).toMatch(/No project (?:is )?called|Several projects|No argument|needs/u);
    await two.write(`/premium ${name}`);
  }
  harmless(two);
});

test('a hostile label of a wallet is shown on both and formats nothing', async () => {
  const two = await openTwo();
  for (const label of ['@everyone', '<@&1>', '</b><a href="https://e.example">', '**b**']) {
    await two.slash('watch', { target: WALLET, label });
    await two.write(`/watch ${WALLET} ${label}`);
    expect(read(await two.slash('watchlist'))).toContain(label);
    await two.write('/watchlist');
  }
  expect(read(await two.slash('watch', { target: WALLET, label: '**b**\u202egnp' }))).toContain(
    'A label is one line of visible characters',
  );
  harmless(two);
});
