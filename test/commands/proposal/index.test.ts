import { expect, test } from 'vitest';
import { HOUR } from '../../../src/base/clock.js';
import { openAppHarness } from '../../support/app-harness.js';

const KEY = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const OTHER = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const LIST = '/v1/proposal';
const page = (suffix = '', key = KEY): string => `${LIST}/${key}${suffix}`;
const aspect = (suffix: string): string => `${LIST}/analytics/${KEY}/${suffix}`;

const audit = {
  id: 1,
  publicKey: KEY,
  title: 'Fund the second audit',
  organizationSlug: 'tide',
  organizationName: 'Tidewater',
  status: 'live',
  startDate: '2026-11-19T09:00:00Z',
  twapStartDate: '2026-11-20T09:00:00Z',
  endDate: '2026-11-20T23:00:00Z',
  passEdge: '2.1',
  passedThresholdBps: 150,
  totalUniqueTraders: 42,
  totalTradeVolume: '18300',
  totalTrade: 120,
  stakedAmount: '500000',
  requiredStake: '500000',
};
const older = { ...audit, id: 2, publicKey: OTHER, status: 'resolved', result: 'approved', endDate: '2026-10-02T00:00:00Z', passEdge: 2.4 };

const VIEWS = [
  ...['summary', 'status', 'market', 'price', 'threshold', 'flow', 'strength', 'traders', 'frequency', 'orders', 'conviction', 'against'],
  ...['orders-csv', 'traders-csv', 'volume-csv'],
];

test('the stages of a proposal that are past are in the past tense', async () => {
  const { say } = await openAppHarness({ answers: { [page()]: audit, [page('/proposal-for-chart')]: audit } });
  const { text } = await say(`/proposal ${KEY} status`);
  expect(text).toMatch(/Trading started Nov 19.*\n.*TWAP window opened 09:00 UTC\n.*Ends 23:00 UTC/u);
});

test('a live proposal says first whether it would pass, and by how much', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: { [page()]: audit } });
  const { text, reply } = await say(`/proposal ${KEY}`);
  expect(reply.tone).toBe('live');
  expect(text.split('\n').slice(0, 4)).toEqual([
    expect.stringMatching(/^● Passing by 0\.6 pts: .+ \(Tidewater\)$/u),
    'Ends 23:00 UTC · TWAP window opened 09:00 UTC',
    'Pass edge +2.1% · needs +1.5%',
    'Volume $18.3K · trades 120 · traders 42 · stake 500K of 500K',
  ]);
  expect(text).toContain('Updated 12:00 UTC');
  expect(await deadButtons(reply)).toEqual([]);
});

test('an edge that only reaches its threshold would fail, and a negative threshold is beaten from below zero', async () => {
  const even = await openAppHarness({ answers: { [page()]: { ...audit, passEdge: 1.5 } } });
  expect((await even.say(`/proposal ${KEY}`)).text).toMatch(/^● Failing by 0 pts: /u);
  const sponsored = await openAppHarness({ answers: { [page()]: { ...audit, passEdge: '-1.2', passedThresholdBps: -300 } } });
  expect((await sponsored.say(`/proposal ${KEY}`)).text).toMatch(/^● Passing by 1\.8 pts: /u);
});

test('a resolved one has the final edge of its own operation, whatever its page says', async () => {
  const over = { ...audit, status: 'resolved', result: 'rejected', passEdge: 2.1 };
  const edge = { finalPassEdge: '-0.4', threshold: '1.5', classification: 'narrow fail' };
  const { say } = await openAppHarness({ answers: { [page()]: over, [page('/pass-edge')]: edge } });
  const { text } = await say(`/proposal ${KEY}`);
  expect(text).toMatch(/^○ Failed by 1\.9 pts: /u);
  expect(text).toContain('pass edge −0.40% · needs +1.5% · result narrow fail');
});

test('a decided one says how the price moved since, where that was read before, and asks nothing for it', async () => {
  const over = { ...audit, status: 'resolved', result: 'approved', endDate: '2026-11-18T12:00:00Z' };
  const day = (date: string, tokenPrice: string) => ({ timestamp: `${date}T10:00:00Z`, tokenPrice, navPerAdjustedShare: '1' });
  const { say } = await openAppHarness({
    answers: {
      [page()]: over,
      '/v1/dao/treasury/nav-as-chart': [day('2026-11-17', '0.4'), day('2026-11-18', '0.5'), day('2026-11-20', '0.515')],
    },
  });
  // It is there to be asked for, and is not.
  expect((await say(`/proposal ${KEY}`)).text).not.toContain('Since the result');
  await say('/premium tide ALL');
  expect((await say(`/proposal ${KEY}`)).text).toMatch(
    /^Since the result: price \+3\.0% in 2 d \(\$0\.5000 at Nov 18, 10:00 UTC, \$0\.5150 at 10:00 UTC\)$/mu,
  );
});

test('what a proposal does not say is n/a and never 0', async () => {
  const { say } = await openAppHarness({ answers: { [page()]: { publicKey: KEY, status: 'Hibernating' } } });
  const { text } = await say(`/proposal ${KEY}`);
  expect(text).toMatch(/^○ State "Hibernating": Proposal 9xQe…VFin\n/u);
  expect(text).toContain('Pass edge n/a · needs n/a\nVolume n/a · trades n/a · traders n/a · stake n/a');
});

test('words of a title find it within its project, in any order and case; half a word is enough', async () => {
  const answers = { [LIST]: [audit, { ...older, title: 'Open a branch' }], [page()]: audit };
  const { say } = await openAppHarness({ answers });
  for (const words of ['fund the second audit', 'AUDIT second', 'aud'])
    expect((await say(`/proposal tide ${words}`)).text).toMatch(/^● .+: "Fund the second audit"/u);
});

test('where several match each has a button with its day, and one of them is the answer', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: { [LIST]: [audit, older], [page()]: audit, [page('', OTHER)]: older } });
  const { text, reply } = await say('/proposal tide audit price');
  expect(text).toMatch(/^⚠ 2 proposals .+ "audit"/u);
  expect(reply.actions.map(({ line }) => line)).toEqual([`/proposal ${KEY} price`, `/proposal ${OTHER} price`, '/proposals tide']);
  expect(reply.actions[1]?.label).toContain('Oct 2');
  expect(await deadButtons(reply)).toEqual([]);
});

test('a word of the title that is also the name of a view still finds it', async () => {
  const named = { ...audit, title: 'Raise the minimum price' };
  const { say } = await openAppHarness({ answers: { [LIST]: [named, { ...older, title: 'Raise the minimum stake' }], [page()]: named } });
  expect((await say('/proposal tide raise the minimum price')).text).toMatch(/^● .+: "Raise the minimum price"/u);
  expect((await say('/proposal tide "raise the minimum price"')).text).toMatch(/^● .+: "Raise the minimum price"/u);
});

test('a project alone means its live proposal; without one there is a choice, and none is said so', async () => {
  const answers = { [LIST]: [older, audit], [page()]: audit };
  expect((await (await openAppHarness({ answers })).say('/proposal tide')).text).toMatch(/^● .+: "Fund the second audit"/u);
  const quiet = await openAppHarness({ answers: { [LIST]: [older, { ...older, publicKey: KEY }] } });
  expect((await quiet.say('/proposal tide')).text).toContain('Which proposal of Tidewater?');
  const none = await openAppHarness({ answers: { [LIST]: [] } });
  expect((await none.say('/proposal tide')).text).toContain('Tidewater has no proposals.');
});

test('a title without a project is looked for everywhere, and a wrong project still gets its nearest', async () => {
  const hits = { projects: [], proposals: [{ proposalTitle: audit.title, proposalPublicKey: KEY, organizationSlug: 'tide' }] };
  const { say, directory } = await openAppHarness({ answers: { '/v1/global-dashboard/search': hits, [page()]: audit } });
  await directory.refresh();
  expect((await say('/proposal fund the second audit')).text).toMatch(/^● .+: "Fund the second audit"/u);
  expect((await say('/proposal fund')).text).toMatch(/^● .+: "Fund the second audit"/u);
  expect((await say('/proposal tidewtaer')).text).toMatch(/^⚠ .+"tidewtaer".+ tide \(Tidewater\)\?/u);
  expect((await say('/proposal tidewtaer zebra')).text).toMatch(/^⚠ .+"tidewtaer".+ tide \(Tidewater\)\?/u);
});

test('a title the plan hides is found in the list that has no pages', async () => {
  const answers = {
    [LIST]: { data: [older], meta: { totalItems: 40 } },
    [`${LIST}/filter`]: [{ id: 1, publicKey: KEY, title: 'Lost & found' }],
    [page()]: { ...audit, title: 'Lost & found' },
  };
  expect((await (await openAppHarness({ answers })).say('/proposal tide lost')).text).toMatch(/^● .+: "Lost & found"/u);
});

test('a key that is none is refused before any call, and one that nobody knows is said so', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say(`/proposal ${KEY}x`)).text).toMatch(/^⚠ .+not a proposal's public key/u);
  expect((await say(`/proposal ${KEY}`)).text).toContain('No proposal with that public key');
});

test('prices include the average that pass needs; the chart has the window, and gaps stay gaps', async () => {
  const prices = [
    { timestamp: 1795165200, spotPrice: '0.62', approvedPrice: '0.64', rejectedPrice: '0.60', approvedTwap: null, rejectedTwap: null },
    {
      timestamp: 1795168800,
      spotPrice: 0.63,
      approvedPrice: { open: 1, close: '0.65' },
      rejectedPrice: '0.60',
      approvedTwap: '0.612',
      rejectedTwap: '0.6',
    },
  ];
  const { say } = await openAppHarness({ answers: { [page()]: audit, [page('/price-chart')]: { preTwap: false, prices } } });
  const { text, reply } = await say(`/proposal ${KEY} price`);
  expect(text).toMatch(/^▲ .+pass trades 8\.3% above fail/u);
  expect(text).toMatch(/Pass TWAP \$0\.6120 · fail TWAP \$0\.6000 · .+ \$0\.6090 · pass edge \+2\.0%/u);
  const { chart } = reply;
  if (chart?.kind !== 'xy') throw new Error('no picture over time');
  expect(chart.spans).toEqual([{ name: 'TWAP window', from: Date.parse(audit.twapStartDate), to: Date.parse(audit.endDate) }]);
  expect(chart.series.map(({ name, points }) => [name, points[0]?.[1], points[1]?.[1]])).toEqual([
    ['pass', 0.64, 0.65],
    ['fail', 0.6, 0.6],
    ['pass TWAP', null, 0.612],
    ['threshold (fail TWAP +1.5%)', null, 0.609],
  ]);
});

test('the threshold is shown in points above or below, and drawn as a line', async () => {
  const points = [
    { timestamp: 1795168800, twapPassEdge: 4 },
    { timestamp: 1795165200, twapPassEdge: '-1.25' },
  ];
  const { say, deadButtons } = await openAppHarness({
    answers: { [page()]: audit, [page('/threshold-chart')]: { threshold: '3', chartData: points } },
  });
  const { text, reply } = await say(`/proposal ${KEY} threshold 4h`);
  expect(text).toMatch(/^▲ Passing by 1\.0 pts: .+\+4\.0% \(needs \+3\.0%\)/u);
  expect(text).toContain('lowest −1.3% · highest +4.0%');
  expect(reply.chart).toMatchObject({
    levels: [{ value: 3 }],
    series: [
      {
        points: [
          [1795165200000, -1.25],
          [1795168800000, 4],
        ],
      },
    ],
  });
  expect(reply.actions.filter(({ on }) => on).map(({ label }) => label)).toEqual(['4h', 'Threshold']);
  expect(await deadButtons(reply)).toEqual([]);
});

test('numbers of names nobody knows are shown under their words rather than nothing', async () => {
  const { say } = await openAppHarness({
    answers: { [page()]: audit, [aspect('trade-overview')]: { crowd: { whaleCount: 7 } }, [`${LIST}/filter/${KEY}/traders`]: [] },
  });
  expect((await say(`/proposal ${KEY} traders`)).text).toContain('crowd, whale count 7');
});

test('one part that is missing does not hide the other', async () => {
  const { say } = await openAppHarness({ answers: { [page()]: audit, [`${LIST}/filter/${KEY}/traders`]: [{ wallet: OTHER }, {}] } });
  const { text, reply } = await say(`/proposal ${KEY} traders`);
  expect(text).toContain('1 trader');
  expect(text).toContain(OTHER);
  expect(text).toMatch(/⚠ 1 row /u);
  expect(reply.actions[0]?.line).toBe(`/wallet ${OTHER}`);
});

test('each trader has its volume, the largest first, added up from the trades', async () => {
  const trade = (trader: string, usdValue: string, signature: string) => ({
    trader,
    usdValue,
    signature,
    timestamp: 1795165200,
  });
  const LAST = '4Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
  const answers = {
    [page()]: audit,
    [`${LIST}/filter/${KEY}/traders`]: [LAST, KEY, OTHER],
    [page('/orders')]: [trade(KEY, '250.5', 'a'), trade(OTHER, '1000', 'b'), trade(OTHER, '500', 'b'), trade(KEY, '100', 'c')],
  };
  const { text } = await (await openAppHarness({ answers })).say(`/proposal ${KEY} traders`);
  expect(text.split('\n').filter((line) => [KEY, OTHER, LAST].some((wallet) => line.includes(wallet) && !line.startsWith('[')))).toEqual([
    `${OTHER} · $1.50K in 2 trades`,
    `${KEY} · $350.50 in 2 trades`,
    LAST,
  ]);
});

test('volumes from a part of the trades say of how many, and without trades they say why', async () => {
  const orders = { data: [{ trader: OTHER, usdValue: '1000', signature: 'b' }], meta: { totalItems: 40 } };
  const answers = { [page()]: audit, [`${LIST}/filter/${KEY}/traders`]: [OTHER] };
  const part = await (await openAppHarness({ answers: { ...answers, [page('/orders')]: orders } })).say(`/proposal ${KEY} traders`);
  expect(part.text).toContain('Volumes are of the 1 trade that could be read.');
  expect((await (await openAppHarness({ answers })).say(`/proposal ${KEY} traders`)).text).toContain('Volumes: n/a');
});

test('against others, a metric without a median to compare with says so', async () => {
  const metrics = [
    { metric: 'totalVolume', value: '150', median: '100' },
    { metric: 'passEdge', value: '-4', median: '2' },
    { metric: 'traders', value: 9, median: 0 },
  ];
  const answers = { [page()]: audit, [`${LIST}/comparable/${KEY}/proposal-metrics-chart`]: { metrics } };
  const { text } = await (await openAppHarness({ answers })).say(`/proposal ${KEY} against`);
  expect(text).toContain('total volume at 150% of the median');
  expect(text).toMatch(/pass edge +−4 +2 +n\/a/u);
  expect(text).toMatch(/traders +9 +0 +n\/a/u);
});

test('a file contains the list unchanged, and a plan without exports says so', async () => {
  const rich = await openAppHarness();
  const live = (await rich.say('/proposals')).reply.actions[0]?.line.split(' ')[1] ?? '';
  const { reply, text } = await rich.say(`/proposal ${live} orders-csv`);
  const count = Number(/([\d,]+) records/u.exec(text)?.[1]?.replace(',', ''));
  expect(reply.files).toMatchObject([{ name: `trades-${live}.csv`, type: 'text/csv' }]);
  expect(reply.files[0]?.text.trimEnd().split('\n')).toHaveLength(count + 1);
  expect((await rich.say(`/proposal ${live} orders`)).text).toContain(`: ${count} trades`);
  const poor = await openAppHarness({ plan: { exports: false } });
  for (const view of ['orders-csv', 'traders-csv', 'volume-csv'])
    expect((await poor.say(`/proposal ${live} ${view}`)).text).toMatch(/^⚠ .+exports/u);
});

test('every view of a draft, a live, a decided and a removed proposal answers, and every button leads on', async () => {
  const { say, sim, clock, deadButtons } = await openAppHarness();
  for (const [title, outcome] of [
    ['Draft one', 'passed'],
    ['Live one', 'passed'],
    ['Decided one', 'failed'],
    ['Removed one', 'removed'],
  ] as const)
    await sim({
      kind: 'proposal',
      project: 'glass-pier',
      title,
      outcome,
      draftSeconds: title === 'Draft one' ? 90_000 : 60,
      liveSeconds: title === 'Live one' ? 90_000 : 3_600,
    });
  await clock.advance(9 * HOUR);
  for (const title of ['Draft one', 'Live one', 'Decided one', 'Removed one']) {
    const found = await say(`/proposal glass-pier "${title}"`);
    expect(found.text).toContain(`"${title}"`);
    const key = found.reply.actions[0]?.line.split(' ')[1] ?? '';
    for (const view of VIEWS) {
      const { reply, text } = await say(`/proposal ${key} ${view}`);
      expect([view, await deadButtons(reply), text.match(/undefined|NaN|\[object|Infinity/u)]).toEqual([view, [], null]);
      expect([title, view, reply.asOf !== undefined ? '' : text]).toEqual([title, view, '']);
    }
  }
});
