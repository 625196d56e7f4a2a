/** What a proposal's operations may send, since nothing of it is shown: each case is read by the real client from a real answer. */
import { describe, expect, test } from 'vitest';
import {
  proposalFlow,
  proposalMarket,
  proposalOrders,
  proposalOrdersCsv,
  proposalPassEdge,
  proposalPrices,
  proposalStatus,
  proposalThreshold,
  proposalTraders,
} from '../../../src/analytics/endpoints/proposals-market.js';
import { answerWith, connect, reply, serve } from '../../support/service.js';

const KEY = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const AT = 1795165200;
const one = { publicKey: KEY };
const serviceWith = async (data: unknown) => {
  const service = await serve((asked) => answerWith(asked, data));
  return { ...(await connect(service.url)), service };
};

test.each(['filter', 'analytics', 'comparable', '..', KEY.slice(3)])('"%s" is no public key and is never asked for', async (publicKey) => {
  const { analytics, service } = await serviceWith([]);
  await expect(analytics.call(proposalOrders, { publicKey })).rejects.toThrow('not 32 bytes of base58');
  expect(service.asked).toEqual([]);
});

test('an interval that the interface does not name is refused before any call', async () => {
  const { analytics, service } = await serviceWith([]);
  await expect(analytics.call(proposalFlow, { publicKey: KEY, timeInterval: JSON.parse('"2h"') })).rejects.toThrow();
  expect(service.asked).toEqual([]);
});

describe('orders', () => {
  test('have words in upper case, times in seconds, and prices and transactions that may be null', async () => {
    const trade = {
      marketType: 'PASS',
      direction: 'SELL',
      price: null,
      size: '10',
      value: 6.2,
      timeStamp: AT,
      txHash: null,
      trader: 'Ada',
    };
    const { analytics } = await serviceWith([trade, { ...trade, timeStamp: null }]);
    const { data } = await analytics.call(proposalOrders, one);
    expect(data).toMatchObject({
      rows: [{ market: 'pass', direction: 'sell', price: undefined, size: '10', value: '6.2', at: AT * 1_000, wallet: 'Ada' }],
      broken: 1,
    });
  });

  test('come as a file too, without an envelope; a page of HTML is none', async () => {
    const file = await serve((asked) => reply(asked, 'marketType,value\nPASS,1.5\n', { headers: { 'content-type': 'text/csv' } }));
    const { analytics } = await connect(file.url);
    expect((await analytics.call(proposalOrdersCsv, one)).data).toEqual({ columns: ['marketType', 'value'], records: [['PASS', '1.5']] });
    const html = await serve((asked) => reply(asked, '<html>sorry</html>'));
    await expect((await connect(html.url)).analytics.call(proposalOrdersCsv, one)).rejects.toMatchObject({ trouble: 'malformed' });
    const poor = await serve((asked) => reply(asked, '{}', { status: 403 }));
    await expect((await connect(poor.url)).analytics.call(proposalOrdersCsv, one)).rejects.toMatchObject({ trouble: 'forbidden' });
  });
});

test('traders are bare text, or objects that name them in some way', async () => {
  const { analytics } = await serviceWith({ traders: ['Ada', { walletAddress: 'Bob' }, { address: 'Eve' }, '', {}, null] });
  expect((await analytics.call(proposalTraders, one)).data).toEqual({ rows: ['Ada', 'Bob', 'Eve'], broken: 3 });
});

describe('prices', () => {
  test('are numbers or candles, and an average that is not there yet is unknown', async () => {
    const { analytics } = await serviceWith({
      preTwap: true,
      prices: [
        {
          timestamp: AT,
          spotPrice: '0.6',
          approvedPrice: { open: 1, high: 2, low: 0.5, close: '0.65' },
          rejectedPrice: 0.6,
          approvedTwap: null,
        },
      ],
    });
    expect((await analytics.call(proposalPrices, one)).data.rows).toMatchObject([
      { at: AT * 1_000, spot: '0.6', pass: '0.65', fail: '0.6', passTwap: undefined, failTwap: undefined },
    ]);
  });

  test('may be none at all', async () => {
    expect((await (await serviceWith({ preTwap: [], prices: [] })).analytics.call(proposalMarket, one)).data.passPrice).toBeUndefined();
    expect((await (await serviceWith({ prices: [] })).analytics.call(proposalPrices, one)).data).toEqual({ rows: [], broken: 0 });
  });
});

test.each([['3'], [3], ['-3.5']])('a threshold of %s stands beside its points, as text or number', async (threshold) => {
  const { analytics } = await serviceWith({ preTwap: false, threshold, chartData: [{ timestamp: AT, value: '2.5' }, 'broken'] });
  const { data } = await analytics.call(proposalThreshold, { publicKey: KEY, timeInterval: '1h' });
  expect(data).toEqual({ threshold: String(threshold), rows: [{ at: AT * 1_000, edge: '2.5' }], broken: 1 });
});

test('the final edge of a proposal that is not over is unknown, whether it is null or the whole answer is', async () => {
  for (const data of [null, { finalPassEdge: null, classification: null }, {}])
    expect((await (await serviceWith(data)).analytics.call(proposalPassEdge, one)).data).toMatchObject({
      edge: undefined,
      classification: undefined,
    });
  const over = await serviceWith({ passEdge: '-0.4', outcomeClassification: 'narrow fail' });
  expect((await over.analytics.call(proposalPassEdge, one)).data).toMatchObject({ edge: '-0.4', classification: 'narrow fail' });
});

test("status carries a proposal's words, dates and stake; a threshold in basis points is percent", async () => {
  const { analytics } = await serviceWith({ proposal: { state: 'draft', stakedAmount: 5, requiredStake: '10', passThresholdBps: -300 } });
  expect((await analytics.call(proposalStatus, one)).data).toMatchObject({
    status: 'draft',
    staked: '5',
    stakeNeeded: '10',
    threshold: '-3',
  });
});
