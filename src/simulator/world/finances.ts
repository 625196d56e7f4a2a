/** Revenue and expenses. Months sum sources, and totals sum months. The current month grows hourly. */
import { HOUR, instant, type Instant } from '../../base/clock.js';
import { roundedNumber, sumOf } from './amounts.js';
import type { Character } from './invented-projects.js';
import { wave, byNature } from './seeded-random.js';
import { bornAt, endedAt, type WorldScene } from './world-inputs.js';

export interface FinanceItem {
  readonly source: string;
  /** The value is in USD, as decimal text. */
  readonly amount: string;
}

export interface FinanceMonth {
  readonly from: Instant;
  readonly amount: string;
  readonly items: readonly FinanceItem[];
}

export type FinanceSide = 'revenue' | 'expense';

const SOURCES: Readonly<Record<FinanceSide, readonly (readonly [string, number])[]>> = {
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

function monthAfter(at: Instant, months: number): Instant {
  const date = new Date(at);
  return instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
}

function monthsBetween(from: Instant, to: Instant): number {
  const [first, last] = [new Date(from), new Date(to)];
  return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
}

const pastMonths = byNature<FinanceMonth>(2_000);

export function financeBook(world: WorldScene) {
  const { roll } = world;
  const past = pastMonths(world);

  function month(who: Character, side: FinanceSide, { from, to, at }: { from: Instant; to: Instant; at: Instant }): FinanceMonth {
    const gone = at >= to ? 1 : Math.max(0, (Math.floor(at / HOUR) * HOUR - from) / (to - from));
    const items = SOURCES[side]
      .filter(([source]) => roll(who.slug, side, source) < 0.85 || source === 'Payroll' || source === 'Protocol fees')
      .map(([source, usual]): FinanceItem => {
        const name = `${side}/${who.slug}/${source}`;
        const height = 1 + 0.5 * wave({ roll, name, at: from, period: 120 * 24 * HOUR }) + 0.4 * (roll(name, from) - 0.5);
        return { source, amount: roundedNumber(who.allowance * usual * height * gone, 2) };
      });
    return { from, amount: sumOf(items.map(({ amount }) => amount)), items };
  }

  /** Returns the months; empty for a project that publishes none. */
  function months(who: Character, side: FinanceSide, at: Instant): readonly FinanceMonth[] {
    if (who.quirk === 'no-nav' || who.quirk === 'launch-only') return [];
    const until = instant(Math.min(at, endedAt(who) ?? at));
    const born = bornAt(world, who);
    const count = Math.max(0, monthsBetween(born, until) + 1);
    return Array.from({ length: count }, (_, index) => ({ from: monthAfter(born, index), to: monthAfter(born, index + 1), at: until }))
      .filter(({ from }) => roll(who.slug, side, 'recorded', from) >= 0.05)
      .map((times) =>
        times.at >= times.to ? past(`${who.slug}/${side}/${times.from}`, () => month(who, side, times)) : month(who, side, times),
      );
  }

  /** Returns undefined if nothing is published. */
  function sum(who: Character, side: FinanceSide, at: Instant): string | undefined {
    const all = months(who, side, at);
    return all.length === 0 ? undefined : sumOf(all.map(({ amount }) => amount));
  }

  return { months, sum };
}
