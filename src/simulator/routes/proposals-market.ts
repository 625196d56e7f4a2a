/** Serves the market of one proposal (§4.11), computed from its trades. */
import { DAY, HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { INTERVALS, type Interval } from '../../analytics/endpoints/proposals-market.js';
import { ServiceRefusal } from '../error-response.js';
import { file, FULL_META, iso, many, one, unix, type RouteRequest } from '../route.js';
import { exactly, hundredths, jsonNumber, shareOf, sumOf } from '../world/amounts.js';
import { backsPass, type Trade } from '../world/market-trades.js';
import type { Proposal } from '../world/injected-facts.js';
import { stakes } from './proposals.js';
import { tradeRow } from './wallet-activity.js';

export function proposalOf({ world, at, input }: RouteRequest): Proposal {
  const key = input['publicKey'] ?? '';
  const found = world.proposals.byKey(key, at);
  if (!found) throw new ServiceRefusal(404, `no proposal has the public key "${key}"`);
  return found;
}

export const tradesOn = (ask: RouteRequest): readonly Trade[] => ask.world.proposals.trades(proposalOf(ask), ask.at);
export const volumeOf = (trades: readonly Trade[]): string => sumOf(trades.map(({ usd }) => usd));
export const tradersOf = (trades: readonly Trade[]): readonly string[] => [...new Set(trades.map(({ wallet }) => wallet))];
/** Returns the USD behind pass minus those behind fail. */
export const netOf = (trades: readonly Trade[]): string =>
  exactly(volumeOf(trades.filter(backsPass)))
    .minus(volumeOf(trades.filter((trade) => !backsPass(trade))))
    .toFixed();

const orderRow = (trade: Trade, { world }: RouteRequest) => ({ ...tradeRow(world.proposals.order(trade)), wallet: trade.wallet });

export const proposalOrders = many({ meta: FULL_META, items: tradesOn, show: orderRow });
export const proposalOrdersCsv = file((ask) => tradesOn(ask).map((trade) => orderRow(trade, ask)));
export const proposalTraders = many({ items: (ask) => tradersOf(tradesOn(ask)), show: (wallet) => wallet });
export const proposalTradersCsv = file((ask) => tradersOf(tradesOn(ask)).map((wallet) => ({ wallet })));

const KINDS = (['pass', 'fail'] as const).flatMap((market) => (['buy', 'sell'] as const).map((direction) => ({ market, direction })));

export const proposalVolumeCsv = file((ask) =>
  KINDS.map(({ market, direction }) => {
    const trades = tradesOn(ask).filter((trade) => trade.market === market && trade.direction === direction);
    return { marketType: market.toUpperCase(), direction: direction.toUpperCase(), trades: trades.length, volume: volumeOf(trades) };
  }),
);

export const proposalMarket = one((ask) => {
  const found = proposalOf(ask);
  const trades = tradesOn(ask);
  const quoted = ask.world.proposals.quotes(found, ask.at);
  const volume = (fits: (trade: Trade) => boolean) => jsonNumber(volumeOf(trades.filter(fits)));
  return {
    totalVolume: volumeOf(trades),
    totalTrades: trades.length,
    uniqueTraders: tradersOf(trades).length,
    passMarketVolume: volume(({ market }) => market === 'pass'),
    failMarketVolume: volume(({ market }) => market === 'fail'),
    buyVolume: volume(({ direction }) => direction === 'buy'),
    sellVolume: volume(({ direction }) => direction === 'sell'),
    spotPrice: quoted?.spot ?? null,
    passPrice: quoted?.pass ?? null,
    failPrice: quoted?.fail ?? null,
    lastTradeTime: trades[0] === undefined ? null : unix(trades[0].at),
  };
});

export const proposalStatus = one((ask) => {
  const found = proposalOf(ask);
  const market = ask.world.proposals.market(found, ask.at);
  return {
    id: found.id,
    publicKey: found.publicKey,
    title: found.title,
    organizationSlug: found.slug,
    state: market.phase,
    creationDate: iso(found.createdAt),
    startDate: iso(found.liveAt),
    endDate: iso(found.endsAt),
    ...stakes(found, market),
  };
});

const LENGTHS: Readonly<Record<Interval, number>> = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY, max: DAY };
const FEWEST = 24;

const stepOf = (found: Proposal, length: number): number =>
  Math.max(MINUTE, Math.min(length, Math.floor((found.endsAt - found.liveAt) / FEWEST / MINUTE) * MINUTE));

function intervalOf({ input }: RouteRequest): number {
  const known = INTERVALS.find((name) => name === input['timeInterval']);
  if (known === undefined) throw new ServiceRefusal(400, `timeInterval must be one of ${INTERVALS.join(', ')}`);
  return LENGTHS[known];
}

function moments({ from, to, step }: { readonly from: Instant; readonly to: Instant; readonly step: number }): readonly Instant[] {
  if (to < from) return [];
  const last = instant(Math.floor(to / MINUTE) * MINUTE);
  const all = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => instant(from + index * step));
  return last > (all.at(-1) ?? last) ? [...all, last] : all;
}

const reached = (found: Proposal, at: Instant): Instant | undefined =>
  found.outcome === 'removed' || at < found.liveAt ? undefined : instant(Math.min(at, found.endsAt));

export const proposalPrices = one((ask) => {
  const found = proposalOf(ask);
  const to = reached(found, ask.at);
  const points = to === undefined ? [] : moments({ from: found.liveAt, to, step: stepOf(found, 15 * MINUTE) });
  return {
    preTwap: ask.at < found.twapAt,
    prices: points.map((at) => {
      const quoted = ask.world.proposals.quotes(found, at);
      return {
        timestamp: unix(at),
        spotPrice: quoted?.spot,
        approvedPrice: quoted?.pass,
        rejectedPrice: quoted?.fail,
        approvedTwap: quoted?.passTwap ?? null,
        rejectedTwap: quoted?.failTwap ?? null,
      };
    }),
  };
});

export const proposalThreshold = one((ask) => {
  const found = proposalOf(ask);
  const step = stepOf(found, intervalOf(ask));
  const to = reached(found, ask.at);
  const points = to === undefined ? [] : moments({ from: found.twapAt, to, step });
  return {
    preTwap: ask.at < found.twapAt,
    threshold: hundredths(found.thresholdBps),
    chartData: points.map((at) => {
      const { edge } = ask.world.proposals.market(found, at);
      return { timestamp: unix(at), twapPassEdge: edge === undefined ? null : jsonNumber(edge) };
    }),
  };
});

export function stretches(ask: RouteRequest, length: number): readonly { readonly at: Instant; readonly trades: readonly Trade[] }[] {
  const found = proposalOf(ask);
  const to = reached(found, ask.at);
  if (to === undefined) return [];
  const trades = tradesOn(ask);
  const first = Math.floor(found.liveAt / length);
  return Array.from({ length: Math.floor(to / length) - first + 1 }, (_, index) => {
    const at = instant((first + index) * length);
    return { at, trades: trades.filter((trade) => trade.at >= at && trade.at < at + length) };
  });
}

const tiltOf = (pass: string, fail: string): string => shareOf(exactly(pass).minus(fail).toFixed(), sumOf([pass, fail]), 2);

export const proposalFlow = one((ask) => {
  const parts = stretches(ask, stepOf(proposalOf(ask), intervalOf(ask)));
  let [passSoFar, failSoFar] = ['0', '0'];
  return {
    chartData: parts.map(({ at, trades }) => {
      const pass = volumeOf(trades.filter(backsPass));
      const fail = volumeOf(trades.filter((trade) => !backsPass(trade)));
      passSoFar = sumOf([passSoFar, pass]);
      failSoFar = sumOf([failSoFar, fail]);
      return {
        timestamp: unix(at),
        intervalTilt: jsonNumber(tiltOf(pass, fail)),
        cumulativeTilt: jsonNumber(tiltOf(passSoFar, failSoFar)),
      };
    }),
  };
});

const STRONG = 3;

export const proposalPassEdge = one((ask) => {
  const found = proposalOf(ask);
  const { phase, edge, margin, threshold } = ask.world.proposals.market(found, ask.at);
  const over = (phase === 'passed' || phase === 'failed') && edge !== undefined && margin !== undefined;
  return {
    finalPassEdge: over ? jsonNumber(edge) : null,
    threshold,
    classification: over ? `${Math.abs(Number(margin)) >= STRONG ? 'strong' : 'narrow'} ${phase === 'passed' ? 'pass' : 'fail'}` : null,
  };
});
