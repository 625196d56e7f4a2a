import { expect, test } from 'vitest';
import { openBox } from '../box.js';
import { completedLaunch } from './completed.js';

const about = async (box: Awaited<ReturnType<typeof openBox>>, what: string, slug = 'tide') =>
  (await box.get(`/v1/project-overview/${what}${what.includes('?') ? '&' : '?'}slug=${slug}`)).body;

test('terms, statistics and launch tell one raise', async () => {
  const box = await openBox();
  const { data: terms } = await about(box, 'ico-details');
  const { data: stats } = await about(box, 'ico-contributor');
  expect(Number(terms.icoPrice) * terms.icoSupply).toBeCloseTo(Number(stats.fundsAccepted), -1);
  const launch = await completedLaunch(box, box.world.mint('tide'));
  expect([launch.committedAmount, launch.fundsAccepted, launch.minimumRaiseAmount].map((raw) => Number(raw) / 1e6)).toEqual(
    [stats.committedAmount, stats.fundsAccepted, stats.minimumRaiseAmount].map(Number),
  );
  expect(stats.totalQuoteAmount).toBe(stats.committedAmount);
});

test('ranges count every contributor, and the graveyard tells as many investors', async () => {
  const box = await openBox();
  const { data: stats } = await about(box, 'ico-contributor', 'cinder-quay');
  const { data: ranges } = await about(box, 'ico-contributor/chart', 'cinder-quay');
  expect(Object.values(ranges).reduce((sum: number, one) => sum + Number(one), 0)).toBe(stats.totalContributors);
  const [ended] = (await box.get('/v1/global-dashboard/graveyard-launches')).body.data;
  expect(Number(ended.icoInvestors)).toBe(stats.totalContributors);
  expect((await about(box, 'ico-contributor/investors?limit=1', 'cinder-quay')).meta.totalItems).toBe(stats.totalContributors);
});

test("an investor's total spans all ICOs it names, so investors together give more than the raise took", async () => {
  const box = await openBox();
  const { data: rows } = await about(box, 'ico-contributor/investors?limit=50');
  const { data: others } = await about(box, 'ico-contributor/ico-list');
  const names = new Set(others.map((row: { organization: string }) => row.organization));
  for (const row of rows) {
    expect(row.organizations).toContain('Tidewater');
    expect(row.organizationsConcat).toBe(row.organizations.join(', '));
    for (const name of row.organizations) expect(name === 'Tidewater' || names.has(name)).toBe(true);
  }
  expect(rows.some((row: { organizations: readonly string[] }) => row.organizations.length > 1)).toBe(true);
});
