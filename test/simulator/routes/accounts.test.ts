import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { openBox } from '../box.js';

const sum = (all: readonly string[]): string => all.reduce((total, one) => total.plus(one), new Big(0)).toFixed();
/** Any project, one whose company has accounts, one that publishes no NAV, one that was wound up. */
const PROJECTS = ['tide', 'heron', 'spindrift', 'lark-hollow', 'cinder-quay'];

interface Active {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly entityType: string;
  readonly nativeTokenValue: string;
  readonly totalValue: string;
  readonly tokens: readonly {
    readonly symbol: string;
    readonly amount: string;
    readonly usdPrice: string;
    readonly value: string;
    readonly address: string;
  }[];
}

test('active accounts hold together what the treasury holds, token for token, and their totals are sums', async () => {
  const box = await openBox();
  for (const slug of PROJECTS) {
    const { data, meta } = (await box.get(`/v1/account/active?slug=${slug}`)).body;
    const rows: readonly Active[] = data.accounts;
    const nav = (await box.get(`/v1/dao/treasury/nav-as-breakdown?slug=${slug}`)).body.data;
    expect(meta.totalItems).toBe(rows.length);
    expect(sum(rows.map((row) => row.totalValue))).toBe(new Big(data.totalValue).toFixed());
    expect(sum(rows.map((row) => row.nativeTokenValue))).toBe(new Big(data.totalNativeTokenValue).toFixed());
    expect(new Big(data.totalValue).toFixed()).toBe(nav.nonNativeTreasuryValueUsd ?? '0');
    expect(sum(nav.wallets.map(({ value }: { value: string }) => value))).toBe(nav.nonNativeTreasuryValueUsd ?? '0');
    const mint = box.world.mint(slug);
    const treasury = (await box.get(`/v1/dao/treasury?slug=${slug}`)).body.data.tokens;
    for (const held of treasury.filter(({ symbol, address }: Active['tokens'][number]) => symbol !== 'LP' && address !== mint))
      expect(sum(rows.flatMap((row) => row.tokens.filter(({ address }) => address === held.address).map(({ amount }) => amount)))).toBe(
        new Big(held.amount).toFixed(),
      );
    for (const { tokens, totalValue } of rows)
      expect(sum(tokens.filter(({ address }) => address !== mint).map(({ value }) => value))).toBe(totalValue);
  }
});

test('one account tells its own token in totalValue, the list of active ones leaves it out', async () => {
  const box = await openBox();
  const rows: readonly Active[] = (await box.get('/v1/account/active?slug=tide')).body.data.accounts;
  for (const row of rows) {
    const on = (await box.get(`/v1/account/${row.id}/balance/onchain`)).body.data;
    const off = (await box.get(`/v1/account/${row.id}/balance/offchain`)).body.data;
    expect(sum([on.totalValue, off.totalValue])).toBe(sum([row.totalValue, row.nativeTokenValue]));
    expect([on, off].filter(({ tokens }) => tokens.length > 0)).toHaveLength(1);
    expect([on, off].find(({ tokens }) => tokens.length === 0)).toEqual({ tokens: [], nativeTokenValue: '0', totalValue: '0' });
  }
  expect(rows.filter((row) => Number(row.nativeTokenValue) > 0).map((row) => row.name)).toEqual(['Main treasury', 'Performance package']);
});

test('registry, list, groups, legacy and detail speak of the same accounts', async () => {
  const box = await openBox();
  const get = async (path: string) => (await box.get(path)).body;
  const all: readonly { id: number; name: string; address: string; custodyType: string; deactivatedTime: string | null }[] = (
    await get('/v1/account?slug=tide')
  ).data;
  const names = all.map(({ name }) => name);
  expect((await get('/v1/dao/account-registry?slug=tide')).data.map(({ name }: { name: string }) => name)).toEqual(names);
  const legacy = (await get('/v1/account/legacy?slug=tide')).data;
  expect(legacy).toMatchObject([{ name: 'First multisig', replacedByName: 'Main treasury' }]);
  expect(all.filter(({ deactivatedTime }) => deactivatedTime !== null).map(({ id }) => id)).toEqual(
    legacy.map(({ id }: { id: number }) => id),
  );
  const grouped: readonly { accounts: readonly { id: number }[] }[] = (await get('/v1/account/grouped?slug=tide')).data;
  expect(grouped.flatMap(({ accounts }) => accounts.map(({ id }) => id)).toSorted((a, b) => a - b)).toEqual(
    all.filter(({ deactivatedTime }) => deactivatedTime === null).map(({ id }) => id),
  );
  const custody: readonly string[] = (await get('/v1/account/custody-types')).data;
  expect(custody).toEqual(['Self-custody', 'Multi-sig', 'Program', 'Third-party custody', 'Offchain']);
  for (const { id, name, custodyType } of all) {
    expect(custody).toContain(custodyType);
    expect((await get(`/v1/account/${id}`)).data.account).toMatchObject({ id, name, project: 'tide' });
  }
  const retired = (await get(`/v1/account/${legacy[0].id}`)).data.account;
  expect(retired).toMatchObject({ isActive: false, replacedBy: { name: 'Main treasury' }, proposalPublicKey: legacy[0].proposalAddress });
  expect((await box.get(`/v1/proposal/${legacy[0].proposalAddress}`)).body.data.title).toBe(legacy[0].proposalTitle);
});

test('filters narrow the list, and without a slug every project answers', async () => {
  const box = await openBox();
  const names = async (query: string) => (await box.get(`/v1/account?${query}`)).body.data.map(({ name }: { name: string }) => name);
  expect(await names('slug=tide&isActive=false')).toEqual(['First multisig']);
  expect(await names('slug=tide&q=desk')).toEqual(['Exchange desk']);
  expect(await names('slug=tide&entityType=OpCo')).toEqual(['Operations wallet', 'Exchange desk']);
  expect((await names('isActive=true')).length).toBeGreaterThan(30);
  const everyone: readonly { project: string }[] = (await box.get('/v1/counterparty?limit=100')).body.data;
  expect(new Set(everyone.map(({ project }) => project)).size).toBeGreaterThan(5);
  expect(
    await Promise.all(['slug=tide&isActive=maybe', 'slug=nobody'].map(async (query) => (await box.get(`/v1/account?${query}`)).status)),
  ).toEqual([400, 404]);
});

test('a counterparty is the same in the list and by its number', async () => {
  const box = await openBox();
  const { data, meta } = (await box.get('/v1/counterparty?slug=tide')).body;
  expect(meta).toEqual({ totalItems: data.length, totalPages: 1, currentPage: 1 });
  for (const one of data) {
    const detail = (await box.get(`/v1/counterparty/${one.id}`)).body.data;
    expect(detail).toMatchObject({ name: one.name, type: one.type, address: one.counterpartyAddresses[0].address });
    expect(detail.addresses).toHaveLength(one.counterpartyAddresses.length);
  }
  expect((await box.get('/v1/counterparty/999999999')).status).toBe(404);
  expect((await box.get('/v1/account/abc')).status).toBe(400);
});
