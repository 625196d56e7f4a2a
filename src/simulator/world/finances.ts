/**
 * What a project takes in and spends, month by month: each month is the sum of its sources, and the totals are the sum of the months. The month
 * that is running grows by the hour. Now and then nothing was recorded for a month; then it is left out, not zero.
 */
import { DateTime } from 'luxon';
import { HOUR, instant, type Instant } from '../../base/clock.js';
import { exactly, rounded, type Exactly } from './amounts.js';
import type { Character } from './cast.js';
import { wave } from './dice.js';
import { bornAt, endedAt, type Scene } from './scene.js';

export interface Item {
  readonly source: string;
  /** USD, decimal text. */
  readonly amount: string;
}

export interface Month {
  readonly from: Instant;
  readonly amount: string;
  readonly items: readonly Item[];
}

export type Side = 'revenue' | 'expense';

/** By how much of the monthly allowance each source moves, on average. */
const SOURCES: Readonly<Record<Side, readonly (readonly [string, number])[]>> = {
  revenue: [
    ['Protocol fees', 0.42],
    ['Liquidity fees', 0.16],
    ['Services', 0.11],
  ],
  expense: [
    ['Payroll', 0.52],
    ['Infrastructure', 0.14],
    ['Audits and legal', 0.1],
    ['Growth', 0.12],
  ],
};

const utc = (at: Instant) => DateTime.fromMillis(at, { zone: 'utc' });
const total = (all: readonly string[]): string => all.reduce((sum: Exactly, one) => sum.plus(one), exactly(0)).toFixed();

export function financeBook(world: Scene) {
  const { roll } = world;

  function month(who: Character, side: Side, { from, to, at }: { from: Instant; to: Instant; at: Instant }): Month {
    const gone = at >= to ? 1 : Math.max(0, (Math.floor(at / HOUR) * HOUR - from) / (to - from));
    const items = SOURCES[side]
      .filter(([source]) => roll(who.slug, side, source) < 0.85 || source === 'Payroll' || source === 'Protocol fees')
      .map(([source, usual]): Item => {
        const name = `${side}/${who.slug}/${source}`;
        const height = 1 + 0.5 * wave({ roll, name, at: from, period: 120 * 24 * HOUR }) + 0.4 * (roll(name, from) - 0.5);
        return { source, amount: rounded(exactly(who.allowance * usual * height * gone), 2) };
      });
    return { from, amount: total(items.map(({ amount }) => amount)), items };
  }

  /** Oldest first; empty for a project that publishes none. */
  function months(who: Character, side: Side, at: Instant): readonly Month[] {
    if (who.quirk === 'no-nav' || who.quirk === 'launch-only') return [];
    const until = instant(Math.min(at, endedAt(who) ?? at));
    const first = utc(bornAt(world, who)).startOf('month');
    const count = Math.max(0, Math.floor(utc(until).diff(first, 'months').months) + 1);
    return Array.from({ length: count }, (_, index) => {
      const from = first.plus({ months: index });
      return { from: instant(from.toMillis()), to: instant(from.plus({ months: 1 }).toMillis()), at: until };
    })
      .filter(({ from }) => roll(who.slug, side, 'recorded', from) >= 0.05)
      .map((times) => month(who, side, times));
  }

  /** Decimal text; undefined where nothing is published. */
  function sum(who: Character, side: Side, at: Instant): string | undefined {
    const all = months(who, side, at);
    return all.length === 0 ? undefined : total(all.map(({ amount }) => amount));
  }

  return { months, sum };
}
