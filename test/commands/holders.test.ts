import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const HOLDERS = '/v1/project-overview/token-holders';
const DISTRIBUTION = '/v1/project-overview/token-distribution';
const OVERVIEW = '/v1/project-overview';
const METRICS = '/v1/project-overview/market-metrics';
const ACCOUNTS = '/v1/account';
const ACTIVE = '/v1/account/active';
const MINT = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const VAULT = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const OUTSIDER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';

const rows = [
  { owner: OUTSIDER, balance: '1200000.5', percentageOfTotalSupply: '9.3', rank: 2, percentageOfWallet: '88.1' },
  { owner: VAULT, balance: '2400000', percentageOfTotalSupply: '18.6', rank: 1, percentageOfWallet: null },
];
const known = {
  [OVERVIEW]: { baseMint: MINT },
  [HOLDERS]: { data: rows, meta: { totalItems: 812, itemsPerPage: 10, totalPages: 82, currentPage: 1 } },
  [ACCOUNTS]: [{ id: 4, project: 'tide', address: VAULT, name: 'Cold vault' }],
};

test('holders are sorted by rank; those that are the project itself are marked and counted separately', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: known });
  const { text, reply } = await say('/holders tide');
  const lines = text.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'Tidewater has 812 holders, top 2 hold 27.9% of supply',
    'Project accounts 18.6% (1 holder) · others 9.3% (1 holder)',
  ]);
  expect(lines[3]).toMatch(/^ +1 {2}7Hq2…x9Pd \(project: Cold vault\) +2\.4M +18\.6% +n\/a$/u);
  expect(lines[4]).toMatch(/^ +2 {2}4Nd1…DB4T +1\.2M +9\.3% +88\.1%$/u);
  expect(await deadButtons(reply)).toEqual([]);
  // A button points at an outside holder, never at the project's own vault.
  expect(reply.actions.map(({ line }) => line).filter((one) => one.startsWith('/wallet'))).toEqual([`/wallet ${OUTSIDER}`]);
});

test('where accounts are not known nobody is called an outsider', async () => {
  const { say } = await openAppHarness({ answers: { [OVERVIEW]: known[OVERVIEW], [HOLDERS]: known[HOLDERS] } });
  const { text } = await say('/holders tide');
  expect(text).toMatch(/⚠ .+: n\/a: no data/u);
  expect(text).not.toContain('outside');
});

test('the mint is found in the market metrics if the overview has none, and without one no holders are requested', async () => {
  const other = await openAppHarness({ answers: { ...known, [OVERVIEW]: {}, [METRICS]: { baseMint: MINT } } });
  expect((await other.say('/holders tide')).text).toContain('Tidewater has 812 holders');
  const none = await openAppHarness({ answers: { ...known, [OVERVIEW]: {}, [METRICS]: { baseMint: 'not-a-mint' } } });
  const { text } = await none.say('/holders tide');
  expect(text).toContain('Tidewater: no holder data\n');
});

test('an empty page says so', async () => {
  const { say } = await openAppHarness({ answers: { ...known, [HOLDERS]: [] } });
  expect((await say('/holders tide')).text).toContain('Tidewater: no holders listed');
  expect((await say('/holders tide ranking 9')).text).toContain('page 9 is empty');
});

const categories = [
  { allocation: 'Team', amount: '2400000000000', percentage: '20' },
  { allocation: 'Public', amount: '9600000000000', percentage: '80' },
];

test('raw amounts without decimals are left out, and only shares are shown', async () => {
  const { say } = await openAppHarness({ answers: { [DISTRIBUTION]: { totalSupply: 12_000_000, categories } } });
  const { text, reply } = await say('/holders tide distribution');
  expect(text.split('\n').slice(0, 6)).toEqual([
    'TIDE: 80.0% Public, 20.0% Team',
    'Total supply 12M TIDE',
    'Holder  Share',
    'Public  80.0%',
    'Team    20.0%',
    "Only shares are shown: the token's decimals are unknown.",
  ]);
  expect(text).not.toMatch(/2,?400|9,?600|2\.4|9\.6/u);
  expect(reply.chart).toMatchObject({
    kind: 'shares',
    unit: 'percent',
    parts: [
      { name: 'Public', value: 80 },
      { name: 'Team', value: 20 },
    ],
  });
});

test('a total supply that is raw like its parts is left out too', async () => {
  const { say } = await openAppHarness({ answers: { [DISTRIBUTION]: { totalSupply: 12_000_000_000_000, categories } } });
  expect((await say('/holders tide distribution')).text).not.toContain('total supply');
});

test('an account that holds the token tells its decimals, and amounts are shown', async () => {
  const tokens = [
    { symbol: 'USDC', address: 'UsdMint', decimals: 2, amount: '5' },
    { symbol: 'TIDE', address: 'TideMint', decimals: 6, amount: '5' },
  ];
  const { say } = await openAppHarness({
    answers: { [DISTRIBUTION]: { totalSupply: '12000000', categories }, [ACTIVE]: { accounts: [{ id: 1, tokens }] } },
  });
  const { text } = await say('/holders tide distribution');
  expect(text).toContain('Holder  Share  Tokens\nPublic  80.0%    9.6M\nTeam    20.0%    2.4M');
  expect(text).not.toContain('Only shares');
});

test('missing shares are computed from the raw amounts, and incomplete shares are reported', async () => {
  const untold = categories.map(({ allocation, amount }) => ({ allocation, amount }));
  const { say } = await openAppHarness({ answers: { [DISTRIBUTION]: { categories: untold } } });
  expect((await say('/holders tide distribution')).text).toContain('TIDE: 80.0% Public, 20.0% Team');
  const odd = await openAppHarness({ answers: { [DISTRIBUTION]: { categories: [{ allocation: 'Team', percentage: '20' }] } } });
  expect((await odd.say('/holders tide distribution')).text).toContain('⚠ These shares add up to 20.0%');
});

test("every view of the simulated service answers, the project's own accounts are found, and every button leads on", async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const slug of ['tide', 'lark-hollow', 'cinder-quay'])
    for (const view of ['ranking', 'ranking 2', 'distribution']) {
      const { reply, text } = await say(`/holders ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).not.toMatch(/undefined|NaN|\[object|⚠/u);
    }
  expect((await say('/holders tide')).text).toContain('(project: ');
});

test('a wallet that the chat has labeled is called so, in the table and on its button', async () => {
  const { say } = await openAppHarness({ answers: known });
  await say(`/watch ${OUTSIDER} fund-1`);
  const { reply } = await say('/holders tide');
  const cells = reply.blocks.flatMap((block) => (block.kind === 'table' ? block.rows.map((row) => row[1]) : []));
  expect(cells).toContain('fund-1');
  expect(reply.actions).toContainEqual(expect.objectContaining({ label: 'fund-1', line: `/wallet ${OUTSIDER}` }));
});
