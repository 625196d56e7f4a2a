import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const KEY = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

test("the sums of a project's markets are shown, and missing values are n/a", async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: { '/v1/trading-activity/tide': { totalVolume: '1830000.5', totalTrades: '12043', totalUniqueTraders: 812 } },
  });
  const { text, reply } = await say('/trading tide');
  expect(text).toContain('Tidewater: $1.83M traded');
  expect(text).toContain('Trades 12,043 · traders 812 · proposals n/a · average trade n/a');
  expect(await deadButtons(reply)).toEqual([]);
});

test('sums under names nobody knows are shown under their words', async () => {
  const { say } = await openAppHarness({ answers: { '/v1/trading-activity/tide': { marketDepth: '12' } } });
  expect((await say('/trading tide')).text).toContain('market depth 12');
});

test('trades are shown a page at a time, and lead to their proposals', async () => {
  const trade = { marketType: 'PASS', direction: 'BUY', price: null, size: '10', value: '6.2', timeStamp: 1795165200, txHash: null };
  const { say, deadButtons } = await openAppHarness({
    answers: {
      '/v1/trading-activity/tide/trading-activities': {
        data: [{ ...trade, proposalTitle: 'Fund the second audit', proposalPublicKey: KEY }, { price: 1 }],
        meta: { totalItems: 31 },
      },
    },
  });
  const { text, reply } = await say('/trading tide trades 2');
  expect(text).toContain('Tidewater: 31 decision-market trades, page 2 of 4');
  expect(text).toMatch(/buy pass +n\/a +\$6\.20 +n\/a +Fund the second audit/u);
  expect(text).toMatch(/⚠ 1 row /u);
  expect(reply.actions.slice(0, -1).map(({ line }) => line)).toEqual([
    '/trading tide trades 1',
    '/trading tide trades 3',
    `/proposal ${KEY}`,
    '/trading tide statistics',
    '/trading tide trades',
    '/proposals tide',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('of the simulated service both views answer for every kind of project', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const project of ['tide', 'spindrift', 'cinder-quay', 'quarry-lane'])
    for (const line of [`/trading ${project}`, `/trading ${project} trades`, `/trading ${project} trades 999`]) {
      const { reply, text } = await say(line);
      expect([line, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, [], null]);
    }
});
