/** What global lists do for a small plan, and what they cannot do when they are wrong: through the whole bot and its embedded service. */
import { expect, test } from 'vitest';
import { openBot } from './bot.js';

const HOUR = 3_600;
const SMALL = { ANALYTICS_REQUESTS_PER_MONTH: '500', ANALYTICS_MAX_ROWS: '10', ANALYTICS_MAX_PAGES: '3' };
/** A supply event that the list of projects shows, of many more than what the filters need. */
const MINT = { kind: 'mint', project: 'tide', amount: '900000' };

async function openSmall(env: Readonly<Record<string, string>> = SMALL) {
  const bot = await openBot({ env });
  const requests = async () => (await bot.simState()).requests;
  const mints = async () => (await bot.alerts()).filter((text) => text.includes('minted 900,000'));
  return { ...bot, requests, mints };
}

test('watching everything on 500 requests a month costs few of them at once, and a mint is alerted once after the next sweep', async () => {
  const { say, pass, sim, requests, mints } = await openSmall();
  await say('/watch all');
  await pass(120, 10);
  const first = await requests();
  expect(first).toBeLessThanOrEqual(20);
  await sim(MINT);
  await pass(36 * HOUR, 600);
  expect(await mints()).toHaveLength(1);
  // Ten days are left of the month, so a day and a half has a seventh of the requests.
  expect(await requests()).toBeLessThan(100);
  await pass(12 * HOUR, 600);
  expect(await mints()).toHaveLength(1);
});

test('a list that shows zeros, or nothing of a project, alerts nothing; the project is checked by itself and its mint is alerted', async () => {
  const { say, pass, sim, alerts, mints } = await openSmall({ ANALYTICS_REQUESTS_PER_MONTH: '5000' });
  await say('/watch tide');
  await say('/watch heron');
  await say('/watch alder');
  await pass(HOUR, 60);
  const before = (await alerts()).length;
  await sim({ kind: 'list-lie', projects: ['tide'], how: 'zero', seconds: 20 * 24 * HOUR });
  await sim({ kind: 'list-omit', projects: ['heron'], seconds: 20 * 24 * HOUR });
  await pass(12 * HOUR, 1_800);
  expect((await alerts()).slice(before).filter((text) => /100(\.0)?% below|burned/u.test(text))).toEqual([]);
  await sim(MINT);
  await pass(36 * HOUR, 1_800);
  expect(await mints()).toHaveLength(1);
});

test('lists that cannot be had leave the checks as they were without them', async () => {
  const { say, pass, sim, mints } = await openSmall({ ANALYTICS_REQUESTS_PER_MONTH: '5000' });
  await sim({ kind: 'list-absent', list: ['dashboard.projects-launch', 'dashboard.live-markets'], seconds: 20 * 24 * HOUR });
  await say('/watch tide');
  await pass(HOUR, 60);
  await sim(MINT);
  await pass(36 * HOUR, 1_800);
  expect(await mints()).toHaveLength(1);
});

test('a call that a restart comes between is confirmed after it', async () => {
  const { say, pass, sim, mints, restart } = await openSmall();
  await say('/watch all');
  await pass(120, 10);
  await sim(MINT);
  for (let passed = 0; passed < 40; passed += 8) {
    await pass(8 * HOUR, 600);
    await restart();
  }
  expect(await mints()).toHaveLength(1);
});
