/** Chart of a premium: price and NAV/share. */
import type { ChartDraft } from '../../chat/chart.js';
import { percent } from '../../domain/format.js';
import type { GapPoint, GapRange } from '../../domain/premium.js';
import { numberOf } from './points.js';

export function premiumChart({ ends, low, high }: GapRange, title: string): ChartDraft | undefined {
  // The extremes may lie within a day, of which only the end is drawn.
  const rows = [...new Map([...ends, low, high].map((point) => [point.at, point])).values()].toSorted((a, b) => a.at - b.at);
  if (rows.filter(({ price, navPerShare }) => price !== undefined && navPerShare !== undefined).length < 2) return undefined;
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'price', draw: 'line', unit: 'usd', points: rows.map(({ at, price }) => [at, numberOf(price)]) },
      {
        name: 'NAV/share',
        draw: 'line',
        unit: 'usd',
        tone: 'second',
        points: rows.map(({ at, navPerShare }) => [at, numberOf(navPerShare)]),
      },
    ],
    gap: true,
    gapNames: { up: 'above NAV', down: 'below NAV' },
    marks: low.at === high.at ? [] : [...mark('low', low), ...mark('high', high)],
  };
}

const mark = (name: 'low' | 'high', { at, gap, price, navPerShare }: GapPoint) => {
  const value = numberOf(price);
  if (value === null) return [];
  // Labels are on the side of the price that faces away from NAV/share.
  const under = navPerShare === undefined ? name === 'low' : value < Number(navPerShare);
  return [{ name: `${name} ${percent(gap)}`, series: 0, at, value, side: under ? ('below' as const) : ('above' as const) }];
};
