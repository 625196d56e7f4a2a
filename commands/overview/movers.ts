/** The largest known price moves. */
import type { ProjectRow } from '../../src/analytics/endpoints/dashboard.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { compare, isNegative, isZero } from '../../src/domain/decimal.js';
import { percent, premium, price } from '../../src/domain/format.js';
import { gapOf } from '../../src/domain/premium.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import { dotted, rowAge } from '../../src/reply/index.js';

export const WINDOWS = ['1h', '24h', '7d'] as const;
export type PriceWindow = (typeof WINDOWS)[number];

const CHANGES = {
  '1h': (row: ProjectRow) => row.change1h,
  '24h': (row: ProjectRow) => row.change24h,
  '7d': (row: ProjectRow) => row.change7d,
} satisfies Record<PriceWindow, (row: ProjectRow) => Decimal | undefined>;

export interface Mover {
  readonly row: ProjectRow;
  readonly change: Decimal;
}

export function movers(rows: readonly ProjectRow[], over: PriceWindow): { readonly up: readonly Mover[]; readonly down: readonly Mover[] } {
  const moved = rows
    .flatMap((row): Mover[] => {
      const change = CHANGES[over](row);
      return change === undefined || isZero(change) ? [] : [{ row, change }];
    })
    .toSorted((a, b) => compare(b.change, a.change));
  return { up: moved.filter(({ change }) => !isNegative(change)), down: moved.filter(({ change }) => isNegative(change)).toReversed() };
}

export const nameOf = ({ symbol, name, slug }: ProjectRow): string => symbol ?? name ?? slug ?? 'unnamed';

export const moverList = (all: readonly Mover[], { most, now }: { readonly most: number; readonly now: Instant }): BlockDraft => ({
  kind: 'list',
  items: all.slice(0, most).map(({ row, change }) => {
    const gap = gapOf({ price: row.price, navPerShare: row.navPerShare, premium: row.premium }).percent;
    return {
      tone: isNegative(change) ? ('down' as const) : ('up' as const),
      line: dotted(
        [{ strong: nameOf(row) }, ` ${percent(change)}${rowAge(row, now)}`],
        price(row.price),
        gap === undefined ? undefined : premium(gap),
      ),
    };
  }),
});

/** Undefined where no gap is known. */
export function belowNav(rows: readonly ProjectRow[]): { readonly below: number; readonly of: number } | undefined {
  const gaps = rows.flatMap(
    ({ price: now, navPerShare, premium: said }) => gapOf({ price: now, navPerShare, premium: said }).percent ?? [],
  );
  return gaps.length === 0 ? undefined : { below: gaps.filter(isNegative).length, of: gaps.length };
}
