/** The traps of the operations about ICOs, read by the real client from real answers. */
import { expect, test } from 'vitest';
import { icoContributors, icoDetails, icoInvestors, icoRanges } from '../../../src/analytics/endpoints/ico.js';
import { answerWith, connect, serve, tide } from '../../support/service.js';

const serviceWith = async (data: unknown) => connect((await serve((asked) => answerWith(asked, data))).url);

test('the start is Unix seconds and the length is seconds', async () => {
  const { analytics } = await serviceWith({
    icoPrice: '0.3',
    unixTimestampStarted: 1_763_640_000,
    secondsForLaunch: 345_600,
    icoSupply: 10_000_000,
  });
  expect((await analytics.call(icoDetails, tide)).data).toMatchObject({
    price: '0.3',
    startedAt: 1_763_640_000_000,
    runsFor: 345_600_000,
    icoSupply: '10000000',
    totalSupply: undefined,
  });
});

test('amounts of contributors are for people already, and what is not accepted yet is unknown', async () => {
  const { analytics } = await serviceWith({ totalContributors: '8458', committedAmount: '154900000.5', fundsAccepted: null });
  expect((await analytics.call(icoContributors, tide)).data).toMatchObject({
    contributors: 8_458,
    committed: '154900000.5',
    accepted: undefined,
  });
});

test('ranges come as keys in any order, their counts as text, and a key without an amount is no range', async () => {
  const { analytics } = await serviceWith({
    '5000+': '3',
    '~ 7000': '1',
    total: '56',
    note: 'a word',
    '1,000-5,000': '12',
    '0-1000': 40,
    '9-1': 'many',
  });
  const { ranges, broken } = (await analytics.call(icoRanges, tide)).data;
  expect(ranges.map(({ label, low, high, wallets }) => [label, low, high, wallets])).toEqual([
    ['0-1000', '0', '1000', 40],
    ['1,000-5,000', '1000', '5000', 12],
    ['5000+', '5000', undefined, 3],
    ['~ 7000', undefined, undefined, 1],
  ]);
  expect(broken).toBe(1);
});

test('what an investor gave is shown over all ICOs and is called so', async () => {
  const { analytics } = await serviceWith([
    { funderAddr: 'w1', totalContribution: 2500.5, organizations: ['Tide', 'Alder'], organizationsConcat: 'Tide,Alder' },
    { funderAddr: 'w2', totalContribution: null, organizationsConcat: 'Tide, Heron' },
    { totalContribution: 3 },
  ]);
  expect((await analytics.call(icoInvestors, tide)).data).toEqual({
    broken: 1,
    rows: [
      { address: 'w1', inAllIcos: '2500.5', organizations: ['Tide', 'Alder'] },
      { address: 'w2', inAllIcos: undefined, organizations: ['Tide', 'Heron'] },
    ],
  });
});
