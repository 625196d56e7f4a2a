/** What a treasury consists of, and where a project's own token lies. */
import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const PATHS = {
  brief: '/v1/dao/asset-allocation-breakdown',
  full: '/v1/dao/list-asset-allocation-breakdown',
  native: '/v1/dao/native-token-accounts',
  active: '/v1/account/active',
};
const CATEGORIES = [
  { name: 'Liquidity', value: '250' },
  {
    name: 'Reserves',
    value: '750',
    accountCount: 3,
    accounts: [{ name: 'Main', value: '750' }],
    tokens: [{ symbol: 'USDC', amount: '750', value: '750' }],
  },
];

test('the allocation is sorted largest first, with the contents of each part and a chart', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: { [PATHS.full]: { totalValue: '1000', categories: CATEGORIES } } });
  const { text, reply } = await say('/treasury tide allocation');
  expect(text.split('\n').slice(0, 5)).toEqual([
    "Tidewater's treasury: $1.00K, 75.0% in Reserves",
    'Reserves $750.00 (75.0%)',
    '  750 USDC ($750.00) · in Main and 2 other accounts',
    'Liquidity $250.00 (25.0%)',
    "The project's own token is not included.",
  ]);
  expect(reply.chart).toMatchObject({
    kind: 'shares',
    parts: [
      { name: 'Reserves', value: 750 },
      { name: 'Liquidity', value: 250 },
    ],
  });
  expect(await deadButtons(reply)).toEqual([]);
});

test('without the details the categories alone are shown, and parts that do not add up are said not to', async () => {
  const { say } = await openAppHarness({
    answers: { [PATHS.brief]: { totalValue: '2000', categories: CATEGORIES.map(({ name, value }) => ({ name, value })) } },
  });
  const { text } = await say('/treasury tide allocation');
  expect(text).toContain("Tidewater's treasury: $2.00K, 37.5% in Reserves");
  expect(text).toMatch(/⚠ .+\$2\.00K.+\$1\.00K/u);
  const none = await openAppHarness({ answers: { [PATHS.full]: { totalValue: null, categories: [] } } });
  expect((await none.say('/treasury tide allocation')).text).toContain('Tidewater: no allocation published');
});

const NATIVE = {
  token: { symbol: 'TIDE', baseMint: 'TideMint' },
  totalAmount: '4000000',
  totalValue: '2.5',
  accountCount: 2,
  accounts: [
    { name: 'Main', amount: '1000000', value: '0.62' },
    { name: 'Package', amount: '3000000', value: '1.88' },
  ],
};

test('raw amounts of the own token are scaled where an account tells the decimals', async () => {
  const active = { totalValue: 0, accounts: [{ id: 1, tokens: [{ symbol: 'TIDE', address: 'TideMint', decimals: 6 }] }] };
  const { say } = await openAppHarness({ answers: { [PATHS.native]: NATIVE, [PATHS.active]: active } });
  const { text } = await say('/treasury tide native');
  expect(text).toMatch(/^Tidewater holds 4 TIDE itself \(\$2\.50, not in NAV\) in 2 accounts/u);
  expect(text).toMatch(/Package +75\.0% +3 +\$1\.88\nMain +25\.0% +1 +\$0\.62/u);
});

test('without decimals only shares are shown, never a raw amount', async () => {
  for (const active of [{ accounts: [{ id: 1, tokens: [{ symbol: 'TIDE', address: 'Another', decimals: 9 }] }] }, undefined]) {
    const { say } = await openAppHarness({
      answers: { [PATHS.native]: NATIVE, ...(active === undefined ? {} : { [PATHS.active]: active }) },
    });
    const { text } = await say('/treasury tide native');
    expect(text).toMatch(/^Tidewater holds TIDE itself .+ in 2 accounts/u);
    expect(text).toContain('Only shares are shown');
    expect(text).not.toMatch(/[134],?000,?000|[34] M/u);
  }
});

test('both views of the simulated service answer, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const view of ['allocation', 'native'])
    for (const slug of ['tide', 'lark-hollow', 'cinder-quay', 'spindrift']) {
      const { reply, text } = await say(`/treasury ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).not.toMatch(/undefined|NaN|\[object/u);
    }
});
