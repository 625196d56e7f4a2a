import { expect, test } from 'vitest';
import { openBox } from '../box.js';
import { completedLaunch } from './completed.js';

const HOLDERS = '/v1/project-overview/token-holders';

test("holders are found by the mint alone: without one it is refused, and a slug is nobody's mint", async () => {
  const box = await openBox();
  expect((await box.get(HOLDERS)).status).toBe(400);
  expect((await box.get(`${HOLDERS}?slug=tide`)).status).toBe(400);
  expect((await box.get(`${HOLDERS}?baseMint=tide`)).status).toBe(404);
  const { body } = await box.get('/v1/project-overview?slug=tide');
  const { status, body: page } = await box.get(`${HOLDERS}?baseMint=${body.data.baseMint}&limit=100`);
  expect([status, page.data.length, Object.keys(page.meta).toSorted()]).toEqual([
    200,
    100,
    ['currentPage', 'itemsPerPage', 'totalItems', 'totalPages'],
  ]);
});

test('every page once, the holders hold the whole supply, rank by rank', async () => {
  const box = await openBox();
  const baseMint = box.world.mint('birch-brine');
  const owners = new Set<string>();
  let [ranks, shares, total] = [0, 0, 1];
  for (let page = 1; owners.size < total; page += 1) {
    const { body } = await box.get(`${HOLDERS}?baseMint=${baseMint}&limit=100&page=${page}`);
    total = body.meta.totalItems;
    for (const row of body.data) {
      ranks += 1;
      expect(row.rank).toBe(ranks);
      owners.add(row.owner);
      shares += Number(row.percentageOfTotalSupply);
    }
    if (body.data.length === 0) break;
  }
  expect(owners.size).toBe(total);
  expect(shares).toBeCloseTo(100, 1);
});

test('holders can be alerted from the project by its accounts, and a finished launch counts as many of them', async () => {
  const box = await openBox();
  const baseMint = box.world.mint('alder');
  const { body } = await box.get(`${HOLDERS}?baseMint=${baseMint}&limit=10`);
  const accounts = (await box.get('/v1/account?slug=alder')).body.data.map((row: { address: string }) => row.address);
  expect(body.data.filter((row: { owner: string }) => accounts.includes(row.owner))).toHaveLength(2);
  const own = await completedLaunch(box, baseMint);
  expect(Number(own.holdersCount)).toBe(body.meta.totalItems);
});

test('distribution is raw and adds up to the supply, package and ladder agree', async () => {
  const box = await openBox();
  const about = async (what: string) => (await box.get(`/v1/project-overview/${what}?slug=tide`)).body.data;
  const { totalSupply, categories } = await about('token-distribution');
  const raw = categories.reduce((sum: bigint, one: { amount: string }) => sum + BigInt(one.amount), 0n);
  expect(raw).toBe(BigInt(Math.round(totalSupply * 1e6)));
  const pack = await about('performance-package');
  expect(pack.locked + pack.claimableNow + pack.claimed).toBe(pack.totalInPackage);
  const ladder = await about('tranche-ladder');
  const overview = (await box.get('/v1/project-overview?slug=tide')).body.data;
  expect(new Set(ladder.map((row: { icoPrice: string }) => row.icoPrice))).toEqual(new Set([overview.icoPrice]));
  expect((await about('unlock-schedule')).scheduleData[0]).toMatchObject({ date: '2025-09-05', cumulativeUnlocked: '0' });
});
