/** Chart of a supply with mints and burns. */
import type { SupplyEvent } from '../../analytics/endpoints/supply.js';
import { DAY } from '../../base/clock.js';
import type { ChartDraft } from '../../chat/chart.js';
import { absolute, add, isNegative, isZero, negate, subtract } from '../../domain/decimal.js';
import { decimal, type Decimal, type Instant } from '../../domain/scalars.js';
import { isImplausible } from '../../domain/supply.js';
import type { DatedValue as Row } from '../period-ends.js';
import { numberOf, thinned, type ChartPoint } from './points.js';

export interface SupplyWords {
  readonly title: string;
  readonly symbol: string;
  /** Undefined unless all mints and burns are known. */
  readonly events: readonly SupplyEvent[] | undefined;
}

/** Oldest first; undefined below two. */
export function supplyHistoryChart(rows: readonly Row[], { title, symbol, events }: SupplyWords): ChartDraft | undefined {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return undefined;
  const [added, removed] = events === undefined ? (['added', 'removed'] as const) : (['minted', 'burned'] as const);
  const moves = events === undefined ? changes(rows) : minted(events.filter(({ at }) => at >= first.at));
  const per = (rows.at(-1) ?? first).at - first.at > LONG ? WEEK : DAY;
  const up = sums(
    moves.filter(({ by }) => !isNegative(by)),
    per,
  );
  const down = sums(
    moves.filter(({ by }) => isNegative(by)),
    per,
  );
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'supply', draw: 'step', unit: 'tokens', points: [...thinned(rows.map(({ at, value }) => [at, numberOf(value)]))] },
      ...bars(added, 'up', up),
      ...bars(removed, 'down', down),
    ],
    axisNames: {
      left: symbol,
      ...(up.length + down.length === 0 ? {} : { below: `${symbol} ${added} and ${removed} a ${per === DAY ? 'day' : 'week'}` }),
    },
  };
}

const LONG = 120 * DAY;
const WEEK = 7 * DAY;
const MONDAY = 4 * DAY;

interface Move {
  readonly at: Instant;
  readonly by: Decimal;
}

const minted = (events: readonly SupplyEvent[]): readonly Move[] =>
  events.flatMap((row) => {
    if (isImplausible(row)) return [];
    const { at, type, amount } = row;
    const size = absolute(amount);
    return type.toLowerCase() === 'mint' ? [{ at, by: size }] : type.toLowerCase() === 'burn' ? [{ at, by: negate(size) }] : [];
  });

const changes = (rows: readonly Row[]): readonly Move[] =>
  rows.flatMap(({ at, value }, index) => {
    const before = rows[index - 1];
    const by = before && subtract(value, before.value);
    return by === undefined || isZero(by) ? [] : [{ at, by }];
  });

const bars = (name: string, tone: 'up' | 'down', points: readonly ChartPoint[]) =>
  points.length === 0
    ? []
    : [{ name, draw: 'bar' as const, unit: 'tokens' as const, axis: 'below' as const, tone, stack: 'events', points: [...points] }];

function sums(moves: readonly Move[], per: number): readonly ChartPoint[] {
  const periods = new Map<number, Decimal>();
  for (const { at, by } of moves) {
    const begin = Math.floor((at - MONDAY) / per) * per + MONDAY;
    periods.set(begin, add(periods.get(begin) ?? decimal('0'), by));
  }
  return [...periods].toSorted(([a], [b]) => a - b).map(([at, value]) => [at, numberOf(value)]);
}
