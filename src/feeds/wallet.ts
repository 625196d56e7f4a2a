/** This feed watches wallets: balances, exits, ranks, trades and ICOs. */
import { z } from 'zod';
import {
  participationIdentity,
  walletIcos,
  walletMarketIdentity,
  walletMarkets,
  type Participation,
  type WalletMarket,
} from '../analytics/endpoints/wallet-activity.js';
import { walletHoldings, walletHoldingsOverview } from '../analytics/endpoints/wallets.js';
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import type { Walk } from '../analytics/analytics.js';
import { HOUR, instant, later, MINUTE } from '../base/clock.js';
import { measuresOf } from '../domain/measures.js';
import { decimal, instantSchema, slugSchema } from '../domain/scalars.js';
import type { WalletAddress } from '../domain/wallet.js';
import { offered, unoffered, type AlertKind } from './alert-kind.js';
import { THRESHOLD_STAGE, defineFeed, type Measurements, type FoundEvent } from './feed.js';
import { walletOf } from './check-subject.js';
import { SAMPLE, SAMPLE_WALLET } from '../domain/sample-project.js';
import {
  diffIcos,
  diffMarkets,
  icosWatermarkSchema,
  marketsWatermarkSchema,
  type ActivityPart,
  type ActivityTraces,
} from './wallet-activity.js';
import { diffHoldings, holdingsWatermarkSchema, type HoldingChange, type HoldingsSeen, type HolderRank } from './wallet-holdings.js';
import { factsSchema, walletContent, walletSize, type WalletFacts } from './wallet-content.js';

/** A snapshot that is this much older than the first check is not used as a baseline. */
const STALE = 2 * HOUR;

const watermarkSchema = z.object({
  since: instantSchema,
  holdings: holdingsWatermarkSchema,
  /** Each part's first check returns no events. */
  markets: marketsWatermarkSchema.optional(),
  icos: icosWatermarkSchema.optional(),
});

interface Snapshot {
  readonly holdings: Omit<HoldingsSeen, 'detectedAt'>;
  /** Trades in markets; undefined if the plan hides them. */
  readonly markets?: ActivityPart<WalletMarket> | undefined;
  readonly icos?: ActivityPart<Participation> | undefined;
}

const alerts: AlertKind<WalletFacts> = {
  words: ['balance change', 'balance changes'],
  rank: 'moved',
  stages: {
    balance: offered('moved', 'balance change', 'balance changes'),
    new: offered('moved', 'position opened', 'positions opened'),
    exit: offered('moved', 'position closed', 'positions closed'),
    rank: offered('moved', 'rank change', 'rank changes'),
    trades: offered('moved', 'round of trades', 'rounds of trades'),
    ico: offered('moved', 'ICO joined', 'ICOs joined'),
    [THRESHOLD_STAGE]: unoffered('result', 'rank change', 'rank changes'),
  },
  stageGroups: {},
  filters: ['leastUsd', 'leastPercent', 'stages', 'projects'],
  measures: measuresOf('wallet'),
  defaultRules: [],
  important: { says: 'changes from $1K', filters: { leastUsd: decimal('1000') }, thresholds: [] },
  most: { says: 'changes from $100', filters: { leastUsd: decimal('100') }, thresholds: [] },
  sound: 'rings',
  size: walletSize,
  offers: {
    example: 'rank move 3',
    hint: 'usd>1000 or rank move 3',
    percents: ['1', '10'],
    thresholds: [],
    moves: ['rank move 1', 'rank move 3', 'rank move 10'],
  },
};

export const wallet = defineFeed<z.infer<typeof watermarkSchema>, Snapshot, WalletFacts>({
  id: 'wallet',
  summary: 'balance changes, new and closed positions, ranks, decision-market trades and ICOs of a wallet',
  order: 90,
  alerts,
  scope: 'wallet',
  // A refresh triggers its own check; between refreshes only trades and ICOs can be new.
  every: 15,
  data: 'state',
  watermark: watermarkSchema,
  facts: factsSchema,

  async read(subject, { analytics, options, unranked }) {
    const address = walletOf(subject);
    const input = { walletPublicKey: address };
    // Read the snapshot's time first: a row newer than it carries its own time, and none gets an older one.
    const overview = await analytics.call(walletHoldingsOverview, input, options);
    const [holdings, markets, icos] = await Promise.all([
      analytics.walk(walletHoldings, input, (row) => row.token, options),
      unlessHidden(async () => analytics.walk(walletMarkets, input, walletMarketIdentity, options)),
      unlessHidden(async () => analytics.walk(walletIcos, input, participationIdentity, options)),
    ]);
    const walks = [holdings, markets, icos].filter((walk) => walk !== undefined);
    const { snapshotAt } = overview.data;
    return {
      data: {
        holdings: {
          rows: holdings.rows,
          snapshotAt,
          whole: isWhole(holdings),
          ranked: snapshotAt === undefined || unranked?.(address).includes(snapshotAt) !== true,
        },
        markets: markets && { rows: markets.rows, whole: isWhole(markets) },
        icos: icos && { rows: icos.rows, whole: isWhole(icos) },
      },
      at: instant(Math.min(overview.at, ...walks.map((walk) => walk.at))),
      complete: walks.every((walk) => walk.complete),
      hidden: walks.reduce((total, walk) => total + walk.hidden, 0),
      broken: walks.reduce((total, walk) => total + walk.broken, 0),
    };
  },

  history: { unavailable: 'The service keeps one snapshot of a wallet and has no history of its balances and ranks.' },

  diff(subject, before, { data: snapshot, at }) {
    const address = walletOf(subject);
    const since = before?.since ?? at;
    const holdings = diffHoldings(before?.holdings, { ...snapshot.holdings, detectedAt: at });
    const markets = snapshot.markets && diffMarkets(before?.markets, snapshot.markets);
    const icos = snapshot.icos && diffIcos(before?.icos, snapshot.icos);
    return {
      watermark: {
        since,
        holdings: holdings.watermark,
        markets: markets?.watermark ?? before?.markets,
        icos: icos?.watermark ?? before?.icos,
      },
      events: [
        ...holdings.changes
          .filter(({ from = before?.holdings.wholeAt ?? since }) => since - from <= STALE)
          .map((change) => holdingNews(address, change)),
        ...(markets?.traded ?? []).map((traces) => tradesNews(address, traces)),
        ...(icos?.joined ?? []).map(({ key, row: { project, slug, symbol, contribution, at: occurredAt } }): FoundEvent<WalletFacts> => {
          const facts: WalletFacts = { about: 'ico', project: project ?? slug, slug, symbol, contribution };
          return { ...named(address, `ico/${key}`), stage: 'ico', occurredAt, facts };
        }),
      ],
      measurements: holdings.ranks.map((rank) => rankFigures(address, rank)),
      same: holdings.stillRanked.map((token) => named(address, `${token}/rank`).id),
    };
  },

  content: ({ facts, stage, wallet: address }, { name, crossings }) => walletContent({ facts, stage, address, name, crossings }),

  sample: (now) => ({
    ...named(SAMPLE_WALLET, 'sample/1'),
    stage: 'balance',
    occurredAt: later(now, -MINUTE),
    facts: {
      about: 'holding',
      token: SAMPLE.slug,
      symbol: SAMPLE.symbol,
      was: decimal('1000'),
      now: decimal('1250'),
      from: later(now, -6 * HOUR),
      at: later(now, -MINUTE),
      price: decimal('0.828'),
      value: decimal('1035'),
      ofSupply: decimal('0.01'),
      rank: 9,
      wasRank: 12,
    },
  }),
});

const isWhole = ({ complete, broken }: Pick<Walk<unknown>, 'complete' | 'broken'>): boolean => complete && broken === 0;

const HIDES: ReadonlySet<Trouble> = new Set(['forbidden', 'unknown', 'rejected', 'malformed']);

/** Returns undefined after errors that hide one list. */
async function unlessHidden<T>(walk: () => Promise<T>): Promise<T | undefined> {
  try {
    return await walk();
  } catch (cause) {
    if (cause instanceof AnalyticsError && HIDES.has(cause.trouble)) return undefined;
    throw cause;
  }
}

function named(address: WalletAddress, what: string): Pick<FoundEvent<WalletFacts>, 'id' | 'topic' | 'wallet'> {
  const id = `wallet/${address}/${what}`;
  return { id, topic: id, wallet: address };
}

function holdingNews(
  address: WalletAddress,
  { stage, token, symbol, slug, was, now, from, at, rank, wasRank, row }: HoldingChange,
): FoundEvent<WalletFacts> {
  const facts: WalletFacts = {
    about: 'holding',
    token,
    symbol,
    was,
    now,
    from,
    at,
    rank,
    wasRank,
    price: row?.price,
    value: row?.value,
    ofSupply: row?.ofSupply,
    ...(slug && { slug }),
  };
  return { ...named(address, `${token}/${at}${stage === 'rank' ? '/rank' : ''}`), stage, occurredAt: at, facts };
}

function rankFigures(address: WalletAddress, { token, symbol, rank, wasRank, at, row }: HolderRank): Measurements<WalletFacts> {
  return {
    id: named(address, `${token}/rank/${at}`).id,
    ...(row.slug === undefined ? {} : { project: slugSchema.parse(row.slug) }),
    wallet: address,
    at,
    values: { rank: decimal(rank) },
    facts: {
      about: 'rank',
      token,
      symbol,
      rank,
      wasRank,
      at,
      ofSupply: row.ofSupply,
      ...(row.slug === undefined ? {} : { slug: row.slug }),
    },
  };
}

function tradesNews(address: WalletAddress, { row, key, trades, lastAt, more, moreVolume }: ActivityTraces): FoundEvent<WalletFacts> {
  const { publicKey, title, project, slug, volume, net, state } = row;
  const facts: WalletFacts = { about: 'trades', publicKey, title, project, slug, trades, more, volume, moreVolume, net, state };
  const topic = named(address, `trades/${key}`);
  return { ...topic, id: `${topic.id}/${trades ?? '?'}@${lastAt ?? '?'}`, stage: 'trades', occurredAt: lastAt, facts };
}
