/** This module reads proposals, and merges rows of the same one from several lists, by public key or else by number. */
import type { Analytics, Answer, CallOptions, Walk, ListOptions } from '../analytics/analytics.js';
import { allMarkets, liveMarkets } from '../analytics/endpoints/dashboard.js';
import { proposalDetail, proposalIdentity, proposals as proposalList, type ProposalRow } from '../analytics/endpoints/proposals.js';
import {
  proposalMarket,
  proposalOrders,
  proposalPrices,
  proposalThreshold,
  type Order,
  type PricePoint,
} from '../analytics/endpoints/proposals-market.js';
import { AnalyticsError } from '../analytics/errors.js';
import { HOUR, instant } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { phaseOf } from '../domain/market-phase.js';
import type { Measure } from '../domain/measures.js';
import type { Decimal, Instant, Slug } from '../domain/scalars.js';
import { keyFault } from '../domain/wallet.js';
import type { CheckContext, Snapshot } from './feed.js';
import type { PastContext } from './history.js';
import { orderIdentity } from './market-trades.js';
import { hasJustEnded, type MarketPrices, type MarketRow } from './market-values.js';
import { wasLive } from './proposal-stages.js';

/** Maximum number of details read in a check. Usually one market is open at a time. */
export const MAX_DETAILS = 5;

interface ReadContext {
  readonly analytics: Analytics;
  readonly options: CallOptions;
}

interface MarketsContext extends ReadContext {
  /** What else is read of each live market. By default nothing, which fits a monthly limit. */
  readonly markets?: MarketParts | undefined;
}

interface MarketParts {
  readonly trades: boolean;
  /** Earlier trades are known. If undefined, the newest page is enough. */
  readonly since: Instant | undefined;
}

/** Reads the current proposals, and adds data from the list of live markets, the details and the markets' endpoints. */
export async function readProposals(slug: Slug, { analytics, options, markets: more }: MarketsContext): Promise<Walk<MarketRow>> {
  const walk = await analytics.walk(proposalList, { slug }, proposalIdentity, options);
  const markets = await liveByIdentity({ analytics, options });
  const merged = walk.rows.map((row) => merge(row, markets.get(proposalIdentity(row))));
  const moving = merged.filter((row) => row.publicKey !== undefined && (phaseOf(row) === 'live' || hasJustEnded(row, walk.at)));
  const details = new Map(
    await Promise.all(
      moving.slice(0, MAX_DETAILS).map(async (row) => [proposalIdentity(row), await detail(row, { analytics, options })] as const),
    ),
  );
  const rows = merged.map((row) => merge(row, details.get(proposalIdentity(row))));
  if (more === undefined) return { ...walk, rows };
  const seen = new Map(
    await Promise.all(
      moving
        .slice(0, MAX_DETAILS)
        .map(async (row) => [proposalIdentity(row), await marketOf(row, { analytics, options, ...more })] as const),
    ),
  );
  return { ...walk, rows: rows.map((row) => ({ ...row, ...seen.get(proposalIdentity(row)) })) };
}

/** Maximum number of trades that a check reads of a market; newest first. */
const MAX_TRADES = 200;

async function marketOf(
  { publicKey }: ProposalRow,
  { analytics, options, trades: isTraded, since }: ReadContext & MarketParts,
): Promise<Pick<MarketRow, 'prices' | 'orders'>> {
  if (publicKey === undefined || keyFault(publicKey) !== undefined) return {};
  const market = await tolerating(undefined, async () => analytics.call(proposalMarket, { publicKey }, options));
  const enough = (rows: readonly Order[]): boolean =>
    rows.length >= MAX_TRADES || rows.some(({ at }) => at !== undefined && (since === undefined || at < since));
  const trades = isTraded
    ? await tolerating(undefined, async () => analytics.walk(proposalOrders, { publicKey }, orderIdentity, { ...options, enough }))
    : undefined;
  return omitUndefined({
    prices: market && { pass: market.data.passPrice, fail: market.data.failPrice },
    orders: trades?.rows,
  });
}

/** Markets whose past values are read: the newest ones. */
export const MAX_COURSES = 12;

/** Values of a market's charts at one time. */
export interface CoursePoint {
  readonly at: Instant;
  readonly edge?: Decimal | undefined;
  readonly prices?: MarketPrices;
}

export interface PastCourse {
  readonly publicKey: string;
  readonly threshold: Decimal | undefined;
  readonly points: readonly CoursePoint[];
}

const OF_PRICES: readonly Measure[] = ['worth', 'pass', 'fail'];

/** Reads past values of the newest decided markets, with one request for each chart that the measures need. */
export async function readCourses(
  rows: readonly ProposalRow[],
  measured: readonly Measure[],
  { analytics, options }: ReadContext,
): Promise<readonly PastCourse[]> {
  const decided = rows
    .flatMap(({ publicKey, ...row }) => (publicKey === undefined || keyFault(publicKey) !== undefined ? [] : [{ ...row, publicKey }]))
    .filter((row) => phaseOf(row) === 'passed' || phaseOf(row) === 'failed')
    .toSorted((a, b) => (b.endsAt ?? 0) - (a.endsAt ?? 0))
    .slice(0, MAX_COURSES);
  const courses: PastCourse[] = [];
  for (const { publicKey, threshold } of decided) {
    const edges = measured.includes('margin')
      ? await tolerating(undefined, async () => analytics.call(proposalThreshold, { publicKey, timeInterval: '1h' }, options))
      : undefined;
    const prices = measured.some((one) => OF_PRICES.includes(one))
      ? await tolerating(undefined, async () => analytics.walk(proposalPrices, { publicKey }, ({ at }) => String(at), options))
      : undefined;
    courses.push({
      publicKey,
      threshold: edges?.data.threshold ?? threshold,
      points: [
        ...(edges?.data.rows ?? []).flatMap(({ at, edge }) => (at === undefined ? [] : [{ at, edge }])),
        ...hourly(prices?.rows ?? []).map(({ at, pass, fail }) => ({ at, prices: { pass, fail } })),
      ],
    });
  }
  return courses;
}

/** Returns the last price of each hour, as in the chart of margins. The service has four an hour. */
function hourly(points: readonly PricePoint[]): readonly (PricePoint & { readonly at: Instant })[] {
  const dated = points.flatMap(({ at, ...point }) => (at === undefined ? [] : [{ ...point, at }]));
  return [...new Map(dated.map((point) => [Math.floor(point.at / HOUR), point])).values()];
}

export interface PastRows extends Walk<ProposalRow> {
  /** Why a start may be missing, as text that continues a sentence, or empty. */
  readonly unread: string;
}

/** Reads past proposals. Missing starts are added from the list of all decision markets, which is read only if needed. */
export async function readPastProposals(slug: Slug, { analytics, options, from, now }: PastContext): Promise<PastRows> {
  const walk = await analytics.walk(proposalList, { slug }, proposalIdentity, options);
  const lacking = (rows: readonly ProposalRow[]) => rows.filter((row) => lacksStart(row, { from, now }));
  const live = await liveByIdentity({ analytics, options });
  const withLive = walk.rows.map((row) => merge(row, live.get(proposalIdentity(row))));
  const wanted = new Set(lacking(withLive).flatMap(({ publicKey }) => publicKey ?? []));
  if (wanted.size === 0) return { ...walk, rows: withLive, unread: '' };
  const enough = (rows: readonly ProposalRow[]): boolean => {
    const keys = new Set(rows.map(({ publicKey }) => publicKey));
    return [...wanted].every((key) => keys.has(key));
  };
  const read = async (how: ListOptions<ProposalRow>) =>
    tolerating<Walk<ProposalRow> | undefined>(undefined, async () => analytics.walk(allMarkets, {}, proposalIdentity, { ...how, enough }));
  let markets = await read(options);
  const dated = (): readonly ProposalRow[] => {
    const byKey = new Map(markets?.rows.map((row) => [row.publicKey, row]));
    return withLive.map((row) => merge(row, row.publicKey === undefined ? undefined : byKey.get(row.publicKey)));
  };
  // A cached copy lacks markets that began after it.
  const { at: copiedAt = now } = markets ?? {};
  if (copiedAt < now && lacking(dated()).some(({ endsAt = now }) => endsAt > copiedAt)) {
    const { maxAge: _, ...fresh } = options;
    markets = (await read(fresh)) ?? markets;
  }
  options.signal?.throwIfAborted();
  return { ...walk, rows: dated(), unread: unreadText(markets) };
}

function unreadText(markets: Walk<ProposalRow> | undefined): string {
  if (markets === undefined) return ': the list of decision markets could not be read';
  if (markets.hidden > 0) return `: the data plan shows only the newest ${markets.rows.length} decision markets of all projects`;
  return markets.cut === undefined ? '' : ': not all decision markets could be read';
}

/** Tells whether the start is missing of a market that may have been live in the period. */
const lacksStart = (row: ProposalRow, { from, now }: Pick<PastContext, 'from' | 'now'>): boolean =>
  row.startsAt === undefined && wasLive(row, now) !== false && (row.endsAt ?? now) >= from;

/** Reads the list of live markets, which has more fields than the project's list. */
async function liveByIdentity({ analytics, options }: ReadContext): Promise<ReadonlyMap<string, ProposalRow>> {
  return tolerating(new Map<string, ProposalRow>(), async () => {
    const { rows } = await analytics.walk(liveMarkets, {}, proposalIdentity, options);
    return new Map(rows.map((row) => [proposalIdentity(row), row]));
  });
}

/** Reads each proposal that a list shows, or showed last, by itself. Returns undefined if that would miss some. */
export async function readListedProposals(
  { now, base }: NonNullable<CheckContext['listed']>,
  { markets, ...context }: MarketsContext,
): Promise<Snapshot<readonly MarketRow[]> | undefined> {
  const open = [...new Set([...(now.open ?? []), ...(base?.open ?? [])])];
  if (open.length === 0 || open.length > MAX_DETAILS) return undefined;
  const answers = await Promise.all(open.map(async (identity) => detailOf(identity, context)));
  const known = answers.filter((answer) => answer !== undefined);
  if (known.length < open.length) return undefined;
  const at = instant(Math.min(...known.map((answer) => answer.at)));
  const data = await Promise.all(
    known.map(async ({ data: row }): Promise<MarketRow> =>
      markets !== undefined && (phaseOf(row) === 'live' || hasJustEnded(row, at))
        ? { ...row, ...(await marketOf(row, { ...context, ...markets })) }
        : row,
    ),
  );
  return { data, at, complete: false, hidden: 0, broken: 0, isPart: true };
}

const detailOf = async (publicKey: string, { analytics, options }: ReadContext): Promise<Answer<ProposalRow> | undefined> =>
  tolerating(undefined, async () => analytics.call(proposalDetail, { publicKey }, options));

const detail = async ({ publicKey }: ProposalRow, context: ReadContext): Promise<ProposalRow | undefined> =>
  publicKey === undefined ? undefined : (await detailOf(publicKey, context))?.data;

/** Returns `otherwise` if the request fails. */
async function tolerating<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof AnalyticsError) return otherwise;
    throw cause;
  }
}

/** Merges two rows. Edge and margin change, so both are taken from one row: the one that has more of them, or else the first. */
const merge = (row: ProposalRow, more: ProposalRow | undefined): ProposalRow => {
  if (more === undefined) return row;
  const { passEdge, margin } = standsIn(more) > standsIn(row) ? more : row;
  return { ...more, ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)), passEdge, margin };
};

const standsIn = ({ passEdge, margin }: ProposalRow): number => [passEdge, margin].filter((value) => value !== undefined).length;
