/** Serves a wallet's trades and contributions (§4.3, §2.8 and §2.9, which are mostly unspecified). */
import { HOUR, type Instant, SECOND } from '../../base/clock.js';
import { type WalletAddress, keyFault, walletAddress } from '../../domain/wallet.js';
import { ServiceRefusal } from '../error-response.js';
import { type RouteRequest, many, one, unix } from '../route.js';
import { exactly, jsonNumber, rounded, sumOf } from '../world/amounts.js';
import { type WorldOrder, backsPass } from '../world/market-trades.js';
import { NEW_WORDS } from './proposals.js';

const WRONG_NAMES = ['wallet', 'address', 'walletAddress'];

/** Returns the requested wallet. Refuses with 400, also for a wrong parameter name. */
export function walletOf({ input }: RouteRequest): WalletAddress {
  const wrong = WRONG_NAMES.find((name) => input[name] !== undefined);
  if (wrong !== undefined) throw new ServiceRefusal(400, `${wrong} is not known; use walletPublicKey`);
  const key = input['walletPublicKey'];
  if (key === undefined) throw new ServiceRefusal(400, 'walletPublicKey is required');
  const fault = keyFault(key);
  if (fault !== undefined) throw new ServiceRefusal(400, `walletPublicKey is no public key: ${fault}`);
  return walletAddress(key);
}

/** Converts to Unix seconds. */
export const seconds = (at: Instant | undefined): number | null => (at === undefined ? null : unix(at));

/** Sorts rows. Refuses an unknown sort field. */
export function ordered<T>(
  rows: readonly T[],
  ask: RouteRequest,
  orders: Readonly<Record<string, (row: T) => number | string>>,
): readonly T[] {
  const { sort, order } = ask.input;
  if (sort === undefined) return rows;
  const by = orders[sort];
  if (by === undefined) throw new ServiceRefusal(400, `sort must be one of ${Object.keys(orders).join(', ')}`);
  const rising = rows.toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
  return order === 'ASC' ? rising : rising.toReversed();
}

export const matches = (ask: RouteRequest, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes((ask.input['search'] ?? '').toLowerCase()));

/** Filters by `slug` if the request has one. */
export const ofProject = (all: readonly WorldOrder[], ask: RouteRequest) =>
  ask.input['slug'] === undefined ? all : all.filter(({ proposal }) => proposal.slug === ask.input['slug']);

const volumeOf = (trades: readonly WorldOrder[]): string => sumOf(trades.map(({ usd }) => usd));

function grouped<K, T>(all: readonly T[], by: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return groups;
}

function byProposal(ask: RouteRequest) {
  const groups = grouped(ofProject(ask.world.wallets.trades(walletOf(ask), ask.at), ask), ({ proposal }) => proposal.publicKey);
  return [...groups.values()].flatMap((trades) => {
    const [latest] = trades;
    if (latest === undefined) return [];
    const pass = volumeOf(trades.filter(backsPass));
    const fail = volumeOf(trades.filter((one) => !backsPass(one)));
    const market = ask.world.proposals.market(latest.proposal, ask.at);
    const volume = volumeOf(trades);
    return [{ proposal: latest.proposal, last: latest.at, trades, pass, fail, volume, net: exactly(pass).minus(fail).toFixed(), market }];
  });
}
type Group = ReturnType<typeof byProposal>[number];

const shareOf = (part: string, of: string | number): string =>
  exactly(of).eq(0) ? '0' : rounded(exactly(Math.min(100, Number(exactly(part).div(of).times(100).toFixed()))), 4);

const MARKET_ORDERS: Readonly<Record<string, (row: Group) => number | string>> = {
  netAlignment: (row) => Number(row.net),
  proposalVolumeConc: (row) => Number(shareOf(row.volume, row.market.volume)),
  proposalTradeConc: (row) => row.trades.length,
  volume: (row) => Number(row.volume),
  trades: (row) => row.trades.length,
  lastTradeTime: (row) => row.last,
};

const STATES: Readonly<Record<string, string>> = { passed: 'succeeded', failed: 'defeated' };

export const walletMarkets = many({
  meta: ['totalItems', 'currentPage'],
  items: (ask) =>
    ordered(
      byProposal(ask).filter(({ proposal }) => matches(ask, proposal.title, proposal.slug)),
      ask,
      MARKET_ORDERS,
    ),
  show(row, ask) {
    const who = ask.world.find(row.proposal.slug);
    return {
      proposalId: row.proposal.id,
      proposalPublicKey: row.proposal.publicKey,
      proposalName: row.proposal.title,
      proposalState: STATES[row.market.phase] ?? NEW_WORDS[row.market.phase][0],
      projectName: who?.name ?? row.proposal.slug,
      projectSlug: row.proposal.slug,
      projectSymbol: who?.symbol ?? null,
      netAlignment: jsonNumber(row.net),
      marketAlignment: exactly(row.net).lt(0) ? 'fail' : 'pass',
      passAlignedVolume: jsonNumber(row.pass),
      failAlignedVolume: jsonNumber(row.fail),
      walletVolume: jsonNumber(row.volume),
      walletTrades: row.trades.length,
      proposalVolumeConc: shareOf(row.volume, row.market.volume),
      proposalTradeConc: shareOf(String(row.trades.length), row.market.trades),
      lastTradeTime: unix(row.last),
      twapStartTime: unix(row.proposal.twapAt),
    };
  },
});

const WINDOWS = ['preTwap', 'twapWindow'];

function onProposal(ask: RouteRequest): readonly WorldOrder[] {
  const key = ask.input['proposalPublicKey'];
  if (key === undefined) throw new ServiceRefusal(400, 'proposalPublicKey is required');
  const window = ask.input['window'];
  if (window !== undefined && !WINDOWS.includes(window)) throw new ServiceRefusal(400, `window must be one of ${WINDOWS.join(', ')}`);
  if (!ask.world.proposals.byKey(key, ask.at)) throw new ServiceRefusal(404, 'no proposal has that public key');
  return ask.world.wallets
    .trades(walletOf(ask), ask.at)
    .filter(({ proposal }) => proposal.publicKey === key)
    .filter(({ proposal, at }) => window === undefined || at < proposal.twapAt === (window === 'preTwap'));
}

const totals = (trades: readonly WorldOrder[]) => ({
  walletTrades: trades.length,
  walletVolume: jsonNumber(volumeOf(trades)),
  passAlignedVolume: jsonNumber(volumeOf(trades.filter(backsPass))),
  failAlignedVolume: jsonNumber(volumeOf(trades.filter((one) => !backsPass(one)))),
  hourly: [...grouped(trades, ({ at }) => Math.floor(at / HOUR) * HOUR)].map(([hour, of]) => ({
    timestamp: hour / SECOND,
    volume: jsonNumber(volumeOf(of)),
    trades: of.length,
  })),
});

export const walletProposal = one((ask) => {
  const trades = onProposal(ask);
  const proposal = ask.world.proposals.byKey(ask.input['proposalPublicKey'] ?? '', ask.at);
  const window = ask.input['window'];
  if (window !== undefined) return { proposalId: proposal?.id, window, ...totals(trades) };
  return {
    proposalId: proposal?.id,
    preTwap: totals(trades.filter((one) => one.at < one.proposal.twapAt)),
    twapWindow: totals(trades.filter((one) => one.at >= one.proposal.twapAt)),
  };
});

export const tradeRow = (one: WorldOrder) => ({
  marketType: one.market.toUpperCase(),
  direction: one.direction.toUpperCase(),
  price: one.price,
  size: one.size,
  value: jsonNumber(one.usd),
  timeStamp: unix(one.at),
  txHash: one.signature,
});

export const walletProposalTrades = many({
  meta: ['totalItems', 'currentPage'],
  items: (ask) =>
    onProposal(ask).filter(
      ({ market, direction }) => (ask.input['marketType'] ?? market) === market && (ask.input['direction'] ?? direction) === direction,
    ),
  show: tradeRow,
});

export const walletTrades = many({
  meta: ['totalItems', 'itemsPerPage', 'totalPages', 'currentPage'],
  items: (ask) => ask.world.wallets.trades(walletOf(ask), ask.at),
  show: (one, ask) => ({
    ...tradeRow(one),
    proposalPublicKey: one.proposal.publicKey,
    proposalTitle: one.proposal.title,
    organizationName: ask.world.find(one.proposal.slug)?.name ?? one.proposal.slug,
    organizationSlug: one.proposal.slug,
  }),
});

export const walletIcoTotals = one((ask) => {
  const all = ask.world.wallets.icos(walletOf(ask), ask.at);
  return {
    totalIcos: all.length,
    totalContribution: sumOf(all.map((one) => one.contribution)),
    totalRefund: sumOf(all.map((one) => one.refund ?? '0')),
  };
});

export const walletIcos = many({
  meta: ['totalItems', 'currentPage'],
  items: (ask) =>
    ordered(
      ask.world.wallets.icos(walletOf(ask), ask.at).filter(({ launch }) => matches(ask, launch.title, launch.symbol, launch.slug)),
      ask,
      {
        contribution: (row) => Number(row.contribution),
        projectName: (row) => row.launch.title,
        allocation: (row) => Number(row.allocation ?? 0),
      },
    ),
  show: ({ launch, at, contribution, refund, allocation }) => ({
    launchAddr: launch.launchAddr,
    projectName: launch.title,
    organizationSlug: launch.slug,
    tokenSymbol: launch.symbol,
    contribution,
    refund,
    allocation,
    contributedAt: unix(at),
  }),
});
