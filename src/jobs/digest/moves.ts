/** This module finds changes of premium and NAV in a period. It is pure. */
import { absolute, compare, percentChange, subtract } from '../../domain/decimal.js';
import { decimal, type Decimal, type Instant } from '../../domain/scalars.js';

export interface DigestSpan {
  readonly from: Instant;
  readonly to: Instant;
}

/** Values at one time. Prices are in USD, and `gap` is in percent of NAV/share. */
export interface BackedPoint {
  readonly at: Instant;
  readonly gap?: Decimal | undefined;
  readonly nav?: Decimal | undefined;
  readonly price?: Decimal | undefined;
}

export interface MeasuredProject {
  readonly slug: string;
  /** The symbol, or else the name. */
  readonly name: string;
  readonly last: BackedPoint | undefined;
  /** When the last response with these values arrived. */
  readonly foundAt: Instant | undefined;
  readonly past: readonly BackedPoint[];
}

export interface ProjectMove extends Pick<MeasuredProject, 'slug' | 'name'> {
  readonly foundAt: Instant;
  readonly gap: Decimal | undefined;
  readonly gapBefore: Decimal | undefined;
  /** The value is in percentage points. */
  readonly gapChange: Decimal | undefined;
  readonly nav: Decimal | undefined;
  readonly navBefore?: Decimal | undefined;
  /** The value is in percent. */
  readonly navChange: Decimal | undefined;
}

/** A point within this part of the period from its begin or end counts as the value there. */
const NEAR_PART = 1 / 4;

const valueAt = (points: readonly BackedPoint[], what: 'gap' | 'nav', { from, to }: DigestSpan): Decimal | undefined => {
  const reach = (to - from) * NEAR_PART;
  const near = points.filter((point) => point[what] !== undefined && Math.abs(point.at - from) <= reach);
  return near.toSorted((a, b) => Math.abs(a.at - from) - Math.abs(b.at - from))[0]?.[what];
};

export function moveOf(project: MeasuredProject, span: DigestSpan): ProjectMove | undefined {
  const { slug, name, last, foundAt, past } = project;
  if (last === undefined) return undefined;
  const { gap, nav } = last;
  // If the value is unchanged since before the period, it is also the value at the beginning.
  const points = last.at <= span.from ? [...past, { ...last, at: span.from }] : past;
  const [gapBefore, navBefore] = [valueAt(points, 'gap', span), valueAt(points, 'nav', span)];
  return {
    slug,
    name,
    foundAt: foundAt ?? last.at,
    gap,
    gapBefore,
    nav,
    navBefore,
    gapChange: gap === undefined || gapBefore === undefined ? undefined : subtract(gap, gapBefore),
    navChange: nav === undefined || navBefore === undefined ? undefined : percentChange(navBefore, nav),
  };
}

/** Minimum moves that are shown. */
const MIN_POINTS = decimal('0.5');
const MIN_PERCENT = decimal('0.5');
const MAX_BY_PREMIUM = 3;
const MAX_BY_NAV = 2;

const reaches = (value: Decimal | undefined, least: Decimal): value is Decimal =>
  value !== undefined && compare(absolute(value), least) >= 0;

function largest(moves: readonly ProjectMove[], what: 'gapChange' | 'navChange', least: Decimal, most: number): readonly ProjectMove[] {
  const moved = moves.flatMap((move) => {
    const by = move[what];
    return reaches(by, least) ? [{ move, by }] : [];
  });
  const sorted = moved.toSorted((a, b) => compare(b.by, a.by));
  const up = sorted.filter(({ by }) => !by.startsWith('-')).slice(0, most);
  const down = sorted
    .filter(({ by }) => by.startsWith('-'))
    .toReversed()
    .slice(0, most);
  return [...up, ...down].map(({ move }) => move);
}

/** Returns the largest moves, largest first, each project once. */
export function topMoves(moves: readonly ProjectMove[]): readonly ProjectMove[] {
  const found = new Set([
    ...largest(moves, 'gapChange', MIN_POINTS, MAX_BY_PREMIUM),
    ...largest(moves, 'navChange', MIN_PERCENT, MAX_BY_NAV),
  ]);
  const size = ({ gapChange, navChange }: ProjectMove): Decimal =>
    reaches(gapChange, MIN_POINTS) ? absolute(gapChange) : reaches(navChange, MIN_PERCENT) ? absolute(navChange) : decimal('0');
  const isByPremium = ({ gapChange }: ProjectMove): boolean => reaches(gapChange, MIN_POINTS);
  return [...found].toSorted((a, b) => Number(isByPremium(b)) - Number(isByPremium(a)) || compare(size(b), size(a)));
}
