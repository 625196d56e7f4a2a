/** Serves the treasury by category, and the own token (§4.7, §2.13). The categories without it add up to NAV. */
import { GROUPS, type SimAccount, ownedAccounts } from '../world/accounts.js';
import { sumOf, valueOf } from '../world/amounts.js';
import { one, projectOf, type RouteRequest } from '../route.js';

interface Part {
  readonly name: string;
  readonly address: string;
  readonly value: string;
  readonly tokens: readonly { readonly symbol: string; readonly amount: string; readonly value: string }[];
}

function partOf(account: SimAccount, { world, at }: RouteRequest): Part {
  const { tokens, backing } = world.accounts.balance(account, at);
  const own = world.mint(account.who.slug);
  return { name: account.name, address: account.address, value: backing, tokens: tokens.filter(({ address }) => address !== own) };
}

function categoriesOf(ask: RouteRequest) {
  const who = projectOf(ask);
  const nav = ask.world.treasury.nav({ who, when: ask.at, asOf: ask.at });
  if (!nav) return { totalValue: null, categories: [] };
  const open = ask.world.accounts.active(who, ask.at);
  const groups = GROUPS.map(({ name, subgroups }) => {
    const keys: readonly string[] = subgroups.flatMap(({ parts }) => parts);
    return { name, parts: open.filter(({ key }) => keys.includes(key)).map((account) => partOf(account, ask)) };
  });
  const address = ask.world.scene.keys.address('lp', who.slug);
  const position = { symbol: 'LP', amount: '1', value: nav.lpValue };
  const liquidity = {
    name: 'Liquidity',
    parts: [{ name: `${who.symbol}/USDC position`, address, value: nav.lpValue, tokens: [position] }],
  };
  const categories = [...groups, liquidity].filter(({ parts }) => parts.some(({ tokens }) => tokens.length > 0));
  return { totalValue: nav.netAssetValue, categories };
}

const worth = (parts: readonly Part[]): string => sumOf(parts.map(({ value }) => value));

export const assetAllocation = one((ask) => {
  const { totalValue, categories } = categoriesOf(ask);
  return { totalValue, categories: categories.map(({ name, parts }) => ({ name, value: worth(parts) })) };
});

export const assetAllocationList = one((ask) => {
  const { totalValue, categories } = categoriesOf(ask);
  return {
    totalValue,
    categories: categories.map(({ name, parts }) => ({
      name,
      value: worth(parts),
      accountCount: parts.length,
      accounts: parts.map(({ name: called, address, value }) => ({ name: called, address, value })),
      tokens: [...new Set(parts.flatMap(({ tokens }) => tokens.map(({ symbol }) => symbol)))].map((symbol) => {
        const same = parts.flatMap(({ tokens }) => tokens.filter((token) => token.symbol === symbol));
        return { symbol, amount: sumOf(same.map(({ amount }) => amount)), value: sumOf(same.map(({ value }) => value)) };
      }),
    })),
  };
});

export const nativeTokenAccounts = one((ask) => {
  const who = projectOf(ask);
  const price = ask.world.price(who, ask.at);
  const held = ownedAccounts(ask.world.scene, who);
  return {
    token: { symbol: who.symbol, baseMint: ask.world.mint(who.slug) },
    totalAmount: String(held.reduce((sum, { tokens }) => sum + tokens, 0n)),
    totalValue: sumOf(held.map(({ tokens }) => valueOf(tokens, price))),
    accountCount: held.length,
    accounts: held.map(({ name, address, tokens }) => ({ name, address, amount: String(tokens), value: valueOf(tokens, price) })),
  };
});
