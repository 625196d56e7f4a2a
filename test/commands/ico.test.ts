import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const DETAILS = '/v1/project-overview/ico-details';
const STATS = '/v1/project-overview/ico-contributor';
const CHART = '/v1/project-overview/ico-contributor/chart';
const OTHERS = '/v1/project-overview/ico-contributor/ico-list';
const INVESTORS = '/v1/project-overview/ico-contributor/investors';
const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

const details = {
  icoPrice: '0.3',
  unixTimestampStarted: Date.parse('2026-11-01T12:00:00Z') / 1_000,
  secondsForLaunch: 345_600,
  totalSupply: '12900000',
  icoSupply: 10_000_000,
};
const stats = {
  totalContributors: 10_518,
  totalTransactions: 12_001,
  totalQuoteAmount: '154900000',
  averageContribution: '14727.13',
  medianContribution: '250',
  committedAmount: '154900000',
  minimumRaiseAmount: '750000',
  fundsAccepted: '3000000',
};

test('the terms say what was raised against the minimum, and how far it was oversubscribed', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: { [DETAILS]: details, [STATS]: stats } });
  const { text, reply } = await say('/ico tide');
  expect(text.split('\n').slice(0, 4)).toEqual([
    "TIDE's ICO raised $3.00M at $0.3000 per token, 51.6x oversubscribed",
    'ICO price $0.3000 · sold 10M TIDE (77.5%) · total supply 12.9M',
    'Minimum $750K · committed $155M · accepted $3.00M (1.9%) · vs minimum 400% · contributors 10.5K',
    'Started Nov 1, 12:00 UTC · ended Nov 5, 12:00 UTC · open for 4 d',
  ]);
  expect(text).not.toContain('⚠');
  expect(await deadButtons(reply)).toEqual([]);
});

test('while nothing is accepted the raise is what is committed, and nothing is called oversubscribed', async () => {
  const { say } = await openAppHarness({
    answers: { [DETAILS]: details, [STATS]: { ...stats, fundsAccepted: null, committedAmount: '300000' } },
  });
  const { text } = await say('/ico tide');
  expect(text).toMatch(/^TIDE's ICO: \$300K committed at \$0\.3000 /u);
  expect(text).toContain('accepted n/a · vs minimum 40.0%');
  expect(text).not.toContain('oversubscribed');
});

test('rounding is no demand, and a price that does not follow from the raise is said not to', async () => {
  const answers = { [DETAILS]: { ...details, icoPrice: '0.5' }, [STATS]: { ...stats, committedAmount: '3200000' } };
  const { text } = await (await openAppHarness({ answers })).say('/ico tide');
  expect(text).not.toContain('oversubscribed');
  expect(text).toMatch(/⚠ .+\$0\.5000.+\$3\.00M for 10M tokens is \$0\.3000/u);
});

test('a part that fails costs itself, and what is not published is n/a', async () => {
  const { say } = await openAppHarness({ answers: { [DETAILS]: {} } });
  const { text } = await say('/ico tide');
  expect(text).toContain('ICO price n/a · sold n/a TIDE · total supply n/a\n⚠ Raise: n/a: no data');
});

test('contributors are counted by the size of what they gave, smallest first', async () => {
  const { say } = await openAppHarness({
    answers: {
      [STATS]: stats,
      [CHART]: { '1000-50000': '2000', '0-1000': '8000', '50000+': '500' },
      [OTHERS]: [{ organization: 'Alder Works' }, { organization: 'Salt Marsh' }],
    },
  });
  const { text, reply } = await say('/ico tide contributors');
  expect(text.split('\n').slice(0, 8)).toEqual([
    "10,518 wallets contributed to TIDE's ICO, median $250.00",
    'Contributed $155M · average $14.7K · median $250.00 · transactions 12K',
    'Contributed  Wallets  Share',
    '$0–1K          8,000  76.2%',
    '$1K–50K        2,000  19.0%',
    '$50K+            500   4.8%',
    '⚠ 10,500 wallets by range, but 10,518 wallets in the statistics.',
    'Also joined: Alder Works, Salt Marsh',
  ]);
  expect(reply.chart).toMatchObject({
    title: '8,000 of 10,500 wallets contributed less than $1K',
    categories: ['$0–1K', '$1K–50K', '$50K+'],
    series: [
      {
        unit: 'count',
        points: [
          [0, 8_000],
          [1, 2_000],
          [2, 500],
        ],
      },
    ],
  });
});

test('what investors gave spans all ICOs, and the reply says so', async () => {
  const row = { funderAddr: WALLET, totalContribution: 25_000, organizations: ['Tidewater', 'Alder Works', 'Salt Marsh', 'Heron Flats'] };
  const { say, deadButtons } = await openAppHarness({ answers: { [INVESTORS]: { data: [row], meta: { totalItems: 31 } } } });
  const { text, reply } = await say('/ico tide investors');
  expect(text.split('\n').slice(0, 4)).toEqual([
    "31 wallets invested in TIDE's ICO, page 1 of 4",
    'Wallet     All ICOs  ICOs',
    '7Hq2…x9Pd    $25.0K  Tidewater, Alder Works, Salt Marsh and 1 more',
    'Amounts cover all ICOs of a wallet, not only this one.',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
  expect(reply.actions.map(({ line }) => line)).toEqual(expect.arrayContaining(['/ico tide investors 2', `/wallet ${WALLET} icos`]));
});

test('every view of the simulated service answers without a contradiction, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const slug of ['tide', 'cinder-quay', 'spindrift'])
    for (const view of ['terms', 'contributors', 'investors', 'investors 3']) {
      const { reply, text } = await say(`/ico ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).not.toMatch(/undefined|NaN|\[object|⚠/u);
    }
});
