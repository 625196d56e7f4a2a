/** Serves treasury, NAV/AS, premium and runway (§4.9). An unpublished NAV is null, never zero. */
import { DAY, HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { jsonNumber } from '../world/amounts.js';
import type { Nav } from '../world/treasury.js';
import { ServiceRefusal } from '../error-response.js';
import { iso, many, momentOf, one, projectOf, unix, type RouteRequest } from '../route.js';

function navOf(ask: RouteRequest): Nav | undefined {
  const { treasury } = ask.world;
  const wanted = momentOf(ask, 'timestamp');
  const when = wanted === undefined || wanted >= ask.at ? ask.at : treasury.snapshotAt(wanted);
  return treasury.nav({ who: projectOf(ask), when, asOf: ask.at });
}

/** Returns the allowance at `timestamp`. */
function allowance(ask: RouteRequest): string {
  const wanted = momentOf(ask, 'timestamp');
  const when = wanted === undefined || wanted >= ask.at ? ask.at : ask.world.treasury.snapshotAt(wanted);
  return ask.world.allowance(projectOf(ask), when);
}

export const treasuryOverview = one((ask) => {
  const who = projectOf(ask);
  const nav = navOf(ask);
  const runway = nav?.monthsOfRunway ?? null;
  return {
    baseMintCurrentPrice: ask.world.price(who, ask.at),
    totalBalance: nav?.netAssetValue ?? null,
    netAssetValue: nav?.netAssetValue ?? null,
    navPerAdjustedShare: nav?.navPerShare ?? null,
    premiumDiscountPercent: nav ? jsonNumber(nav.premium) : null,
    spendingLimit: allowance(ask),
    // The older field name still occurs at the real service.
    ...(who.quirk === 'old-names' ? { monthOfRunway: runway } : { monthsOfRunway: runway }),
    updatedAt: iso(ask.at),
  };
});

export const treasuryHoldings = many({
  items(ask) {
    const who = projectOf(ask);
    const nav = navOf(ask);
    if (!nav) return [];
    const own = nav.excluded.map((part) => ({
      name: `${who.name} (${part.name})`,
      symbol: who.symbol,
      address: ask.world.mint(who.slug),
      amount: part.amount,
      usdPrice: nav.price,
      value: part.value,
    }));
    const position = {
      name: `${who.symbol}/USDC position`,
      symbol: 'LP',
      address: ask.world.scene.keys.address('lp', who.slug),
      amount: '1',
      usdPrice: nav.lpValue,
      value: nav.lpValue,
    };
    return [...nav.wallet, position, ...own];
  },
  show: (holding) => ({ ...holding, decimals: 6 }),
  wrap: (tokens, ask) => ({ totalValue: navOf(ask)?.netAssetValue ?? null, tokens }),
});

const historyOf = (ask: RouteRequest, reach: number, step: number): readonly Nav[] =>
  ask.world.treasury.history({ who: projectOf(ask), at: ask.at, from: instant(ask.at - reach), step });

export const treasuryChart = many({
  items: (ask) => historyOf(ask, 30 * DAY, HOUR),
  show: (nav) => ({ timestamp: unix(nav.at), totalValue: nav.netAssetValue }),
});

const RANGES: Readonly<Record<string, readonly [reach: number, step: number]>> = {
  '1D': [DAY, 15 * MINUTE],
  '1W': [7 * DAY, HOUR],
  '1M': [30 * DAY, 4 * HOUR],
  '3M': [91 * DAY, 12 * HOUR],
  ALL: [5 * 365 * DAY, DAY],
};

export const navAsChart = many({
  items(ask) {
    const range = RANGES[ask.input['range'] ?? '1M'];
    if (!range) throw new ServiceRefusal(400, `range must be one of ${Object.keys(RANGES).join(', ')}`);
    return historyOf(ask, ...range);
  },
  show: (nav) => ({
    timestamp: iso(nav.at),
    navPerAdjustedShare: nav.navPerShare,
    tokenPrice: nav.price,
    adjustedSupply: nav.adjustedSupply,
    premiumDiscountPercent: jsonNumber(nav.premium),
  }),
});

function walletsOf(ask: RouteRequest, when: Instant) {
  const who = projectOf(ask);
  const own = ask.world.mint(who.slug);
  return ask.world.accounts
    .active(who, when)
    .map((account) => ({ account, held: ask.world.accounts.balance(account, when) }))
    .filter(({ held }) => Number(held.backing) > 0)
    .map(({ account: { name, address }, held }) => ({
      name,
      address,
      value: held.backing,
      tokens: held.tokens.filter((token) => token.address !== own),
    }));
}

export const navBreakdown = one((ask) => {
  const who = projectOf(ask);
  const nav = navOf(ask);
  const when = nav?.at ?? ask.at;
  return {
    timestamp: iso(when),
    netAssetValueUsd: nav?.netAssetValue ?? null,
    nonNativeTreasuryValueUsd: nav?.treasuryValue ?? null,
    nonNativeLpValueUsd: nav?.lpValue ?? null,
    navPerAdjustedShare: nav?.navPerShare ?? null,
    spotPrice: nav?.price ?? null,
    totalSupply: nav?.totalSupply ?? null,
    adjustedSupply: nav?.adjustedSupply ?? null,
    wallets: nav ? walletsOf(ask, when) : [],
    excludedFromNav: (nav?.excluded ?? []).map((part) => ({ ...part, symbol: who.symbol })),
    supplyAdjustments: (nav?.excluded ?? []).map(({ name, amount }) => ({ name, amount })),
  };
});

export const premiumBreakdown = one((ask) => {
  const who = projectOf(ask);
  const wanted = momentOf(ask, 'timestamp');
  const when = wanted === undefined || wanted >= ask.at ? ask.at : ask.world.treasury.snapshotAt(wanted);
  const found = ask.world.treasury.premiums(who, when);
  return {
    spotPrice: found?.now.price ?? null,
    navPerAdjustedShare: found?.now.navPerShare ?? null,
    current: found ? jsonNumber(found.now.premium) : null,
    low: found ? jsonNumber(found.low.premium) : null,
    lowAt: found ? iso(found.low.at) : null,
    mean: found ? jsonNumber(found.mean) : null,
    high: found ? jsonNumber(found.high.premium) : null,
    highAt: found ? iso(found.high.at) : null,
  };
});

export const runwayBreakdown = one((ask) => {
  const nav = navOf(ask);
  return {
    monthsOfRunway: nav?.monthsOfRunway ?? null,
    monthsOfRunwayWithoutLp: nav?.monthsWithoutLp ?? null,
    spendingLimit: allowance(ask),
    treasuryValueUsd: nav?.treasuryValue ?? null,
    lpValueUsd: nav?.lpValue ?? null,
  };
});
