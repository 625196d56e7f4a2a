/** Stores of earlier versions: whatever changes in the layout of documents, none of what they hold is lost and no alert comes twice. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { alertsOnTelegram } from './surfaces.js';
import { access, addSecond, contentsOf, LEFT_AT, PLAN, premiumTo, STORES, unpacked } from './stores.js';
import { exportHere } from '../../src/operations/backup/export-here.js';
import { secretsInExport } from '../operations/backup/secrets.js';
import { DISCORD_TOKEN, openConnectedBot, read, TELEGRAM_TOKEN, type ConnectedBot } from './connected-bot.js';

const STRIDE = 20;
/** Seconds between two checks of the frequent kinds; a premium is checked half as often. A third of the usual checks shows the same. */
const POLL = 180;
/** Within this each check that is due at the start has run, and what it found was sent. */
const STARTED = 60;
/** Within these a change is checked once and sent. */
const [A_CHECK, A_PREMIUM_CHECK] = [POLL + 20, 2 * POLL + 20];

const expectedSchema = z.object({
  chats: z.record(z.string(), z.unknown()),
  deliveries: z.record(
    z.string(),
    z.looseObject({ waiting: z.array(z.string()), receipts: z.array(z.looseObject({ id: z.string(), events: z.array(z.string()) })) }),
  ),
});
const expected = (name: string) => expectedSchema.parse(JSON.parse(readFileSync(join(STORES, name, 'expected.json'), 'utf8')));

const reopened = async (name: string): Promise<ConnectedBot> =>
  openConnectedBot({
    start: LEFT_AT,
    from: await unpacked(name),
    env: { ...PLAN, POLL_MIN_SECONDS: String(POLL) },
    envFor: access,
  });

test.each(['full', 'killed', 'digest'])('the store "%s" of an earlier version holds what it held', async (name) => {
  const folder = await unpacked(name);
  expect(await contentsOf(join(folder, 'navwatch.sqlite'))).toEqual(JSON.parse(readFileSync(join(STORES, name, 'expected.json'), 'utf8')));
});

/** Every event that a place was sent in this life, as the receipts of its chats know them. */
async function receiptsOf(bot: ConnectedBot) {
  await bot.app().stop();
  return (await contentsOf(join(bot.folder, 'navwatch.sqlite'))).deliveries;
}

/** The premium alerts of Tidewater in each chat, sent or waiting. */
const premiums = (deliveries: ReturnType<typeof expected>['deliveries']) =>
  new Map(
    Object.entries(deliveries).map(([chat, { waiting, receipts }]) => [
      chat,
      [...new Set([...waiting, ...receipts.flatMap(({ events }) => events)])].filter((id) => id.startsWith('premium/tide/')),
    ]),
  );

/** Every chat gets what its rules, going on from the states that the earlier version kept in it, would have given it, once. Stops the bot. */
async function expectRulesGoOn(bot: ConnectedBot, name: string): Promise<void> {
  const once = premiums(expected(name).deliveries);
  for (const percent of [-5, 12]) {
    await premiumTo(bot, percent);
    await bot.pass(A_PREMIUM_CHECK, STRIDE);
  }
  const deliveries = await receiptsOf(bot);
  const after = premiums(expectedSchema.parse({ chats: {}, deliveries }).deliveries);
  const fresh = [...after].map(([chat, ids]) => ids.filter((id) => once.get(chat)?.includes(id) !== true).toSorted());
  const [first = []] = fresh;
  expect(first).toHaveLength(2);
  // The chat that removed the bot watches another project.
  expect(fresh.toSorted((a, b) => a.length - b.length)).toEqual([[], first, first, first, first]);
  expect(JSON.stringify(deliveries)).toContain('"shared"');
}

test('a bot goes on from the store of an earlier version: nothing it alerted comes again, and what happens next comes once everywhere, also by rules in the states it kept', async () => {
  const bot = await reopened('full');
  addSecond(bot);
  await bot.pass(STARTED, STRIDE);
  expect(bot.alerted().map(read)).toEqual([]);
  expect(alertsOnTelegram(bot)).toEqual([]);
  const before = (await bot.alerts()).length;
  await bot.sim({ kind: 'mint', project: 'tide', amount: '71000.5' });
  await bot.pass(A_CHECK, STRIDE);
  for (const texts of [bot.alerted().map(read), alertsOnTelegram(bot).map(({ text }) => text), (await bot.alerts()).slice(before)]) {
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('71,001');
  }
  await expectRulesGoOn(bot, 'full');
  const file = join(bot.folder, 'export.gz');
  await exportHere({ storeUrl: `sqlite://${join(bot.folder, 'navwatch.sqlite')}`, file, clock: bot.clock });
  expect(await secretsInExport(file, [DISCORD_TOKEN, TELEGRAM_TOKEN])).toEqual([]);
  const now: Readonly<Record<string, unknown>> = await receiptsOf(bot);
  for (const [address, { receipts, waiting }] of Object.entries(expected('full').deliveries)) {
    const queue = now[address];
    expect(JSON.stringify(queue), address).toContain(JSON.stringify(receipts.map(({ id }) => id).at(-1)));
    for (const event of waiting) expect(JSON.stringify(queue), address).toContain(event);
  }
}, 240_000);

test('a bot that was killed while it sent sends what was under way once, and what it had routed not again, and its rules go on', async () => {
  const bot = await reopened('killed');
  addSecond(bot);
  const before = (await bot.alerts()).length;
  await bot.pass(A_CHECK, STRIDE);
  for (const texts of [bot.alerted().map(read), alertsOnTelegram(bot).map(({ text }) => text)]) {
    expect(texts.filter((text) => text.includes('61,000'))).toHaveLength(1);
    expect(texts).toHaveLength(1);
  }
  // The page had it already.
  expect((await bot.alerts()).slice(before)).toEqual([]);
  await expectRulesGoOn(bot, 'killed');
}, 240_000);
