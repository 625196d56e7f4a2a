import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const PATH = '/v1/account';
const account = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  name: `Account ${id}`,
  custodyType: 'Multi-sig',
  entityType: 'DAO',
  ...more,
});

test('the list says how many there are and which are retired, and narrows what a service that ignores filters sends', async () => {
  const retired = account(2, { deactivatedTime: '2026-01-01T00:00:00Z', entityType: 'OpCo', trackingMode: 'balance_only' });
  const { say } = await openAppHarness({ answers: { [PATH]: [account(1, { trackingMode: 'full', venue: 'Deepdesk' }), retired, 7] } });
  const { text } = await say('/accounts tide');
  expect(text).toContain('Tidewater: 2 accounts, 1 retired\n');
  expect(text).toMatch(/^1 {2}Account 1 +Multi-sig +DAO +movements, balances +Deepdesk/mu);
  expect(text).toMatch(/^2 {2}Account 2 \(retired\) +Multi-sig +OpCo +balances only/mu);
  expect(text).toMatch(/⚠ 1 row /u);
  expect((await say('/accounts tide list entity:OpCo')).text).toContain('Tidewater: 1 account (OpCo)');
  expect((await say('/accounts tide state:open')).text).toContain('Tidewater: 1 account (open)');
  expect((await say('/accounts tide find:nothing page:3')).text).toContain('Tidewater: page 3 is empty');
});

test('active accounts tell backing and own token apart, and parts that do not add up are said not to', async () => {
  const rows = [
    { ...account(1), totalValue: '750000', nativeTokenValue: '0', tokens: [{ symbol: 'USDC', value: '750000' }] },
    { ...account(2), totalValue: '250000', nativeTokenValue: '600000', tokens: [] },
  ];
  const data = { totalValue: 1_000_000, totalNativeTokenValue: 600_000, accounts: rows };
  const { say } = await openAppHarness({ answers: { [`${PATH}/active`]: { data, meta: { totalItems: 2 } } } });
  const { text } = await say('/accounts tide active');
  expect(text).toMatch(/\$1\.00M in 2 accounts \(plus \$600K in TIDE/u);
  expect(text).toContain('$750K (75.0%)');
  expect(text).not.toContain('⚠');
  const other = await openAppHarness({
    answers: { [`${PATH}/active`]: { data: { ...data, totalValue: 2_000_000 }, meta: { totalItems: 2 } } },
  });
  expect((await other.say('/accounts tide active')).text).toMatch(/⚠ .+\$2\.00M.+\$1\.00M/u);
});

test('one account tells its own token apart from what backs, and an unknown half leaves the whole unknown', async () => {
  const detail = { account: { ...account(5), project: 'tide', isActive: true, subGroups: [{ group: 'Treasury', subGroup: 'Reserves' }] } };
  const on = {
    tokens: [
      { symbol: 'USDC', amount: '100', value: '100' },
      { symbol: 'TIDE', value: '40' },
    ],
    nativeTokenValue: '40',
    totalValue: '140',
  };
  const off = { tokens: [], nativeTokenValue: '0', totalValue: '0' };
  const paths = { [`${PATH}/5`]: detail, [`${PATH}/5/balance/onchain`]: on };
  const { say, deadButtons } = await openAppHarness({ answers: { ...paths, [`${PATH}/5/balance/offchain`]: off } });
  const { text, reply } = await say('/accounts #5');
  expect(text).toMatch(/^Account 5 holds \$140\.00, \$40\.00 of it /u);
  expect(text).toContain('On-chain $140.00 · off-chain nothing · without own token $100.00');
  expect(text).toContain('group Treasury / Reserves');
  expect((await say('/accounts heron #5')).text).toMatch(/account isn't Heron Flats's/u);
  expect((await say('/accounts tide #5')).text).toBe(text);
  expect(await deadButtons(reply)).toEqual([]);
  const half = await openAppHarness({ answers: paths });
  expect((await half.say('/accounts account:5')).text).toContain(
    'Account 5 holds n/a\nOn-chain $140.00 · off-chain n/a: no data · without own token n/a',
  );
});

test('without a project and without a number it says what is missing', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/accounts')).text).toContain('Which accounts?');
  expect((await say('/accounts #999')).text).toContain('Not found.');
});

test('a row cap of ten and three pages is enough for every view', async () => {
  const { say } = await openAppHarness({ plan: { maxRows: 10, maxPages: 3, refusesWith: 403 } });
  for (const view of ['list', 'active', 'groups', 'legacy', 'registry', 'custody'])
    expect((await say(`/accounts tide ${view}`)).reply.tone).toBe('plain');
});

test('every view of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const view of ['list', 'active', 'groups', 'legacy', 'registry', 'custody'])
    for (const slug of ['tide', 'lark-hollow', 'cinder-quay', 'spindrift']) {
      const { reply, text } = await say(`/accounts ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).toContain('Updated 12:00 UTC');
      expect(text).not.toMatch(/undefined|NaN|\[object/u);
      for (const { line } of reply.actions.filter(({ line: to }) => to.includes('account:')))
        expect((await say(line)).reply.tone).toBe('plain');
    }
});
