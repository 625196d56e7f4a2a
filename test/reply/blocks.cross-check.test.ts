/** Figures as the service may send them: several rows of one thing, nothing that is not zero, parts that do not give the whole. */
import { describe, expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const harness = async (answers: Readonly<Record<string, unknown>>) => openAppHarness({ answers });
const said = async (line: string, answers: Readonly<Record<string, unknown>>): Promise<string> =>
  (await (await harness(answers)).say(line)).text;
const NAV = '/v1/dao/treasury/nav-as-breakdown';
const OVERVIEW = '/v1/dao/treasury/overview';
const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const SPECIAL = '/v1/trading-activity/special-wallet';

test('the own token outside NAV is the sum of all its rows', async () => {
  const excluded = (...amounts: readonly (string | null)[]) => ({
    [OVERVIEW]: { netAssetValueUsd: '5' },
    [NAV]: { excludedFromNav: amounts.map((amount) => ({ symbol: 'TIDE', amount })) },
  });
  expect(await said('/treasury tide', excluded('2400000.000001', '900000'))).toContain('own token, not in NAV 3.3M TIDE');
  expect(await said('/treasury tide', excluded('2400000', null))).toContain('own token, not in NAV n/a TIDE');
});

describe('what is not zero', () => {
  test('a runway of days is less than a tenth of a month', async () => {
    expect(await said('/treasury tide runway', { '/v1/dao/treasury/runway-breakdown': { monthsOfRunway: 0.04 } })).toContain('<0.1 mo');
  });

  test('a price of 0 is no price, and what follows from it is unknown', async () => {
    const launch = { launchAddr: 'a', title: 'New', state: 'Complete', tokenUsdPrice: '0', icoReturn: 0, fundsAccepted: '3000000' };
    expect(await said('/launches', { '/v1/global-dashboard/recent-launches': [launch] })).not.toMatch(/\$0(?!\.\d*[1-9])|0×/u);
    const market = { tokenPrice: '0', navPerAdjustedShare: '1', returnSinceIco: 0, marketCap: '0' };
    const card = await said('/project tide', { '/v1/project-overview/market-metrics': market });
    expect(card).toContain('no price published');
    expect(card).toContain('Market cap n/a');
    expect(card).toContain('since ICO n/a');
    expect(card).not.toContain('below NAV');
  });

  test('a page without rows is not "none" where the service counts some', async () => {
    const meta = { totalItems: 31 };
    const cases = {
      '/supply tide events': '/v1/dao/token-supply',
      '/movements tide': '/v1/movement',
      '/movements tide labeled': '/v1/dao/movements',
      '/proposals tide': '/v1/proposal',
      '/trading tide trades': '/v1/trading-activity/tide/trading-activities',
      '/accounts tide legacy': '/v1/account/legacy',
      '/counterparties tide': '/v1/counterparty',
      '/ico tide investors': '/v1/project-overview/ico-contributor/investors',
      '/launches': '/v1/global-dashboard/recent-launches',
      '/markets': '/v1/global-dashboard/projects/decision-markets',
      '/markets all': '/v1/global-dashboard/decision-markets',
      [`/wallet ${WALLET} trades`]: SPECIAL,
      [`/wallet ${WALLET} markets`]: `${SPECIAL}/decision-markets`,
      [`/wallet ${WALLET} icos`]: `${SPECIAL}/ico-participation`,
      [`/wallet ${WALLET} holdings`]: `${SPECIAL}/holdings`,
    };
    for (const [line, path] of Object.entries(cases)) {
      expect([line, await said(line, { [path]: { data: [], meta } })]).toEqual([line, expect.stringMatching(/31 entries .+none here/u)]);
      expect([line, await said(line, { [path]: { data: ['unreadable'], meta } })]).toEqual([
        line,
        expect.stringMatching(/1 row on this page/u),
      ]);
    }
  });
});

describe('parts that do not give the whole', () => {
  const parts = { nonNativeTreasuryValueUsd: '800', nonNativeLpValueUsd: '200', netAssetValueUsd: '1000', adjustedSupply: '500' };

  test('a NAV/share that NAV and shares do not give stands beside what they give', async () => {
    const nav = { [OVERVIEW]: { netAssetValueUsd: '1000' }, [NAV]: { ...parts, navPerAdjustedShare: '3' } };
    const warning = /⚠ .+\$3\.000.+\$2\.000/u;
    expect(await said('/treasury tide nav', nav)).toMatch(warning);
    expect(await said('/treasury tide', nav)).toMatch(warning);
    expect(await said('/treasury tide nav', { [NAV]: { ...parts, navPerAdjustedShare: '2.0001' } })).not.toContain('⚠');
  });

  test('wallets that do not give the treasury are named, with or without the liquidity', async () => {
    const of = async (...values: readonly string[]) =>
      said('/treasury tide nav', {
        [NAV]: { ...parts, navPerAdjustedShare: '2', wallets: values.map((value) => ({ name: 'Main', value })) },
      });
    expect(await of('500', '100')).toMatch(/⚠ .+\$800\.00.+\$600\.00/u);
    for (const values of [
      ['500', '300'],
      ['800', '200'],
    ])
      expect(await of(...values)).not.toContain('⚠');
  });

  test('a wallet whose value is not the sum of its parts is marked', async () => {
    const value = { ownershipCoinsValue: '40', otherValue: '10', walletValue: '75', holdingsLastUpdate: 1_795_000_000 };
    const coin = { tokenAddress: 'TideMint', tokenSymbol: 'TIDE', balance: 1, usdPrice: 30, value: 30 };
    const answers = { [`${SPECIAL}/holdings/overview`]: value, [`${SPECIAL}/holdings`]: { data: [coin], meta: { totalItems: 1 } } };
    for (const view of ['summary', 'holdings']) {
      const text = await said(`/wallet ${WALLET} ${view}`, answers);
      expect(text).toMatch(/⚠ .+\$75\.00.+\$50\.00/u);
      expect(text).toMatch(/⚠ .+\$40\.00.+\$30\.00/u);
    }
  });

  test('the second largest is not called the largest where the largest may be unknown', async () => {
    const categories = [
      { name: 'Reserves', value: '100' },
      { name: 'Liquidity', value: null },
    ];
    expect(
      await said('/treasury tide allocation', { '/v1/dao/list-asset-allocation-breakdown': { totalValue: '900', categories } }),
    ).not.toContain('in Reserves');
    const month = {
      period: '2026-11-01',
      revenue: '10',
      details: [
        { source: 'Fees', revenue: '2' },
        { source: 'Swaps', revenue: null },
      ],
    };
    expect(await said('/finances tide revenue', { '/v1/dao/revenues': [month] })).not.toContain('the largest');
    const accounts = [
      {
        id: 1,
        tokens: [
          { symbol: 'A', value: '1' },
          { symbol: 'B', value: null },
        ],
      },
      {
        id: 2,
        tokens: [
          { symbol: 'C', value: '1' },
          { symbol: 'D', value: '2' },
        ],
      },
    ];
    const active = await said('/accounts tide active', { '/v1/account/active': { totalValue: '4', accounts } });
    expect(active).toMatch(/D, C$/mu);
    expect(active).not.toMatch(/A, B|\bA$/mu);
  });

  test('what fell most moved most', async () => {
    const row = (slug: string, change: number) => ({ organizationSlug: slug, tokenSymbol: slug, tokenPriceChangePercentage24h: change });
    expect(await said('/overview movers', { '/v1/global-dashboard/projects-launch': [row('up', 1), row('down', -30)] })).toMatch(
      /^down moved most: −30\.0%/u,
    );
  });
});

test('an account whose custody is unknown is no custody type', async () => {
  const text = await said('/accounts tide custody', {
    '/v1/account/custody-types': ['Multi-sig'],
    '/v1/account': [
      { id: 1, custodyType: 'Multi-sig' },
      { id: 2, custodyType: null },
    ],
  });
  expect(text).toContain('Tidewater uses 1 of 1 custody type');
  expect(text).toContain('⚠ Custody unknown for 1 account.');
});

test('a year in which nothing differs has no rank', async () => {
  const points = Array.from({ length: 40 }, (_, day) => ({
    timestamp: new Date(Date.UTC(2026, 10, 20) - day * 86_400_000).toISOString(),
    navPerAdjustedShare: '1',
    tokenPrice: '0.8',
  }));
  const text = await said('/premium tide ALL', {
    '/v1/dao/treasury/nav-as-chart': points,
    '/v1/dao/treasury/premium-discount-breakdown': { spotPrice: '0.8', navPerAdjustedShare: '1' },
  });
  expect(text).toMatch(/^TIDE trades 20\.0% below NAV\n/u);
});
