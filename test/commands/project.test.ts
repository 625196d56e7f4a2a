import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const PATHS = {
  overview: '/v1/project-overview',
  market: '/v1/project-overview/market-metrics',
  treasury: '/v1/dao/treasury/overview',
  dao: '/v1/dao/overview',
  timeline: '/v1/dao/project-timeline',
  url: '/v1/url/tide',
};
const answers = {
  [PATHS.overview]: {
    tokenSymbol: 'TIDE',
    circulatingSupply: '8264757',
    totalSupply: '25799968',
    icoPrice: '0.3',
    projectDescription: 'Settles freight invoices.',
  },
  [PATHS.market]: {
    tokenPrice: '0.628927',
    navPerAdjustedShare: '0.697689',
    discount: { pct: -9.856 },
    marketCap: '5197929',
    fdv: '16226296',
    volume24h: '18300',
    priceChangePercentage24h: 1.2,
    returnSinceIco: 2.1,
  },
  [PATHS.treasury]: { netAssetValueUsd: '5766232.78', monthsOfRunway: '57.66', spendingLimit: '100000' },
  [PATHS.dao]: { name: 'Tidewater', passThresholdBps: 150, secondsPerProposal: 259_200, seats: 5, baseToken: { usdPrice: '0.6' } },
  [PATHS.timeline]: { startDate: '2025-09-10T00:00:00Z', endDate: '2026-11-20T00:00:00Z' },
  [PATHS.url]: null,
};

test('one card shows the state of a project', async () => {
  const { say, deadButtons } = await openAppHarness({ answers });
  const { text, reply } = await say('/project tide');
  expect(text.split('\n').slice(0, 7)).toEqual([
    'Tidewater (TIDE): $0.6289, 9.9% below NAV',
    'Settles freight invoices.',
    'Market cap $5.20M · FDV $16.2M · 24 h +1.2% · 7 d n/a · 24 h volume $18.3K · liquidity n/a · since ICO 2.1x',
    'NAV $5.77M · NAV/share $0.6977 · runway 57.7 mo · allowance $100K a month',
    'Circulating 8.26M · total supply 25.8M · ICO price $0.3000',
    'Pass threshold +1.5% · proposal length 3 d · seats 5',
    'Data from Sep 10, 2025 to Nov 20',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a page of its own is linked where there is one, and only named where it is not https', async () => {
  const at = async (url: string) => {
    const { say } = await openAppHarness({ answers: { ...answers, [PATHS.url]: url } });
    return say('/project tide');
  };
  expect((await at('https://tide.example/')).reply.links).toContainEqual({ label: 'Site', url: 'https://tide.example/' });
  const plain = await at('http://tide.example/');
  expect(plain.reply.links.map(({ label }) => label)).not.toContain('Site');
  expect(plain.text).toContain('to Nov 20 · http://tide.example/');
});

test('a premium that disagrees with price and NAV is shown with both', async () => {
  const { say } = await openAppHarness({ answers: { ...answers, [PATHS.market]: { ...answers[PATHS.market], discount: { pct: 3 } } } });
  expect((await say('/project tide')).text).toMatch(/⚠ .+\+3\.0%.+−9\.9%/u);
});

test('a part that fails costs itself, and what is not published is n/a', async () => {
  const { say } = await openAppHarness({ answers: { [PATHS.treasury]: { netAssetValue: null, baseMintCurrentPrice: '0.13' } } });
  const { text } = await say('/project tide');
  expect(text).toContain('Tidewater (TIDE): $0.1300\n');
  expect(text).toContain('market n/a: no data');
  expect(text).toContain('NAV n/a · NAV/share n/a · runway n/a · allowance n/a');
});

test('every simulated project has a card, and every button leads on', async () => {
  const { say, deadButtons, directory } = await openAppHarness();
  const all = await directory.all();
  expect(all.length).toBeGreaterThan(5);
  for (const { slug } of all.filter((one) => one.slug !== 'marsh')) {
    const { reply, text } = await say(`/project ${slug}`);
    expect([slug, reply.tone, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([slug, 'plain', [], null]);
    expect(text).toContain('Updated 12:00 UTC');
  }
});

test('a project that has only launches is said to, and leads on to them', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/project tide');
  expect(text).toMatch(/^Tidewater \(TIDE\): only its launches/u);
  expect(reply.tone).toBe('plain');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/launches tide', '/watch tide']);
  expect(await deadButtons(reply)).toEqual([]);
});
