/** The picture of a supply, with every known mint and burn below it on the same days. Pure. */
import type { SupplyEvent } from '../../analytics/endpoints/supply.js';
import { DAY } from '../../base/clock.js';
import type { ChartDraft } from '../../chat/chart.js';
import { absolute, add, negate } from '../../domain/decimal.js';
import { decimal, type Decimal } from '../../domain/scalars.js';
import type { Point as Row } from '../period-ends.js';
import { numberOf, thinned, type Point } from './points.js';

export interface SupplyWords {
  readonly title: string;
  readonly symbol: string;
  /** The mints and burns that are known, and whether these are all. */
  readonly events: readonly SupplyEvent[];
  readonly all: boolean;
}

/** Rows oldest first. Undefined for fewer than two. Events before the first row lie outside the picture. */
export function supplyPicture(rows: readonly Row[], { title, symbol, events, all }: SupplyWords): ChartDraft | undefined {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return undefined;
  const within = events.filter(({ at }) => at >= first.at);
  const minted = daily(within, 'mint');
  const burned = daily(within, 'burn');
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'supply', draw: 'step', unit: 'tokens', points: [...thinned(rows.map(({ at, value }) => [at, numberOf(value)]))] },
      ...bars('minted', 'up', minted),
      ...bars('burned', 'down', burned),
    ],
    axisNames: {
      left: symbol,
      ...(minted.length + burned.length === 0 ? {} : { below: `${symbol} minted and burned a day${all ? '' : ', the latest'}` }),
    },
  };
}

const bars = (name: string, tone: 'up' | 'down', points: readonly Point[]) =>
  points.length === 0
    ? []
    : [{ name, draw: 'bar' as const, unit: 'tokens' as const, axis: 'below' as const, tone, stack: 'events', points: [...points] }];

/** The sum of each day, burns downwards. A word that is neither is left to the list of events. */
function daily(events: readonly SupplyEvent[], type: 'mint' | 'burn'): readonly Point[] {
  const days = new Map<number, Decimal>();
  for (const event of events) {
    if (event.type.toLowerCase() !== type) continue;
    const day = Math.floor(event.at / DAY) * DAY;
    const size = absolute(event.amount);
    days.set(day, add(days.get(day) ?? decimal('0'), type === 'mint' ? size : negate(size)));
  }
  return [...days].toSorted(([a], [b]) => a - b).map(([at, value]) => [at, numberOf(value)]);
}
