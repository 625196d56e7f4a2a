/** The traps of accounts, counterparties and legal entities, read by the real client from real answers. */
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import {
  accountDetail,
  accounts,
  activeAccounts,
  custodyTypes,
  groupedAccounts,
  legacyAccounts,
  onchainBalance,
} from '../../../src/analytics/endpoints/accounts.js';
import { counterparties, counterpartyDetail } from '../../../src/analytics/endpoints/counterparties.js';
import { legalEntities } from '../../../src/analytics/endpoints/project.js';
import { answerWith, connect, serve, tide } from '../../support/service.js';

const serviceWith = async (data: unknown, meta?: unknown) => {
  const service = await serve((asked) => answerWith(asked, data, meta));
  return { ...(await connect(service.url)), service };
};

test('lists that would answer for every project are refused before any call where no project is named', async () => {
  const { analytics, service } = await serviceWith([]);
  const nameless = [{}, { slug: '' }, { project: 'tide' }] as unknown as readonly { slug: string }[];
  for (const input of nameless)
    for (const asked of [analytics.call(accounts, input), analytics.call(counterparties, input), analytics.call(legalEntities, input)])
      await expect(asked).rejects.toBeInstanceOf(ZodError);
  expect(service.asked).toEqual([]);
});

test('legal entities are asked for by slug, and project= is not sent', async () => {
  const { analytics, service } = await serviceWith([]);
  const input: { slug: string } = Object.assign({ slug: 'tide' }, { project: 'heron' });
  await analytics.call(legalEntities, input);
  expect(service.asked.map(({ query }) => [...query])).toEqual([[['slug', 'tide']]]);
});

const TOKEN = { name: 'USD Coin', symbol: 'USDC', amount: '5.5', usdPrice: '1', value: '5.5', decimals: 6, address: 'usd' };

test('the totals of active accounts leave the own token out, those of one balance count it, and the names say so', async () => {
  const account = { id: 1, name: 'Main', nativeTokenValue: '100', totalValue: '5.5', tokens: [TOKEN, 7], subGroups: null };
  const { analytics } = await serviceWith(
    { totalNativeTokenValue: 100, totalValue: 5.5, accounts: [account, { name: 'no number' }] },
    { totalItems: 2, totalPages: 1, currentPage: 1 },
  );
  const { data, meta } = await analytics.call(activeAccounts, tide);
  expect(data).toMatchObject({
    backing: '5.5',
    native: '100',
    broken: 1,
    rows: [{ id: '1', backing: '5.5', native: '100', tokens: [TOKEN] }],
  });
  expect(meta.totalItems).toBe(2);
  const one = await serviceWith({ tokens: [TOKEN], nativeTokenValue: '100', totalValue: '105.5' });
  const balance = (await one.analytics.call(onchainBalance, { id: 1 })).data;
  expect(balance).toMatchObject({ withNative: '105.5', native: '100' });
  expect(balance).not.toHaveProperty('backing');
});

test('a walk over active accounts meets each once', async () => {
  const all = Array.from({ length: 13 }, (_, id) => ({ id, name: `a${id}` }));
  const service = await serve((asked) => {
    const page = Number(asked.query.get('page') ?? 1);
    answerWith(
      asked,
      { totalValue: 1, accounts: all.slice((page - 1) * 10, page * 10) },
      { totalItems: 13, totalPages: 2, currentPage: page },
    );
  });
  const { analytics } = await connect(service.url);
  const walk = await analytics.walk(activeAccounts, tide, ({ id }) => id);
  expect(walk.rows.map(({ id }) => id)).toEqual(all.map(({ id }) => String(id)));
  expect(walk.complete).toBe(true);
});

test('a balance with nothing in it is nothing, and one that is not alerted is unknown', async () => {
  const nothing = await serviceWith({ tokens: [], nativeTokenValue: '0', totalValue: '0' });
  expect((await nothing.analytics.call(onchainBalance, { id: '1' })).data).toEqual({ tokens: [], native: '0', withNative: '0' });
  const unknown = await serviceWith({ tokens: null, totalValue: null });
  expect((await unknown.analytics.call(onchainBalance, { id: '1' })).data).toEqual({
    tokens: [],
    native: undefined,
    withNative: undefined,
  });
});

test('an account stands under data.account or under data, and its successor may be an account, a name or a number', async () => {
  const account = { id: 7, name: 'Old', isActive: false, notes: '', contractLink: '', proposalTitle: null };
  for (const [data, successor] of [
    [{ account: { ...account, replacedBy: { id: 8, name: 'New' } } }, { id: '8', name: 'New' }],
    [
      { ...account, replacedBy: 'New' },
      { id: undefined, name: 'New' },
    ],
    [{ account: { ...account, replacedBy: 8 } }, { id: '8', name: undefined }],
    [{ account: { ...account, replacedBy: null } }, undefined],
  ] as const) {
    const { analytics } = await serviceWith(data);
    const read = (await analytics.call(accountDetail, { id: 7 })).data;
    expect(read).toMatchObject({ id: '7', name: 'Old', isActive: false, notes: undefined, contractLink: undefined });
    expect(read.replacedBy).toEqual(successor);
  }
});

test('what is no number is refused before any call', async () => {
  const { analytics, service } = await serviceWith({});
  for (const id of ['', 'abc', '1/../2', '-1', '1.5']) await expect(analytics.call(accountDetail, { id })).rejects.toBeInstanceOf(ZodError);
  expect(service.asked).toEqual([]);
});

test('custody types come as words or as objects, and groups and legacy accounts keep their unknowns', async () => {
  expect((await (await serviceWith(['Multi-sig', { name: 'Program' }, 7])).analytics.call(custodyTypes, {})).data).toEqual({
    rows: ['Multi-sig', 'Program'],
    broken: 1,
  });
  const grouped = await serviceWith([{ group: { key: 'ops', label: null }, accounts: [{ id: 1, name: 'A' }, {}] }]);
  expect((await grouped.analytics.call(groupedAccounts, tide)).data).toMatchObject({
    broken: 0,
    rows: [{ name: 'ops', accounts: [{ id: '1' }] }],
  });
  const legacy = await serviceWith([{ id: 3, name: 'Old', proposalTitle: null, proposalAddress: null, replacedByName: null }]);
  expect((await legacy.analytics.call(legacyAccounts, tide)).data.rows[0]).toMatchObject({ id: '3', replacedByName: undefined });
});

test('a counterparty keeps all its addresses, whichever way they are given', async () => {
  const row = { id: 4, name: 'Router', type: 'routing', counterpartyAddresses: [{ address: 'a', chain: 'solana' }, { chain: 'x' }] };
  expect((await (await serviceWith([row])).analytics.call(counterparties, tide)).data.rows[0]?.addresses).toEqual([
    { address: 'a', chain: 'solana' },
  ]);
  const detail = await serviceWith({ name: 'Router', address: 'b', network: 'solana', addresses: [{ address: 'a', network: 'solana' }] });
  expect((await detail.analytics.call(counterpartyDetail, { id: '4' })).data.addresses.map(({ address }) => address)).toEqual(['b', 'a']);
});
