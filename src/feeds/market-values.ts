/** This module measures a project's open markets. Each has its own series, from its first measurement to its result. */
import { z } from 'zod';
import type { Order } from '../analytics/endpoints/proposals-market.js';
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { DAY, HOUR, MINUTE, later, type Instant } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Point } from '../domain/crossing.js';
import { divide, multiply, percentChange } from '../domain/decimal.js';
import { marginOf, phaseOf } from '../domain/market-phase.js';
import { measuresOf, type MeasureOf } from '../domain/measures.js';
import { decimal, decimalSchema, instantSchema, type Decimal } from '../domain/scalars.js';
import { firstTrades, knownTradesSchema, newTrades, type KnownTrades, type NewTrade } from './market-trades.js';

export interface MarketPrices {
  readonly pass: Decimal | undefined;
  readonly fail: Decimal | undefined;
}

/** A proposal with the data of its market's endpoints. Absent parts were not read. */
export interface MarketRow extends ProposalRow {
  readonly prices?: MarketPrices | undefined;
  readonly orders?: readonly Order[] | undefined;
  /** The result of a market that has ended, for backtests and for its last trades. */
  readonly outcome?: 'passed' | 'failed' | undefined;
}

type Values = Readonly<Partial<Record<MeasureOf<'proposals'>, Decimal>>>;

const pastSchema = z.object({ at: instantSchema, margin: decimalSchema.optional(), worth: decimalSchema.optional() });
type PastValue = z.infer<typeof pastSchema>;

export const marketSchema = z.object({
  last: z.object({ at: instantSchema, values: z.partialRecord(z.enum(measuresOf('proposals')), decimalSchema) }),
  past: z.array(pastSchema).readonly(),
  /** What is known of trades. It is absent until they were read once. */
  ...knownTradesSchema.partial().shape,
});
export type RememberedMarket = z.infer<typeof marketSchema>;

/** Maximum number of open markets remembered for a project. */
const MAX_MARKETS = 20;

/** Past values are kept 5 minutes apart for 2 hours, and an hour apart for 4 days. */
const FINE = { for: 2 * HOUR, apart: 5 * MINUTE } as const;
const COARSE = { for: 4 * DAY, apart: HOUR } as const;
/** After its end a market is read in detail for this long: only the detail may have its final edge, and the last trades may be missing yet. */
const JUST_ENDED = HOUR;

export const hasJustEnded = ({ endsAt }: Pick<ProposalRow, 'endsAt'>, now: Instant): boolean =>
  endsAt !== undefined && endsAt <= now && now - endsAt < JUST_ENDED;

const HUNDRED = decimal('100');

/** Returns how much more the token is worth if the proposal passes, in percent. */
export const worthOf = ({ pass, fail }: MarketPrices): Decimal | undefined =>
  pass === undefined || fail === undefined ? undefined : percentChange(fail, pass);

function partOf(value: Decimal | undefined, whole: Decimal | undefined): Decimal | undefined {
  const part = value === undefined || whole === undefined ? undefined : divide(value, whole);
  return part && multiply(part, HUNDRED);
}

interface ReadValue {
  readonly phase: 'draft' | 'live';
  readonly of: (row: MarketRow) => Decimal | undefined;
}

/** How each measure is read from a row of its phase. Single trades are measured one by one. */
const VALUES: Readonly<Record<Exclude<MeasureOf<'proposals'>, 'trade'>, ReadValue>> = {
  stake: { phase: 'draft', of: ({ staked, stakeNeeded }) => partOf(staked, stakeNeeded) },
  margin: { phase: 'live', of: marginOf },
  worth: { phase: 'live', of: ({ prices }) => prices && worthOf(prices) },
  pass: { phase: 'live', of: ({ prices }) => prices?.pass },
  fail: { phase: 'live', of: ({ prices }) => prices?.fail },
  volume: { phase: 'live', of: ({ volume }) => volume },
  traders: { phase: 'live', of: ({ traders }) => (traders === undefined ? undefined : decimal(traders)) },
};

function valuesOf(row: MarketRow): Values {
  const phase = phaseOf(row);
  const own = Object.entries(VALUES).filter(([, one]) => one.phase === phase);
  return omitUndefined(Object.fromEntries(own.map(([measure, { of }]) => [measure, of(row)])));
}

export interface MeasuredMarket {
  readonly row: MarketRow;
  /** The topic of the market. */
  readonly topic: string;
  readonly at: Instant;
  readonly values: Values;
  readonly history: { readonly margin?: readonly Point[]; readonly worth?: readonly Point[] };
  /** The measured trade, in a series of trades. */
  readonly trade?: Order;
}

interface MeasuredMarkets {
  readonly markets: Readonly<Record<string, RememberedMarket>>;
  readonly measured: readonly MeasuredMarket[];
  readonly same: readonly string[];
  /** Series that have ended. */
  readonly over: readonly string[];
}

interface OpenMarket {
  readonly key: string;
  readonly topic: string;
  readonly row: MarketRow;
}

const tradesOf = (topic: string): string => `${topic}/trades`;

/** Measures markets. What is remembered of a market that is not in `rows` stays. Pure. */
export function measureMarkets(
  before: Readonly<Record<string, RememberedMarket>> = {},
  rows: readonly OpenMarket[],
  at: Instant,
): MeasuredMarkets {
  const markets = new Map(Object.entries(before));
  const measured: MeasuredMarket[] = [];
  const same: string[] = [];
  const over: string[] = [];
  for (const { key, topic, row } of rows) {
    const phase = phaseOf(row);
    const known = markets.get(key);
    const isOpen = phase === 'draft' || phase === 'live';
    const found = tradesIn(row, { known, at, isOpen });
    const trades = found.trades.map(measuredTrade({ topic, row }));
    if (!isOpen) {
      measured.push(...trades);
      over.push(topic);
      // The trades up to the end could not be read, so the next check reads them.
      if (found.isAwaited) continue;
      markets.delete(key);
      over.push(tradesOf(topic));
      continue;
    }
    const values = valuesOf(row);
    if (Object.keys(values).length === 0) continue;
    const isSame = known !== undefined && textOf(known.last.values) === textOf(values);
    const isOlder = known !== undefined && at <= known.last.at;
    const market = isSame || isOlder ? known : remembered(known, { at, values });
    if (isSame) same.push(topic);
    else if (!isOlder) measured.push({ row, topic, at, values, history: historyOf(market) });
    if (row.orders !== undefined && trades.length === 0) same.push(tradesOf(topic));
    measured.push(...trades);
    markets.set(key, { ...market, ...found.known });
  }
  const newest = [...markets].toSorted(([, a], [, b]) => b.last.at - a.last.at).slice(0, MAX_MARKETS);
  return { markets: Object.fromEntries(newest), measured, same, over };
}

interface TradesContext {
  readonly known: RememberedMarket | undefined;
  readonly at: Instant;
  readonly isOpen: boolean;
}

interface FoundInRow {
  readonly trades: readonly NewTrade[];
  readonly known?: KnownTrades;
  /** The market has just ended, and its last trades were not read. */
  readonly isAwaited?: boolean;
}

/** A market that has its result begins no series of trades; the last ones of a known series are measured. */
function tradesIn(row: MarketRow, { known, at, isOpen }: TradesContext): FoundInRow {
  const { orders, startsAt } = row;
  const { tradedAt, seen, measuredAt } = known ?? {};
  if (orders === undefined) return { trades: [], isAwaited: tradedAt !== undefined && hasJustEnded(row, at) };
  if (tradedAt !== undefined) return newTrades(orders, { known: { tradedAt, ...omitUndefined({ seen, measuredAt }) }, at });
  return isOpen ? firstTrades(orders, { at, begins: startsAt !== undefined && startsAt < at ? startsAt : later(at, -1) }) : { trades: [] };
}

function withOutcome(row: MarketRow): MarketRow {
  const phase = phaseOf(row);
  return phase === 'passed' || phase === 'failed' ? { ...row, outcome: phase } : row;
}

const measuredTrade =
  ({ topic, row }: Pick<OpenMarket, 'topic' | 'row'>) =>
  ({ at, value: trade, order }: NewTrade): MeasuredMarket => ({
    ...{ row: withOutcome(row), topic: tradesOf(topic), at, values: { trade }, history: {} },
    ...(order === undefined ? {} : { trade: order }),
  });

function remembered(known: RememberedMarket | undefined, { at, values }: RememberedMarket['last']): RememberedMarket {
  const { margin, worth } = values;
  const point: PastValue = { at, ...omitUndefined({ margin, worth }) };
  const all = [...(known?.past ?? []), ...(margin === undefined && worth === undefined ? [] : [point])];
  return { ...known, last: { at, values }, past: thinned(all, at) };
}

/** Drops values that are too close to the one before. The newest always stays until the next check. */
function thinned(all: readonly PastValue[], now: Instant): readonly PastValue[] {
  const kept: PastValue[] = [];
  for (const [index, point] of all.entries()) {
    const age = now - point.at;
    if (age > COARSE.for) continue;
    const { apart } = age <= FINE.for ? FINE : COARSE;
    const last = kept.at(-1);
    if (last === undefined || point.at - last.at >= apart || index === all.length - 1) kept.push(point);
  }
  return kept;
}

export function historyOf({ past }: Pick<RememberedMarket, 'past'>): MeasuredMarket['history'] {
  const of = (measure: 'margin' | 'worth'): readonly Point[] =>
    past.flatMap(({ at, [measure]: value }) => (value === undefined ? [] : [{ at, value }]));
  const [margin, worth] = [of('margin'), of('worth')];
  return { ...(margin.length === 0 ? {} : { margin }), ...(worth.length === 0 ? {} : { worth }) };
}

const textOf = (values: Values): string => JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
