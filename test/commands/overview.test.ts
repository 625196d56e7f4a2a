import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const BASE = '/v1/global-dashboard';
const CAPS = `${BASE}/overview/ownership-coins/market-cap-chart`;
const TREASURIES = `${BASE}/overview/ownership-coins/treasury-value-chart`;
const TOTALS = `${BASE}/overview/decision-markets`;
const LIST = `${BASE}/projects-launch`;

const hours = (name: string, values: readonly (readonly [ago: number, value: string])[]) =>
  values.map(([ago, value]) => ({ timestamp: Date.parse('2026-11-20T12:00:00Z') / 1_000 - ago * 3_600, [name]: value }));
const ROWS = [
  { organizationSlug: 'tide', tokenSymbol: 'TIDE', tokenUsdPrice: '0.83', netAssetValue: '1', tokenPriceChangePercentage24h: '-4.5' },
  { organizationSlug: 'heron', tokenSymbol: 'HERN', tokenUsdPrice: '2', netAssetValue: '1', tokenPriceChangePercentage24h: 12 },
  { organizationSlug: 'alder', tokenSymbol: 'ALDR', tokenPriceChangePercentage24h: null },
  { organizationSlug: 'moss', tokenSymbol: 'MOSS', tokenPriceChangePercentage24h: '0' },
];
const answers = {
  [CAPS]: hours('marketCap', [
    [24 * 7, '80000000'],
    [24, '125000000'],
    [0, '100000000'],
  ]),
  [TREASURIES]: hours('totalValue', [
    [24, '50000000'],
    [0, '60000000'],
  ]),
  [TOTALS]: { totalProposals: 12, liveProposals: 2, totalTrades: 900, totalUniqueTraders: 77, totalVolume: '1250000.5' },
  [LIST]: { data: ROWS, meta: { totalItems: 4 } },
};

test('the totals say what everything is worth, how that moved, and what moved most', async () => {
  const { say, deadButtons } = await openAppHarness({ answers });
  const { text, reply } = await say('/overview');
  expect(text.split('\n').slice(0, 6)).toEqual([
    '4 ownership coins are worth $100M, 1 of 2 below NAV',
    'Market cap $100M (−20.0% in 24 h, +25.0% in 7 d) · treasuries $60.0M (+20.0% in 24 h)',
    'Decision markets 2 live of 12 · volume $1.25M · trades 900 · traders 77',
    'Top movers (24 h)',
    '▲ HERN +12.0% · $2.000 · 100% above NAV',
    '▼ TIDE −4.5% · $0.8300 · 17.0% below NAV',
  ]);
  expect(text).toContain('2 projects not counted, because the list has no NAV of ALDR and MOSS. /premium alder shows it');
  expect(await deadButtons(reply)).toEqual([]);
});

test('the picture shows market cap against treasuries', async () => {
  const { say } = await openAppHarness({ answers });
  const { chart } = (await say('/overview')).reply;
  expect(chart).toMatchObject({
    kind: 'xy',
    title: 'All ownership coins: market cap $100M, treasuries $60.0M',
    gap: true,
    series: [
      { name: 'market cap', points: [expect.anything(), expect.anything(), [Date.parse('2026-11-20T12:00:00Z'), 100_000_000]] },
      { name: 'treasuries' },
    ],
  });
  const alone = await openAppHarness({ answers: { ...answers, [TREASURIES]: [] } });
  expect((await alone.say('/overview')).reply.chart).toMatchObject({ gap: false, series: [{ name: 'market cap' }] });
});

test('a part that is missing costs itself, and what is not known did not move', async () => {
  const { say } = await openAppHarness({ answers: { [LIST]: answers[LIST] } });
  const { text, reply } = await say('/overview');
  expect(text).toContain('4 ownership coins, 1 of 2 below NAV');
  expect(text).toContain('Market cap n/a: request rejected');
  expect(text).not.toMatch(/^[▲▼].*(?:ALDR|MOSS)/mu);
  expect(reply.chart).toBeUndefined();
  const other = await openAppHarness({ answers: { [CAPS]: answers[CAPS] } });
  expect((await other.say('/overview')).text).toContain('Ownership coins are worth $100M');
});

test('movers are listed by direction, the most first', async () => {
  const { say } = await openAppHarness({ answers });
  expect((await say('/overview movers')).text).toMatch(/^HERN .+\+12\.0% in 24 h \(1 up, 1 down\)/u);
  expect((await say('/overview movers 1h')).text).toContain('No price changes in 1 h');
});

test('every view of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of ['/overview', '/overview 7d', '/overview movers', '/overview movers 1h', '/overview movers 7d']) {
    const { reply, text } = await say(line);
    expect([line, reply.tone, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, 'plain', [], null]);
    expect(text).toContain('Updated 12:00 UTC');
  }
});
