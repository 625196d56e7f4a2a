import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { NOON, openBox } from './box.js';

type Box = Awaited<ReturnType<typeof openBox>>;

const rowOf = async (box: Box, path: string) =>
  (await box.get(`${path}?limit=100`)).body.data.find(
    (row: { organizationSlug?: string; slug?: string }) => (row.organizationSlug ?? row.slug) === 'tide',
  );

/** What every route that shows them says of one project: each figure with all that was said of it. */
async function figures(box: Box, slug = 'tide') {
  const of = async (path: string) => (await box.get(`${path}?slug=${slug}`)).body.data;
  const overview = await of('/v1/dao/treasury/overview');
  const project = await of('/v1/project-overview');
  const market = await of('/v1/project-overview/market-metrics');
  const dao = await of('/v1/dao/overview');
  const nav = await of('/v1/dao/treasury/nav-as-breakdown');
  const gap = await of('/v1/dao/treasury/premium-discount-breakdown');
  const runway = await of('/v1/dao/treasury/runway-breakdown');
  const chart = (await of('/v1/dao/treasury/nav-as-chart')).at(-1);
  const history = (await of('/v1/dao/treasury/chart')).at(-1);
  const holdings = await of('/v1/dao/treasury');
  const list = await rowOf(box, '/v1/global-dashboard/projects-launch');
  const projects = await rowOf(box, '/v1/global-dashboard/projects');
  const all = (...values: readonly unknown[]) => [...new Set(values.map(String))];
  return {
    price: all(
      ...[overview.baseMintCurrentPrice, project.tokenPrice, market.tokenPrice, dao.baseToken.usdPrice, nav.spotPrice, gap.spotPrice],
      ...[chart.tokenPrice, list.tokenUsdPrice, projects.tokenUsdPrice],
    ),
    navPerShare: all(
      ...[overview.navPerAdjustedShare, market.navPerAdjustedShare, nav.navPerAdjustedShare, gap.navPerAdjustedShare],
      ...[chart.navPerAdjustedShare, list.netAssetValue],
    ),
    nav: all(overview.netAssetValue, nav.netAssetValueUsd, history.totalValue, holdings.totalValue, list.treasuryValue),
    premium: all(overview.premiumDiscountPercent, market.discount.pct, gap.current, chart.premiumDiscountPercent, list.premDisc),
    runway: all(overview.monthsOfRunway, runway.monthsOfRunway, list.monthsOfRunway, projects.runway),
    allowance: all(overview.spendingLimit, dao.spendingLimit, runway.spendingLimit, list.spendingLimit),
  };
}
const only = async (box: Box) =>
  Object.fromEntries(
    Object.entries(await figures(box)).map(([name, [one, ...others]]) => {
      expect([name, ...others]).toEqual([name]);
      return [name, Number(one)];
    }),
  );

test('a pushed price stands exactly in every route that shows it, and the premium follows', async () => {
  const box = await openBox();
  const before = await only(box);
  const { body } = await box.sim({ kind: 'price', project: 'tide', price: '0.123457' });
  expect(body.injected).toEqual([{ feed: 'premium', project: 'tide', identity: 'price', at: NOON }]);
  const after = await only(box);
  expect(after).toMatchObject({ price: 0.123457, navPerShare: before['navPerShare'], nav: before['nav'], runway: before['runway'] });
  expect(after['premium']).toBeCloseTo((0.123457 / before['navPerShare']! - 1) * 100, 2);
  const market = (await box.get('/v1/project-overview/market-metrics?slug=tide')).body.data;
  expect(market.priceChangePercentage1h).toBeLessThan(-50);
});

test('it moves on from there as it would have moved, and what was before stays as it was', async () => {
  const [box, twin] = [await openBox(), await openBox()];
  await box.sim({ kind: 'price', project: 'tide', price: '0.2' });
  const [there, here] = [await only(twin), await only(box)];
  const ratio = here['price']! / there['price']!;
  for (const one of [box, twin]) one.clock.turn(7 * HOUR + MINUTE);
  const [later, natural] = [await only(box), await only(twin)];
  expect(later['price']).not.toBe(0.2);
  expect(later['price']! / natural['price']!).toBeCloseTo(ratio, 4);
  const chart = async (of: Box) => (await of.get('/v1/dao/treasury/nav-as-chart?slug=tide&range=1W')).body.data;
  const past = (points: readonly { timestamp: string }[]) => points.filter(({ timestamp }) => Date.parse(timestamp) < NOON);
  expect(past(await chart(box))).toEqual(past(await chart(twin)));
  expect((await chart(box)).at(-1)).not.toEqual((await chart(twin)).at(-1));
});

test('a pushed treasury takes NAV, NAV/AS, runway and premium with it, and pushes add up', async () => {
  const box = await openBox();
  const before = await only(box);
  await box.sim({ kind: 'nav', project: 'tide', factor: '0.5' });
  const half = await only(box);
  expect(half['nav']! / before['nav']!).toBeCloseTo(0.5, 5);
  expect(half['navPerShare']! / before['navPerShare']!).toBeCloseTo(0.5, 5);
  expect(half['runway']! / before['runway']!).toBeCloseTo(0.5, 3);
  expect(half['price']).toBe(before['price']);
  expect(half['premium']).toBeCloseTo((half['price']! / half['navPerShare']! - 1) * 100, 2);
  await box.sim([
    { kind: 'nav', project: 'tide', factor: '0.5' },
    { kind: 'nav', project: 'tide', factor: '4' },
  ]);
  expect((await only(box))['nav']! / before['nav']!).toBeCloseTo(1, 5);
  const breakdown = (await box.get('/v1/dao/treasury/nav-as-breakdown?slug=tide')).body.data;
  const inWallets = breakdown.wallets.reduce((sum: number, one: { value: string }) => sum + Number(one.value), 0);
  expect(inWallets).toBeCloseTo(Number(breakdown.nonNativeTreasuryValueUsd), 1);
});

test('a pushed allowance is the one from now on, and the runway is counted by it', async () => {
  const box = await openBox();
  const before = await only(box);
  await box.sim({ kind: 'allowance', project: 'tide', usd: '250000' });
  const after = await only(box);
  expect(after).toMatchObject({ allowance: 250_000, nav: before['nav'] });
  expect(after['runway']! / before['runway']!).toBeCloseTo(before['allowance']! / 250_000, 3);
  const past = async (path: string) => (await box.get(`${path}?slug=tide&timestamp=2026-11-21T09:00:00Z`)).body.data;
  expect((await past('/v1/dao/treasury/runway-breakdown')).spendingLimit).toBe(String(before['allowance']));
  box.clock.turn(3 * DAY);
  expect((await only(box))['allowance']).toBe(250_000);
});

test('one project is pushed and no other, and what was pushed is still so after a restart', async () => {
  const journal = memoryJournal();
  const box = await openBox({ journal });
  const others = async (of: Box) => {
    const { data } = (await of.get('/v1/global-dashboard/projects-launch?limit=100')).body;
    return data.filter((row: { organizationSlug?: string; slug?: string }) => (row.organizationSlug ?? row.slug) !== 'tide');
  };
  const before = await others(box);
  await box.sim([
    { kind: 'price', project: 'tide', price: '3' },
    { kind: 'nav', project: 'tide', factor: '2' },
    { kind: 'allowance', project: 'tide', usd: '1' },
  ]);
  expect(await others(box)).toEqual(before);
  expect(await only(await openBox({ journal }))).toEqual(await only(box));
});

test.each([
  [{ kind: 'price', project: 'tide', price: '0' }, 'above zero'],
  [{ kind: 'price', project: 'tide', price: '-1' }, 'price'],
  [{ kind: 'price', project: 'nobody', price: '1' }, 'nobody'],
  [{ kind: 'price', project: 'cinder-quay', price: '1' }, 'wound up'],
  [{ kind: 'nav', project: 'tide', factor: '0' }, 'above zero'],
  [{ kind: 'nav', project: 'tide', factor: '1001' }, 'at most 1000'],
  [{ kind: 'allowance', project: 'tide', usd: '0' }, 'above zero'],
  [{ kind: 'allowance', project: 'tide', usd: 'a lot' }, 'usd'],
])('%o is refused with what is wrong', async (order, words) => {
  const box = await openBox();
  const { status, body } = await box.sim(order);
  expect(status).toBe(400);
  expect(body.error.message).toContain(words);
});

test('a treasury that publishes no NAV cannot be pushed', async () => {
  const box = await openBox();
  const silent = box.world.projects.find((who) => who.quirk === 'no-nav');
  expect((await box.sim({ kind: 'nav', project: silent?.slug, factor: '2' })).status).toBe(400);
  expect((await box.sim({ kind: 'price', project: silent?.slug, price: '2' })).status).toBe(200);
});
