/** Serves holders and tokenomics (§4.5, fields in §2.11). */
import { DAY } from '../../base/clock.js';
import type { Instant } from '../../domain/scalars.js';
import { ServiceRefusal } from '../error-response.js';
import { FULL_META, iso, many, one, projectOf, unix, type RouteRequest } from '../route.js';
import { exactly, human, jsonNumber, rounded } from '../world/amounts.js';
import type { Character } from '../world/invented-projects.js';
import { ownedAccounts } from '../world/accounts.js';

const shareOf = (amount: bigint, supply: bigint): string =>
  supply === 0n ? '0' : rounded(exactly(amount).times(100).div(exactly(supply)), 6);

function byMint({ world, input }: RouteRequest): Character {
  const mint = input['baseMint'];
  if (!mint) throw new ServiceRefusal(400, 'baseMint is required');
  const who = world.projects.find(({ slug }) => world.mint(slug) === mint);
  if (!who) throw new ServiceRefusal(404, 'no token has this mint');
  return who;
}

export const tokenHolders = many({
  meta: FULL_META,
  items(ask) {
    const { all, supply } = ask.world.holders(byMint(ask), ask.at);
    return all.map((holding, index) => ({ ...holding, rank: index + 1, supply }));
  },
  show({ owner, balance, rank, supply, own }, ask) {
    const address = owner();
    return {
      owner: address,
      balance: human(balance),
      percentageOfTotalSupply: shareOf(balance, supply),
      rank,
      percentageOfWallet: own ? '100' : rounded(exactly(100 * ask.world.scene.roll('of wallet', address)), 2),
    };
  },
});

/** Amounts are raw. Only some responses have `decimals`. */
export const tokenDistribution = one((ask) => {
  const who = projectOf(ask);
  const supply = ask.world.supply.supplyAt({ who, when: ask.at, asOf: ask.at });
  const own = ownedAccounts(ask.world.scene, who).map(({ name, tokens }) => ({
    name: name === 'Main treasury' ? 'Treasury' : name,
    tokens,
  }));
  const rest = supply - own.reduce((sum, { tokens }) => sum + tokens, 0n);
  const liquidity = (rest * 12n) / 100n;
  const parts = [{ name: 'Public', tokens: rest - liquidity }, { name: 'Liquidity', tokens: liquidity }, ...own];
  return {
    totalSupply: jsonNumber(human(supply)),
    categories: parts.map(({ name, tokens }) => ({ allocation: name, amount: tokens.toString(), percentage: shareOf(tokens, supply) })),
    ...(who.rows === 'old' ? { decimals: 6 } : {}),
  };
});

const cliffOf = (cliff: Instant, at: Instant) => ({
  timestamp: unix(cliff),
  passed: at >= cliff,
  daysRemaining: Math.max(0, Math.ceil((cliff - at) / DAY)),
});

export const performancePackage = one((ask) => {
  const who = projectOf(ask);
  const { total, locked, claimable, claimed } = ask.world.vesting.sums(who, ask.at);
  const cliff = ask.world.vesting.cliffOf(who);
  return {
    totalInPackage: jsonNumber(human(total)),
    locked: jsonNumber(human(locked)),
    claimableNow: jsonNumber(human(claimable)),
    claimed: jsonNumber(human(claimed)),
    tokenSymbol: who.symbol,
    cliff: { ...cliffOf(cliff, ask.at), date: iso(cliff) },
  };
});

export const trancheLadder = many({
  items: (ask) => ask.world.vesting.ladder(projectOf(ask), ask.at),
  show(tranche, ask) {
    const who = projectOf(ask);
    return {
      order: tranche.order,
      tokens: jsonNumber(human(tranche.tokens)),
      multiplier: tranche.multiplier,
      priceThreshold: tranche.threshold,
      icoPrice: ask.world.vesting.icoPriceOf(who),
      cliff: cliffOf(ask.world.vesting.cliffOf(who), ask.at),
      state: tranche.state,
    };
  },
});

export const unlockSchedule = many({
  items: (ask) => ask.world.vesting.schedule(projectOf(ask), ask.at),
  show: ({ day, twap, unlocked }) => ({
    date: iso(day).slice(0, 10),
    twap: twap === undefined ? null : jsonNumber(twap),
    cumulativeUnlocked: human(unlocked),
  }),
  wrap: (scheduleData) => ({ scheduleData }),
});
