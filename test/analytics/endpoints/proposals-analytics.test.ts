/** Shapes that the analytics of a proposal may have, since none is shown. */
import { expect, test } from 'vitest';
import {
  proposalAgainst,
  proposalComparables,
  proposalConviction,
  proposalFrequency,
  proposalStrength,
  proposalTradeOverview,
} from '../../../src/analytics/endpoints/proposals-analytics.js';
import { tradingActivities, tradingStatistics } from '../../../src/analytics/endpoints/trading.js';
import { answerWith, connect, serve } from '../../support/service.js';

const KEY = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const one = { publicKey: KEY };
const serviceWith = async (data: unknown) => {
  const service = await serve((asked) => answerWith(asked, data));
  return { ...(await connect(service.url)), service };
};

test('a histogram is rows, or an object whose names are the ranges', async () => {
  const expected = {
    rows: [
      { range: '1', traders: 29 },
      { range: '2-5', traders: 11 },
    ],
    broken: 0,
  };
  for (const data of [
    [
      { range: 1, traders: '29' },
      { range: '2-5', traders: 11 },
    ],
    {
      histogram: [
        { bucket: '1', count: 29 },
        { bucket: '2-5', count: 11 },
      ],
    },
    { '1': 29, '2-5': '11' },
  ])
    expect((await (await serviceWith(data)).analytics.call(proposalFrequency, one)).data).toEqual(expected);
});

test('pass and fail stand side by side, or each in an object of its own', async () => {
  const expected = { passTraders: 17, failTraders: 34, passVolume: '19022.26', failVolume: '29895.86' };
  for (const data of [
    { passTraders: 17, failTraders: '34', passAlignedVolume: '19022.26', failAlignedVolume: 29895.86 },
    { pass: { traders: 17, volume: '19022.26' }, fail: { traders: 34, volume: '29895.86' } },
  ])
    expect((await (await serviceWith(data)).analytics.call(proposalStrength, one)).data).toMatchObject(expected);
});

test('metrics are rows, or an object whose names they are, each with a value and a median', async () => {
  const expected = { rows: [{ metric: 'volume', value: '150', median: '100' }], broken: 0 };
  for (const data of [{ metrics: [{ metric: 'volume', value: 150, median: '100' }] }, { volume: { value: '150', median: 100 } }])
    expect((await (await serviceWith(data)).analytics.call(proposalAgainst, { ...one, slug: 'tide' })).data).toEqual(expected);
});

test('numbers under unknown names are kept with their words, in their order', async () => {
  const { data } = await (
    await serviceWith({ crowd: { whaleCount: 3, mood: 'calm' }, market_depth: '1e3' })
  ).analytics.call(proposalTradeOverview, one);
  expect(data.traders).toBeUndefined();
  expect(data.all).toEqual([
    { label: 'crowd, whale count', value: '3' },
    { label: 'market depth', value: '1000' },
  ]);
});

test('an hour without a value stays a gap', async () => {
  const { analytics } = await serviceWith([
    { timestamp: 1795165200, netPassFlow: null },
    { timestamp: 1795168800, netPassFlow: 0 },
  ]);
  expect((await analytics.call(proposalConviction, one)).data.rows.map(({ net }) => net)).toEqual([undefined, '0']);
});

test('a comparison names its project in the query, and comparables are proposals', async () => {
  const { analytics, service } = await serviceWith([{ publicKey: KEY, title: 'Pay', twapMargin: '-0.9' }]);
  expect((await analytics.call(proposalComparables, { slug: 'tide' })).data.rows).toMatchObject([{ publicKey: KEY, margin: '-0.9' }]);
  await analytics.call(proposalAgainst, { ...one, slug: 'tide' }).catch(() => undefined);
  expect(service.asked.map(({ path, query }) => `${path}?${query.toString()}`)).toEqual([
    '/v1/proposal/analytics/proposal-comparables?slug=tide',
    `/v1/proposal/comparable/${KEY}/proposal-metrics-chart?slug=tide`,
  ]);
});

test('the word under which wallets stand is no project', async () => {
  const { analytics, service } = await serviceWith({});
  await expect(analytics.call(tradingStatistics, { daoSlug: 'special-wallet' })).rejects.toThrow('no project');
  await expect(analytics.call(tradingActivities, { daoSlug: 'special-wallet' })).rejects.toThrow('no project');
  expect(service.asked).toEqual([]);
  expect(
    (await (await serviceWith({ totalVolume: '5.5', avgTradeSize: 2 })).analytics.call(tradingStatistics, { daoSlug: 'tide' })).data,
  ).toMatchObject({
    volume: '5.5',
    average: '2',
    trades: undefined,
  });
});
