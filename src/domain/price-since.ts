/** How a price moved since a moment, such as the result of a market, as far as what was read shows it. It is pure. */
import { DAY } from '../base/clock.js';
import { percentChange } from './decimal.js';
import type { Decimal, Instant } from './scalars.js';

export interface PricedPoint {
  readonly at: Instant;
  /** It is in USD. */
  readonly price?: Decimal | undefined;
}

export interface PriceMove {
  readonly from: { readonly at: Instant; readonly price: Decimal };
  readonly to: { readonly at: Instant; readonly price: Decimal };
  /** It is in percent. */
  readonly change: Decimal;
}

/** An older price says nothing of that at the moment. */
const MAX_BEFORE = DAY;

/** It compares the newest price after the moment with the last one up to it, because a later one has the moment's effect in it already. */
export function priceSince(points: readonly PricedPoint[], moment: Instant): PriceMove | undefined {
  const priced = points.flatMap(({ at, price }) => (price === undefined ? [] : [{ at, price }])).toSorted((a, b) => a.at - b.at);
  const from = priced.findLast(({ at }) => at <= moment && moment - at <= MAX_BEFORE);
  const to = priced.at(-1);
  const change = from === undefined || to === undefined || to.at <= moment ? undefined : percentChange(from.price, to.price);
  return from === undefined || to === undefined || change === undefined ? undefined : { from, to, change };
}
