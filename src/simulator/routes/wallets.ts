/** Serves wallets (§4.3, §2.3 to §2.9), with Unix seconds, numbers mixed with text, and `needsRefresh` always false. */
import { DAY, HOUR, SECOND, instant, type Instant } from '../../base/clock.js';
import { ServiceRefusal } from '../error-response.js';
import { many, one, unix, type RouteRequest, type Done, type Route } from '../route.js';
import type { Journal } from '../journal.js';
import { exactly, human, jsonNumber, percentOf, product, ratio, shareOf, sumOf } from '../world/amounts.js';
import type { Character } from '../world/invented-projects.js';
import { doneShare, endOf, isOver, type RefreshJob } from '../world/wallets.js';
import { ofProject, matches, ordered, seconds, walletOf } from './wallet-activity.js';

const rowsOf = (ask: RouteRequest) =>
  ask.world.wallets.holdings(walletOf(ask), ask.at).map((row) => {
    const price = ask.world.price(row.who, row.readAt);
    const balance = human(row.held);
    return { ...row, price, balance, value: product(balance, price, 6) };
  });

function freshness(ask: RouteRequest) {
  const wallet = walletOf(ask);
  const seen = ask.world.wallets.snapshot(wallet, ask.at);
  const limit = ask.world.wallets.limit(wallet, ask.at);
  const isKnown = limit !== undefined && limit.tells !== 'nothing';
  return {
    holdingsLastUpdate: seconds(seen.takenAt),
    needsRefresh: false,
    historySyncStatus: seen.historyComplete ? 'completed' : 'pending',
    refreshLimited: isKnown,
    refreshRetryAfterSeconds: isKnown && limit !== undefined ? Math.ceil((limit.until - ask.at) / SECOND) : null,
  };
}

function values(ask: RouteRequest) {
  const wallet = walletOf(ask);
  const seen = ask.world.wallets.snapshot(wallet, ask.at);
  const { coins, usd, unpriced, priced } = ask.world.wallets.others(wallet);
  const rows = rowsOf(ask);
  const owned = sumOf(rows.map((row) => row.value));
  const native = seen.takenAt === undefined ? '0' : product(coins, ask.world.coin(seen.takenAt), 2);
  const others = seen.takenAt === undefined ? '0' : exactly(native).plus(usd).toFixed();
  const total = exactly(owned).plus(others);
  const share = (part: string): string => shareOf(part, total.toFixed(), 4);
  return {
    seen,
    coins: { native: seen.takenAt === undefined ? '0' : coins, value: native },
    owned,
    others,
    total: total.toFixed(),
    ownedShare: share(owned),
    othersShare: share(others),
    unpriced,
    assets: rows.length + priced + unpriced + 1,
  };
}

function jobView(job: RefreshJob, at: Instant) {
  const over = isOver(job, at);
  const share = doneShare(job, at);
  const failed = over && job.outcome === 'fails';
  const queued = at < job.requestedAt + job.queues;
  return {
    jobId: job.jobId,
    walletPublicKey: job.wallet,
    status: failed ? job.word : over ? 'completed' : queued ? 'queued' : 'running',
    progress: {
      totalMints: job.mints,
      processedMints: Math.floor(job.mints * share),
      processedAccounts: Math.floor(job.mints * share),
      incompleteAccounts: over && !failed ? job.incomplete : 0,
      scannedTransactions: Math.floor(job.transactions * share),
    },
    requestedAt: unix(job.requestedAt),
    finishedAt: over ? seconds(endOf(job)) : null,
    holdingsLastUpdate: over && !failed ? seconds(endOf(job)) : null,
    historyCompletedAt: over && !failed && job.incomplete === 0 ? seconds(endOf(job)) : null,
    error: failed ? job.message : null,
  };
}

export const walletOverview = one((ask) => {
  const wallet = walletOf(ask);
  const trades = ofProject(ask.world.wallets.trades(wallet, ask.at), ask);
  const sizes = trades.map(({ usd }) => Number(usd)).toSorted((a, b) => a - b);
  const volume = sumOf(trades.map(({ usd }) => usd));
  const running = ask.world.wallets.jobRunning(wallet, ask.at);
  const value = values(ask);
  return {
    totalVolume: jsonNumber(volume),
    totalTrades: trades.length,
    totalUniqueProposals: new Set(trades.map(({ proposal }) => proposal.publicKey)).size,
    avgTradeSize: trades.length === 0 ? 0 : jsonNumber(ratio(volume, String(trades.length), 4)),
    medianTradeSize: sizes[Math.floor(sizes.length / 2)] ?? 0,
    maxTradeSize: sizes.at(-1) ?? 0,
    walletCreationTime: unix(ask.world.wallets.others(wallet).createdAt),
    walletValue: value.total,
    unpricedTokenCount: value.unpriced,
    walletValueLastUpdate: seconds(value.seen.takenAt),
    ...freshness(ask),
    balanceRefreshStatus: 'cached',
    refreshJob: running === undefined ? null : jobView(running, ask.at),
  };
});

export const walletHoldingsOverview = one((ask) => {
  const value = values(ask);
  return {
    totalAssets: value.assets,
    ownershipCoinsValue: value.owned,
    otherValue: value.others,
    walletValue: value.total,
    ownershipSharePercent: value.ownedShare,
    otherSharePercent: value.othersShare,
    nativeBalance: value.coins.native,
    nativeValue: value.coins.value,
    unpricedTokenCount: value.unpriced,
    walletValueLastUpdate: seconds(value.seen.takenAt),
    ...freshness(ask),
  };
});

type HoldingRow = ReturnType<typeof rowsOf>[number];
const HOLDING_ORDERS: Readonly<Record<string, (row: HoldingRow) => number | string>> = {
  value: (row) => Number(row.value),
  balance: (row) => Number(row.balance),
  holderRank: (row) => row.rank,
  projectName: (row) => row.who.name,
  basketShare: (row) => Number(row.value),
};

export const walletHoldings = many({
  meta: ['totalItems', 'currentPage'],
  also: (ask) => {
    const { holdingsLastUpdate, needsRefresh, historySyncStatus } = freshness(ask);
    return { holdingsLastUpdate, needsRefresh, historySyncStatus };
  },
  items: (ask) => {
    const rows = rowsOf(ask).filter(({ who }) => matches(ask, who.name, who.symbol, who.slug));
    const total = sumOf(rowsOf(ask).map((row) => row.value));
    return ordered(rows, ask, HOLDING_ORDERS).map((row) => ({ ...row, total }));
  },
  show: (row, ask) => ({
    tokenAddress: ask.world.mint(row.who.slug),
    tokenSymbol: row.who.symbol,
    tokenName: row.who.name,
    projectName: row.who.name,
    projectSlug: row.who.slug,
    balance: jsonNumber(row.balance),
    usdPrice: jsonNumber(row.price),
    holderRank: row.rank,
    percentageOfTotalSupply: jsonNumber(shareOf(row.balance, human(row.supply), 8)),
    value: jsonNumber(row.value),
    basketSharePercent: shareOf(row.value, row.total, 4),
    syncedAt: unix(row.readAt),
  }),
});

const STEPS: Readonly<Record<string, number>> = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY };
const MAX_POINTS = 750;

function tokenOf(ask: RouteRequest): Character {
  const token = ask.input['tokenAddress'];
  if (token === undefined) throw new ServiceRefusal(400, 'tokenAddress is required');
  const who = ask.world.projects.find((candidate) => ask.world.mint(candidate.slug) === token);
  if (!who) throw new ServiceRefusal(404, 'that token is no ownership coin');
  return who;
}

const numberOf = ({ input }: RouteRequest, name: string): number | undefined => {
  const text = input[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw new ServiceRefusal(400, `${name} must be a whole number`);
  return Number(text);
};

export const walletTokenFlow = one((ask) => {
  const wallet = walletOf(ask);
  const who = tokenOf(ask);
  const interval = ask.input['interval'] ?? 'day';
  const step = STEPS[interval];
  if (step === undefined) throw new ServiceRefusal(400, `interval must be one of ${Object.keys(STEPS).join(', ')}`);
  const from = numberOf(ask, 'from');
  const to = instant((numberOf(ask, 'to') ?? unix(ask.at)) * SECOND);
  // `days` includes the current day.
  const begin = from === undefined ? to - (numberOf(ask, 'days') ?? 31) * DAY + Math.min(step, DAY) : from * SECOND;
  const first = instant(Math.floor(begin / step) * step);
  if (first > to || (to - first) / step > MAX_POINTS) throw new ServiceRefusal(400, `the range must hold 1 to ${MAX_POINTS} points`);
  const readAt = ask.world.wallets.snapshot(wallet, ask.at).of(who);
  const known = readAt === undefined ? [] : ask.world.wallets.transfers(wallet, who, readAt);
  const total = (fits: (at: number) => boolean, sign: 1 | -1): bigint =>
    known.reduce((all, { at, amount }) => (fits(at) && (sign === 1 ? amount > 0n : amount < 0n) ? all + amount * BigInt(sign) : all), 0n);
  const within = (at: number): boolean => at >= first && at <= to;
  const price = ask.world.price(who, to);
  const points = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => {
    const start = first + index * step;
    const inside = (at: number): boolean => at >= start && at < start + step;
    const [acquired, reduced] = [total(inside, 1), total(inside, -1)];
    const opening = total((at) => at < start, 1) - total((at) => at < start, -1);
    const active = acquired > 0n || reduced > 0n;
    const closing = opening + acquired - reduced;
    return {
      timestamp: start / SECOND,
      acquired: jsonNumber(human(acquired)),
      reduced: jsonNumber(human(reduced)),
      netAccumulation: jsonNumber(human(acquired - reduced)),
      valueUsd: jsonNumber(product(human(acquired - reduced), price, 4)),
      position: active
        ? {
            openingBalance: jsonNumber(human(opening)),
            closingBalance: jsonNumber(human(closing)),
            percentChange: jsonNumber(percentOf(human(opening), human(closing), 4)),
          }
        : { openingBalance: null, closingBalance: null, percentChange: null },
    };
  });
  return {
    tokenAddress: ask.world.mint(who.slug),
    tokenSymbol: who.symbol,
    tokenName: who.name,
    interval,
    from: unix(first),
    to: unix(to),
    totalInflowAmount: jsonNumber(human(total(within, 1))),
    totalOutflowAmount: jsonNumber(human(total(within, -1))),
    netAmount: jsonNumber(human(total(within, 1) - total(within, -1))),
    points,
    holderRank: ask.world.wallets.holdings(wallet, ask.at).find((row) => row.who === who)?.rank ?? null,
    syncedAt: seconds(readAt),
  };
});

const started = (job: RefreshJob, alreadyRunning: boolean, whole: boolean): Done => ({
  status: 202,
  body: {
    data: {
      jobId: job.jobId,
      walletPublicKey: job.wallet,
      status: alreadyRunning ? 'running' : 'queued',
      alreadyRunning,
      ...(whole ? { snapshotRefreshed: false } : {}),
    },
    meta: { code: 202, message: alreadyRunning ? 'A refresh is already in progress' : 'Refresh accepted' },
  },
});

async function refresh(ask: RouteRequest, journal: Journal, slug: string | undefined): Promise<Done> {
  const wallet = walletOf(ask);
  let verdict = ask.world.wallets.ask(wallet, slug, ask.at);
  await journal.addRefresh(wallet, () => {
    verdict = ask.world.wallets.ask(wallet, slug, ask.at);
    return verdict.kind === 'taken' ? verdict.job : undefined;
  });
  if (verdict.kind !== 'refused') return started(verdict.job, verdict.kind === 'running', slug === undefined);
  const wait = verdict.tells === 'body' ? { refreshLimited: true, refreshRetryAfterSeconds: verdict.seconds } : {};
  return {
    status: 429,
    body: { error: { message: 'this wallet was refreshed a short while ago', ...wait } },
    ...(verdict.tells === 'header' ? { headers: { 'retry-after': String(verdict.seconds) } } : {}),
  };
}

export const refreshHoldings: Route = { kind: 'change', act: async (ask, journal) => refresh(ask, journal, undefined) };
export const refreshToken: Route = { kind: 'change', act: async (ask, journal) => refresh(ask, journal, tokenOf(ask).slug) };

export const refreshStatus = one((ask) => {
  const id = ask.input['jobId'];
  if (id === undefined) throw new ServiceRefusal(400, 'jobId is required');
  const job = ask.world.wallets.job(id, ask.at);
  if (!job) throw new ServiceRefusal(404, `no refresh has the id "${id}"`);
  return jobView(job, ask.at);
});
