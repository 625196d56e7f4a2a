import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { openBox } from '../box.js';

const sum = (all: readonly { readonly value: string }[]): string =>
  all.reduce((total, { value }) => total.plus(value), new Big(0)).toFixed();

test('categories add up to NAV, and so do their accounts and their tokens', async () => {
  const box = await openBox();
  for (const slug of ['tide', 'heron', 'spindrift', 'quarry-lane']) {
    const nav = (await box.get(`/v1/dao/treasury/overview?slug=${slug}`)).body.data.netAssetValue;
    const brief = (await box.get(`/v1/dao/asset-allocation-breakdown?slug=${slug}`)).body.data;
    const full = (await box.get(`/v1/dao/list-asset-allocation-breakdown?slug=${slug}`)).body.data;
    expect([brief.totalValue, full.totalValue, sum(brief.categories)]).toEqual([nav, nav, nav]);
    expect(full.categories.map(({ name, value }: { name: string; value: string }) => ({ name, value }))).toEqual(brief.categories);
    for (const category of full.categories) {
      expect([sum(category.accounts), sum(category.tokens)]).toEqual([category.value, category.value]);
      expect(category.accountCount).toBe(category.accounts.length);
      expect(category.tokens.map(({ symbol }: { symbol: string }) => symbol)).not.toContain(box.world.find(slug)?.symbol);
    }
  }
});

test('a project that publishes no NAV has no allocation, and still its own token', async () => {
  const box = await openBox();
  expect((await box.get('/v1/dao/asset-allocation-breakdown?slug=lark-hollow')).body.data).toEqual({ totalValue: null, categories: [] });
  const native = (await box.get('/v1/dao/native-token-accounts?slug=lark-hollow')).body.data;
  expect(native.accountCount).toBe(native.accounts.length);
});

test('the own token lies raw in the accounts that the list of active ones names, and what lies there does not circulate', async () => {
  const box = await openBox();
  const { token, totalAmount, totalValue, accounts } = (await box.get('/v1/dao/native-token-accounts?slug=tide')).body.data;
  const overview = (await box.get('/v1/project-overview?slug=tide')).body.data;
  expect(token).toEqual({ symbol: 'TIDE', baseMint: overview.baseMint });
  expect(totalAmount).toBe(new Big(overview.totalSupply).minus(overview.circulatingSupply).times(1e6).toFixed());
  expect(sum(accounts)).toBe(totalValue);
  const active = (await box.get('/v1/account/active?slug=tide')).body.data.accounts;
  for (const { address, value } of accounts)
    expect(active.find((one: { address: string }) => one.address === address)).toMatchObject({ nativeTokenValue: value });
});
