/** Every reply is as old as the data in it, not as the answer that brought it. */
import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/base/clock.js';
import { openAppHarness } from '../support/app-harness.js';

const NOW = Date.UTC(2026, 10, 20, 14, 5);
const ago = (time: number): string => new Date(NOW - time).toISOString();
const harness = async (answers: Readonly<Record<string, unknown>>) => openAppHarness({ start: NOW, answers });
const THREE_DAYS = '⚠ Updated Nov 17, 14:05 UTC';
const points = (last: number, field: string) =>
  Array.from({ length: 40 }, (_, index) => ({ timestamp: ago(last + index * HOUR), [field]: '5' }));

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const SPECIAL = '/v1/trading-activity/special-wallet';

test('three days old by its own words, every kind of answer says so with a warning', async () => {
  const old = { updatedAt: ago(3 * DAY) };
  const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    '/project tide': { '/v1/project-overview': { tokenPrice: '1', ...old } },
    '/treasury tide': { '/v1/dao/treasury/overview': { monthsOfRunway: 5, netAssetValueUsd: '5', ...old } },
    '/treasury tide nav': { '/v1/dao/treasury/nav-as-breakdown': { navPerAdjustedShare: '1', timestamp: ago(3 * DAY) } },
    '/treasury tide runway': { '/v1/dao/treasury/runway-breakdown': { monthsOfRunway: 5, timestamp: ago(3 * DAY) } },
    '/treasury tide history': { '/v1/dao/treasury/chart': points(3 * DAY, 'totalValue') },
    '/treasury tide allocation': { '/v1/dao/list-asset-allocation-breakdown': { totalValue: '1', categories: [], ...old } },
    '/accounts tide active': { '/v1/account/active': { totalValue: 1, accounts: [], ...old } },
    '/overview': { '/v1/global-dashboard/overview/ownership-coins/market-cap-chart': points(3 * DAY, 'marketCap') },
    '/screen': { '/v1/global-dashboard/projects-launch': [{ organizationSlug: 'tide', ...old }] },
    '/markets projects': { '/v1/global-dashboard/projects': [{ organizationSlug: 'tide', ...old }] },
    '/trading tide': { '/v1/trading-activity/tide': { totalVolume: 3, ...old } },
    [`/wallet ${WALLET} holdings`]: {
      [`${SPECIAL}/holdings`]: [{ tokenAddress: 'TideMint', balance: 1, syncedAt: (NOW - 3 * DAY) / 1_000 }],
    },
    [`/wallet ${WALLET}`]: {
      [`${SPECIAL}/holdings/overview`]: { ownershipCoinsValue: '5', holdingsLastUpdate: (NOW - 3 * DAY) / 1_000 },
    },
  };
  for (const [line, answers] of Object.entries(cases)) {
    const { text, reply } = await (await harness(answers)).say(line);
    expect([line, text.split('\n').at(-1), reply.old]).toEqual([line, THREE_DAYS, true]);
  }
});

test('an answer that is less than a day old has its age and no warning; one from the future is as old as its arrival', async () => {
  const at = async (time: number) => {
    const { say } = await harness({ '/v1/dao/treasury/overview': { netAssetValueUsd: '5', updatedAt: ago(time) } });
    return (await say('/treasury tide')).text.split('\n').at(-1);
  };
  expect(await at(5 * HOUR)).toBe('Updated 09:05 UTC');
  expect(await at(-2 * DAY)).toBe('Updated 14:05 UTC');
  expect(await at(DAY)).toBe('⚠ Updated Nov 19, 14:05 UTC');
});

test('the oldest part of a reply is its age', async () => {
  const { say } = await harness({
    '/v1/dao/treasury/overview': { netAssetValueUsd: '5', updatedAt: ago(0) },
    '/v1/dao/treasury/nav-as-breakdown': { navPerAdjustedShare: '1', timestamp: ago(3 * DAY) },
  });
  expect((await say('/treasury tide')).text).toContain(THREE_DAYS);
});

test('a figure of the past is not said of today', async () => {
  const history = await harness({ '/v1/dao/treasury/chart': points(3 * DAY, 'totalValue') });
  expect((await history.say('/treasury tide history')).text).toMatch(/^Tidewater's treasury was worth \$5.00 on Nov 17/u);
  const caps = await harness({ '/v1/global-dashboard/overview/ownership-coins/market-cap-chart': points(3 * DAY, 'marketCap') });
  const { text } = await caps.say('/overview');
  expect(text).toMatch(/^Ownership coins were worth \$5\.00 on Nov 17/u);
  expect(text).toContain('Market cap $5.00 on Nov 17');
  const supply = await harness({ '/v1/dao/token-supply/chart': ['2026-11-10', '2026-11-11'].map((period) => ({ period, supply: 7 })) });
  expect((await supply.say('/supply tide chart')).text).toMatch(/^TIDE supply was 7 on Nov 11/u);
  const premium = await harness({
    '/v1/dao/treasury/premium-discount-breakdown': { spotPrice: '0.8', navPerAdjustedShare: '1', timestamp: ago(3 * DAY) },
  });
  expect((await premium.say('/premium tide')).text).toMatch(/^TIDE traded 20\.0% below NAV on Nov 17 /u);
});

test('a recent figure is said of today', async () => {
  const history = await harness({ '/v1/dao/treasury/chart': points(HOUR, 'totalValue') });
  expect((await history.say('/treasury tide history')).text).toMatch(/^Tidewater's treasury is worth \$5.00/u);
  const daily = await harness({ '/v1/dao/token-supply/chart': ['2026-11-18', '2026-11-19'].map((period) => ({ period, supply: 7 })) });
  const { text } = await daily.say('/supply tide chart');
  expect(text).toMatch(/^TIDE supply is 7/u);
  expect(text).toContain('Updated 14:05 UTC');
});

test('figures of a requested past moment are not old, but an earlier snapshot is named', async () => {
  const path = '/v1/dao/treasury/nav-as-breakdown';
  const near = await (
    await harness({ [path]: { navPerAdjustedShare: '1', timestamp: '2026-11-01T11:00:00Z' } })
  ).say('/treasury tide nav at:2026-11-01T12:00Z');
  expect(near.text).toContain('Updated 14:05 UTC');
  expect(near.text).not.toContain('⚠');
  const far = await (
    await harness({ [path]: { navPerAdjustedShare: '1', timestamp: '2026-10-28T11:00:00Z' } })
  ).say('/treasury tide nav at:2026-11-01T12:00Z');
  expect(far.text).toMatch(/⚠ .+: Oct 28, 11:00 UTC\./u);
});

test('a single project of a list that is older than the others is marked', async () => {
  const row = (slug: string, age: number) => ({ organizationSlug: slug, tokenSymbol: slug.toUpperCase(), updatedAt: ago(age) });
  const { say } = await harness({ '/v1/global-dashboard/projects-launch': [row('tide', 0), row('kelp', 3 * DAY)] });
  const { text } = await say('/screen');
  expect(text).toContain('KELP ⚠ 3 d old');
  expect(text).not.toContain('TIDE ⚠');
  expect(text).toContain('Updated 14:05 UTC');
});

test('a proposal that ended is as old as its market, a live one is as old as its data', async () => {
  const key = 'CBSRLXEmQdeJQTh5mRZ1UVoSQdN2sUgDV8CihCsXKNrU';
  const of = async (status: string) => {
    const page = { publicKey: key, title: 'Fund it', status, updatedAt: ago(3 * DAY), organizationSlug: 'tide' };
    const { say } = await harness({ [`/v1/proposal/${key}`]: page });
    return (await say(`/proposal ${key}`)).text.split('\n').at(-1);
  };
  expect(await of('live')).toBe(THREE_DAYS);
  expect(await of('passed')).toBe('Updated 14:05 UTC');
});
