/** The picture of a premium: price and NAV/AS, the area between them by which is above, the widest discount and the highest premium. Pure. */
import type { ChartDraft } from '../../chat/chart.js';
import { points as pointsText } from '../../domain/format.js';
import type { GapPoint, GapRange } from '../../domain/premium.js';
import { numberOf } from './points.js';

/** Undefined where price and NAV/AS are not both known at two moments at least: a single point has no course. */
export function premiumChart({ ends, low, high }: GapRange, title: string): ChartDraft | undefined {
  // The extremes may lie within a day of which only the end is shown.
  const rows = [...new Map([...ends, low, high].map((point) => [point.at, point])).values()].toSorted((a, b) => a.at - b.at);
  if (rows.filter(({ price, navPerShare }) => price !== undefined && navPerShare !== undefined).length < 2) return undefined;
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'price', draw: 'line', unit: 'usd', points: rows.map(({ at, price }) => [at, numberOf(price)]) },
      { name: 'NAV/AS', draw: 'line', unit: 'usd', tone: 'second', points: rows.map(({ at, navPerShare }) => [at, numberOf(navPerShare)]) },
    ],
    gap: true,
    gapNames: { up: 'above NAV', down: 'below NAV' },
    marks: low.at === high.at ? [] : [...mark('low', low), ...mark('high', high)],
  };
}

const mark = (name: 'low' | 'high', { at, gap, price, navPerShare }: GapPoint) => {
  const value = numberOf(price);
  if (value === null) return [];
  // The words stand on the side of the price that is turned away from NAV/AS.
  const under = navPerShare === undefined ? name === 'low' : value < Number(navPerShare);
  return [{ name: `${name} ${pointsText(gap)}`, series: 0, at, value, side: under ? ('below' as const) : ('above' as const) }];
};
