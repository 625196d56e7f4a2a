import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const PATHS = {
  overview: '/v1/dao/treasury/overview',
  holdings: '/v1/dao/treasury',
  chart: '/v1/dao/treasury/chart',
  nav: '/v1/dao/treasury/nav-as-breakdown',
  runway: '/v1/dao/treasury/runway-breakdown',
};
const OVERVIEW = {
  navPerAdjustedShare: '0.697689',
  baseMintCurrentPrice: 0.628927,
  netAssetValueUsd: '5766232.78',
  spendingLimit: '100000',
  monthsOfRunway: '57.66',
};
const NAV = {
  netAssetValueUsd: '5766232.78',
  nonNativeTreasuryValueUsd: '4896232.78',
  nonNativeLpValueUsd: '870000',
  navPerAdjustedShare: '0.697689',
  wallets: [{ name: 'Main', value: '4896232.78' }],
  excludedFromNav: [{ symbol: 'TIDE', amount: '3200000', value: '2012566.4' }],
  supplyAdjustments: [],
};

test('the summary says how long the treasury lasts, what it is worth and what it consists of', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [PATHS.overview]: OVERVIEW,
      [PATHS.holdings]: [
        { symbol: 'USDC', amount: '4896232.78', value: '4896232.78' },
        { symbol: 'TIDE', amount: '3200000', value: '2012566.4' },
      ],
      [PATHS.nav]: NAV,
      [PATHS.runway]: { monthsOfRunway: '57.66', monthsOfRunwayWithoutLp: '48.96' },
    },
  });
  const { text, reply } = await say('/treasury tide');
  expect(text.split('\n').slice(0, 3)).toEqual([
    "Tidewater's runway: 57.7 mo, NAV $5.77M",
    'NAV/share $0.6977 · price $0.6289 (9.9% below NAV) · allowance $100K a month · runway without LP 49 mo',
    'USDC $4.90M (84.9%) · of which LP $870K (15.1%) · own token, not in NAV 3.2M TIDE',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a part that fails costs itself, not the answer', async () => {
  const { say } = await openAppHarness({ answers: { [PATHS.overview]: OVERVIEW } });
  const { text } = await say('/treasury tide');
  expect(text).toContain("Tidewater's runway: 57.7");
  expect(text).toContain('Holdings n/a: no data');
});

test('what is not published is n/a and never 0', async () => {
  const { say } = await openAppHarness({
    answers: { [PATHS.overview]: { netAssetValue: null, monthOfRunway: null, baseMintCurrentPrice: '0.13' }, [PATHS.holdings]: [] },
  });
  const { text } = await say('/treasury tide');
  expect(text).toContain('published\nNAV/share n/a · price $0.1300 · allowance n/a\n');
  expect(text).not.toMatch(/\$0\b(?!\.)|\b0 months|0%/u);
});

test('an impossible runway is passed on, marked and in years', async () => {
  const { say } = await openAppHarness({ answers: { [PATHS.overview]: { ...OVERVIEW, monthsOfRunway: '8000' } } });
  expect((await say('/treasury tide')).text).toContain("Tidewater's runway: 667 yr ⚠ as reported");
});

test('holdings are sorted largest first; the own token is marked and not counted', async () => {
  const { say } = await openAppHarness({
    answers: {
      [PATHS.holdings]: [
        { symbol: 'SOL', amount: '100', value: '25' },
        { symbol: 'XXX', amount: '5' },
        { symbol: 'WRAP', address: 'TideMint', amount: '900000', value: '566034' },
        { symbol: 'USDC', amount: '75', value: '75' },
        7,
      ],
    },
  });
  const { text } = await say('/treasury tide holdings');
  const lines = text.split('\n');
  expect(lines[0]).toBe('Tidewater holds $100.00 in 3 tokens, 1 without a price');
  expect(lines.slice(2, 6).map((row) => row.split(/\s{2,}/u)[0])).toEqual(['WRAP (own, not in NAV)', 'USDC', 'SOL', 'XXX']);
  expect(text).toContain('$75.00 (75.0%)');
  expect(lines[5]).toMatch(/n\/a$/u);
  expect(lines[6]).toBe('Percentages leave out tokens without a price.');
  expect(text).toMatch(/⚠ 1 row /u);
});

test('holdings are as old as the oldest of them', async () => {
  const row = { symbol: 'USDC', amount: '75', value: '75' };
  const { say } = await openAppHarness({ answers: { [PATHS.holdings]: [{ ...row, updatedAt: '2026-11-10T12:00:00Z' }, row] } });
  expect((await say('/treasury tide holdings')).text).toContain('⚠ Updated');
});

test('a runway that only the breakdown knows is the runway of the summary', async () => {
  const { say } = await openAppHarness({
    answers: {
      [PATHS.overview]: { ...OVERVIEW, monthsOfRunway: null },
      [PATHS.runway]: { withLp: { monthsOfRunway: '57.66' }, withoutLp: { monthsOfRunway: 48.96 } },
    },
  });
  const { text } = await say('/treasury tide');
  expect(text).toContain("Tidewater's runway: 57.7 mo, NAV $5.77M");
  expect(text).toContain('runway without LP 49 mo');
});

test('a history that cannot be read is not called unpublished', async () => {
  const { say } = await openAppHarness({ answers: { [PATHS.chart]: [{ timestamp: '2026-11-10T12:00:00Z', totals: { value: '5' } }] } });
  expect((await say('/treasury tide history')).text).toContain('treasury history is unreadable');
});

test('history says the change over thirty days and where each period ended', async () => {
  const point = (date: string, totalValue: string) => ({ timestamp: Date.parse(`${date}T00:00:00Z`) / 1_000, totalValue });
  const { say } = await openAppHarness({
    answers: {
      [PATHS.chart]: [point('2026-11-20', '110'), point('2026-06-30', '90'), point('2026-07-01', '95'), point('2026-10-15', '100')],
    },
  });
  const { text } = await say('/treasury tide history');
  expect(text.split('\n').slice(0, 6)).toEqual([
    "Tidewater's treasury is worth $110.00, +10.0% in 30 d",
    'Month       Value  Change',
    'Nov 2026  $110.00  +10.0%',
    'Oct 2026  $100.00   +5.3%',
    'Jul 2026   $95.00   +5.6%',
    'Jun 2026   $90.00',
  ]);
});

test('parts of NAV that do not add up are said not to', async () => {
  const { say } = await openAppHarness({ answers: { [PATHS.nav]: NAV } });
  expect((await say('/treasury tide nav')).text).not.toContain('⚠');
  const other = await openAppHarness({ answers: { [PATHS.nav]: { ...NAV, nonNativeLpValueUsd: '970000' } } });
  expect((await other.say('/treasury tide nav')).text).toMatch(/⚠ .+\$5\.77M.+\$5\.87M/u);
});

test('one wrong part of NAV is one warning about it, and none about a NAV/share that agrees with the NAV shown', async () => {
  const warnings = async (parts: Readonly<Record<string, unknown>>) => {
    const { say } = await openAppHarness({ answers: { [PATHS.nav]: { ...NAV, adjustedSupply: '8264760.34', ...parts } } });
    return (await say('/treasury tide nav')).text.split('\n').filter((row) => row.startsWith('⚠'));
  };
  expect(await warnings({ nonNativeLpValueUsd: '970000' })).toEqual([expect.stringMatching(/^⚠ NAV .+\$5\.77M.+\$5\.87M/u)]);
  expect(await warnings({ netAssetValueUsd: '6766000' })).toEqual([expect.stringMatching(/^⚠ NAV .+\$6\.77M/u)]);
  expect(await warnings({ nonNativeTreasuryValueUsd: '1000000' })).toHaveLength(1);
  expect(await warnings({ navPerAdjustedShare: '0.9' })).toEqual([expect.stringMatching(/^⚠ NAV\/share .+\$0\.9000/u)]);
});

test('the runway view shows it with and without liquidity', async () => {
  const { say } = await openAppHarness({ answers: { [PATHS.runway]: { monthOfRunway: '57.66', spendingLimit: 100000 } } });
  expect((await say('/treasury tide runway')).text).toContain('With LP 57.7 mo · without LP n/a · allowance $100K a month');
});

test('every view of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const view of ['summary', 'holdings', 'history', 'nav', 'runway'])
    for (const slug of ['tide', 'lark-hollow', 'birch-brine']) {
      const { reply, text } = await say(`/treasury ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).toContain('Updated 12:00 UTC');
      expect(text).not.toMatch(/undefined|NaN|\[object/u);
    }
});

test('history and holdings carry a picture; the own token is no part of the ring', async () => {
  const { say } = await openAppHarness();
  expect((await say('/treasury tide history')).reply.chart).toMatchObject({ kind: 'xy', series: [{ name: 'treasury', unit: 'usd' }] });
  const { chart } = (await say('/treasury tide holdings')).reply;
  if (chart?.kind !== 'shares') throw new Error('the holdings have no ring');
  expect(chart.parts.length).toBeGreaterThan(1);
  expect(chart.parts.map(({ name }) => name)).not.toContain('TIDE');
});
