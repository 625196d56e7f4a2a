/** Reads the treasury by category in USD, and where the own token is held (§4.7, fields §2.13). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { bySlug, get } from '../endpoint-row.js';
import { count, decimal, maybe, raw, some, words } from '../wire-values.js';

const named = { name: words, value: maybe(decimal) };

export const assetAllocation = get({
  id: 'allocation.categories',
  path: '/v1/dao/asset-allocation-breakdown',
  spec: '§4.7',
  input: bySlug,
  freshFor: 5 * MINUTE,
  data: z
    .object({ totalValue: maybe(decimal), categories: some(z.object(named)) })
    .transform(({ totalValue, categories = [] }) => ({ total: totalValue, categories })),
});

const category = z
  .object({
    ...named,
    accountCount: maybe(count),
    accounts: some(z.object({ name: maybe(words), address: maybe(words), value: maybe(decimal) })),
    tokens: some(z.object({ symbol: maybe(words), amount: maybe(decimal), value: maybe(decimal) })),
  })
  .transform(({ accounts = [], tokens = [], ...rest }) => ({ ...rest, accounts, tokens }));
export type AllocationCategory = z.output<typeof category>;

export const assetAllocationList = get({
  id: 'allocation.details',
  path: '/v1/dao/list-asset-allocation-breakdown',
  spec: '§4.7',
  input: bySlug,
  freshFor: 5 * MINUTE,
  data: z
    .object({ totalValue: maybe(decimal), categories: some(category) })
    .transform(({ totalValue, categories = [] }) => ({ total: totalValue, categories })),
});

export const nativeTokenAccounts = get({
  id: 'allocation.native',
  path: '/v1/dao/native-token-accounts',
  spec: '§4.7',
  input: bySlug,
  freshFor: 5 * MINUTE,
  data: z
    .object({
      token: maybe(z.object({ symbol: maybe(words), baseMint: maybe(words) })),
      totalAmount: maybe(decimal),
      totalValue: maybe(decimal),
      accountCount: maybe(count),
      /** `amount` is raw. Without decimals only shares can be computed (§2.1). */
      accounts: some(z.object({ name: maybe(words), address: maybe(words), amount: maybe(raw), value: maybe(decimal) })),
    })
    .transform(({ token, totalAmount, totalValue, accountCount, accounts = [] }) => ({
      symbol: token?.symbol,
      mint: token?.baseMint,
      totalAmount,
      totalValue,
      accountCount,
      accounts: accounts.map(({ name, address, amount, value }) => ({ name, address, raw: amount, value })),
    })),
});
