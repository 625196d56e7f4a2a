/** Computes how a price moved since a moment, such as a market's result, from prices that were already read. Pure. */
import { DAY } from '../base/clock.js';
import { percentChange } from './decimal.js';
import type { Decimal, Instant } from './scalars.js';

export interface PricedPoint {
  readonly at: Instant;
  /** The value is in USD. */
  readonly price?: Decimal | undefined;
}

export interface PriceMove {
  readonly from: { readonly at: Instant; readonly price: Decimal };
  readonly to: { readonly at: Instant; readonly price: Decimal };
  /** The value is in percent. */
  readonly change: Decimal;
}

/** How much older than the moment a price may be to count as the price at it. */
const MAX_BEFORE = DAY;

/** Compares the newest price with the last one before the moment. A later start would already include the moment's effect. */
export function priceSince(points: readonly PricedPoint[], moment: Instant): PriceMove | undefined {
  const priced = points.flatMap(({ at, price }) => (price === undefined ? [] : [{ at, price }])).toSorted((a, b) => a.at - b.at);
  const from = priced.findLast(({ at }) => at <= moment && moment - at <= MAX_BEFORE);
  const to = priced.at(-1);
  const change = from === undefined || to === undefined || to.at <= moment ? undefined : percentChange(from.price, to.price);
  return from === undefined || to === undefined || change === undefined ? undefined : { from, to, change };
}
