/** The traps of the operations about holders and tokenomics, read by the real client from real answers. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  performancePackage,
  tokenDistribution,
  tokenHolders,
  trancheLadder,
  unlockSchedule,
} from '../../../src/analytics/endpoints/holders.js';
import { answerWith, connect, serve, tide } from '../../support/service.js';

const MINT = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

const serviceWith = async (data: unknown, meta?: unknown) => {
  const service = await serve((asked) => answerWith(asked, data, meta));
  return { ...(await connect(service.url)), service };
};

test('holders are asked for by the mint; a slug is refused before it costs a call', async () => {
  const { analytics, service } = await serviceWith([{ owner: 'w1', balance: '5', percentageOfTotalSupply: '50', rank: 1 }], {
    totalItems: 1,
  });
  await analytics.call(tokenHolders, { baseMint: MINT });
  expect(service.asked.map(({ query }) => Object.fromEntries(query))).toEqual([{ baseMint: MINT }]);
  await expect(analytics.call(tokenHolders, { baseMint: 'tide' })).rejects.toThrow(z.ZodError);
  await expect(analytics.call(tokenHolders, JSON.parse('{"slug":"tide"}'))).rejects.toThrow(z.ZodError);
  expect(service.asked).toHaveLength(1);
});

test('balances are for people, raw amounts of the distribution are not, and nobody promises their decimals', async () => {
  const categories = [
    { allocation: 'Team', amount: '2400000000000123456789', percentage: '18.6' },
    7,
    { allocation: 'Public', amount: null },
  ];
  const { analytics } = await serviceWith({ totalSupply: 12_900_000, categories });
  expect((await analytics.call(tokenDistribution, tide)).data).toEqual({
    totalSupply: '12900000',
    categories: [
      { name: 'Team', raw: 2_400_000_000_000_123_456_789n, share: '18.6' },
      { name: 'Public', raw: undefined, share: undefined },
    ],
    decimals: undefined,
    broken: 1,
  });
  const alerted = await serviceWith({ token: { decimals: '6' }, categories: null });
  expect((await alerted.analytics.call(tokenDistribution, tide)).data.decimals).toBe(6);
});

test('a package with parts that are null has unknown parts, and its cliff is a moment however it is written', async () => {
  const { analytics } = await serviceWith({ totalInPackage: 2_400_000, locked: null, cliff: { timestamp: 1_800_000_000, passed: false } });
  expect((await analytics.call(performancePackage, tide)).data).toMatchObject({
    total: '2400000',
    locked: undefined,
    cliff: { at: 1_800_000_000_000, passed: false, daysRemaining: undefined },
  });
  const byDate = await serviceWith({ cliff: { date: '2027-01-15T08:00:00.000Z' } });
  expect((await byDate.analytics.call(performancePackage, tide)).data.cliff?.at).toBe(Date.parse('2027-01-15T08:00:00Z'));
});

test('a tranche keeps a state that the interface does not state, and the first one has order 0', async () => {
  const { analytics } = await serviceWith([{ order: 0, priceThreshold: '0.6', state: 'napping' }, { state: 'locked' }]);
  expect((await analytics.call(trancheLadder, tide)).data).toMatchObject({
    broken: 1,
    rows: [{ order: 0, threshold: '0.6', state: 'napping' }],
  });
});

test('the schedule stands inside the answer, and a day without a price has none, not 0', async () => {
  const { analytics } = await serviceWith({ scheduleData: [{ date: '2027-01-01', twap: null, cumulativeUnlocked: '480000' }] });
  expect((await analytics.call(unlockSchedule, tide)).data.rows).toEqual([
    { at: Date.UTC(2027, 0, 1), twap: undefined, unlocked: '480000' },
  ]);
});
