/** The single trades of a market, as the simulated service lists them: newest first. */
import { iso, keyOf } from './truth.js';
import type { Trade, World } from './world.js';

/** Undefined if the path is of something else. */
export function tradeRows(path: string, { markets }: World, now: number): { readonly rows: readonly unknown[] } | undefined {
  const market = markets.find((one) => path === tradesPath(one) && one.createdAt <= now);
  if (market === undefined) return undefined;
  const { trades = [] } = market;
  const shown = trades.filter(({ shownAt }) => shownAt <= now).toSorted((a, b) => b.at - a.at);
  const rowOf = ({ usd, at }: Trade) => ({
    ...{ timeStamp: iso(at), marketType: 'pass', direction: 'buy' },
    ...{ usdValue: `${usd}`, txHash: `${keyOf(market)}-${usd}` },
  });
  return { rows: shown.map(rowOf) };
}

export const tradesPath = (market: Parameters<typeof keyOf>[0]): string => `/v1/proposal/${keyOf(market)}/orders`;
