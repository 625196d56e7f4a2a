/** One alert of each feed and the ten richest replies, as both stand-ins received them, and as the page shows them. */
import { expect, test } from 'vitest';
import { textOf } from '../../stand-ins/discord/shown.js';
import { openConnectedBot, type ConnectedBot } from '../connected-bot.js';
import { json, listen, page, text, type Page } from './pages.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const TARGETS = [['tide'], ['launches'], [WALLET, 'fund-1']] as const;

async function watchEverywhere(bot: ConnectedBot): Promise<void> {
  for (const [target, label] of TARGETS) {
    await bot.slash('watch', { target, ...(label === undefined ? {} : { label }) });
    await bot.write(`/watch ${[target, label ?? ''].join(' ')}`.trim());
    await bot.say(`/watch ${[target, label ?? ''].join(' ')}`.trim());
  }
}

/** Makes it happen, waits until the page was alerted of `words`, and writes down all three. Whether all three were alerted. */
async function shown(bot: ConnectedBot, to: Page, { name, orders, words, seconds }: Shown): Promise<boolean> {
  const requests = listen(bot);
  const before = (await bot.alerts()).length;
  await bot.sim(orders);
  const alerted = async () => (await bot.alerts()).slice(before).find((one) => one.includes(words));
  for (let passed = 0; passed < seconds && (await alerted()) === undefined; passed += 10) await bot.pass(10, 5);
  await bot.pass(10);
  const alert = (await alerted()) ?? 'nothing';
  to.add(`## ${name}`, '### the page', text(alert));
  const onDiscord = requests.discord().filter(({ body }) => JSON.stringify(body).includes('embeds'));
  const onTelegram = requests.telegram().filter(({ method }) => method === 'sendMessage');
  to.add('### Discord received', ...onDiscord.map(({ path, body, status }) => `${path} → ${status}\n${json(body)}`));
  to.add('### Telegram received', ...onTelegram.map(({ method, params }) => `${method}\n${json(params)}`));
  return alert !== 'nothing' && onDiscord.length > 0 && onTelegram.length > 0;
}

interface Shown {
  readonly name: string;
  readonly orders: unknown;
  readonly words: string;
  /** As long as it may take. */
  readonly seconds: number;
}

test('one alert of each feed', async () => {
  const bot = await openConnectedBot({ env: { WALLET_MAX_AGE_MINUTES: '5' } });
  const to = page('alerts', 'One alert of each feed');
  await watchEverywhere(bot);
  await bot.pass(600, 10);
  const all: readonly Shown[] = [
    { name: 'supply', orders: { kind: 'mint', project: 'tide', amount: '486210.5' }, words: 'minted 486,210.5', seconds: 120 },
    {
      name: 'proposals',
      orders: { kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 120, liveSeconds: 36_000 },
      words: 'New proposal: "Fund the second audit"',
      seconds: 120,
    },
    { name: 'proposals, later', orders: [{ kind: 'refresh-rule' }], words: 'Live: "Fund the second audit"', seconds: 300 },
    { name: 'launches', orders: { kind: 'launch', project: 'tide', waitSeconds: 200 }, words: 'New launch: Tidewater', seconds: 190 },
    { name: 'launches, later', orders: [{ kind: 'refresh-rule' }], words: 'Live: Tidewater', seconds: 300 },
    {
      name: 'growth',
      orders: { kind: 'growth', project: 'tide', metricId: 'fees-usd', date: '2026-11-19', value: '1050.25' },
      words: 'fees-usd',
      seconds: 1_800,
    },
    { name: 'wallet', orders: { kind: 'transfer', wallet: WALLET, project: 'tide', amount: '12500.25' }, words: 'fund-1', seconds: 3_600 },
  ];
  for (const one of all) expect.soft(await shown(bot, to, one), one.name).toBe(true);
  await to.write();
});

const REPLIES: readonly (readonly [command: string, options: Readonly<Record<string, string>>, line: string])[] = [
  ['premium', { project: 'tide', range: '3M' }, '/premium tide 3M'],
  ['treasury', { project: 'tide' }, '/treasury tide'],
  ['supply', { project: 'tide', view: 'events' }, '/supply tide events'],
  ['launches', {}, '/launches'],
  ['proposals', {}, '/proposals'],
  ['growth', { project: 'tide' }, '/growth tide'],
  ['wallet', { wallet: WALLET }, `/wallet ${WALLET}`],
  ['status', {}, '/status'],
  ['watchlist', {}, '/watchlist'],
  ['why', {}, '/why'],
  ['help', {}, '/help'],
];

test('the richest replies', async () => {
  const bot = await openConnectedBot();
  const to = page('replies', 'The richest replies');
  await watchEverywhere(bot);
  await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 1, liveSeconds: 36_000 });
  await bot.pass(130);
  for (const [command, options, line] of REPLIES) {
    const requests = listen(bot);
    to.add(`## ${line}`, '### the page', text(await bot.say(line)));
    const onDiscord = await bot.slash(command, options);
    const onTelegram = await bot.write(line);
    expect.soft(onTelegram.text.length, line).toBeGreaterThan(20);
    expect.soft(textOf(onDiscord).length, line).toBeGreaterThan(20);
    to.add('### Discord received', ...requests.discord().map(({ path, body, status }) => `${path} → ${status}\n${json(body)}`));
    to.add('### Telegram received', ...requests.telegram().map(({ method, params }) => `${method}\n${json(params)}`));
  }
  await to.write();
});
