/** Finds the place for words that hides the fewest values. Pure. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The first of the spots with the fewest points in it; undefined where there is no spot. */
export function freest(spots: readonly Spot[], points: readonly (readonly [x: number, y: number])[]): Spot | undefined {
  const counted = spots.map((spot) => ({ spot, hidden: points.filter((point) => covers(spot, point)).length }));
  return counted.reduce<(typeof counted)[number] | undefined>(
    (best, one) => (best === undefined || one.hidden < best.hidden ? one : best),
    undefined,
  )?.spot;
}

/** Lines are thicker than their points. */
const AIR = 5;
const covers = ({ left, top, width, height }: Spot, [x, y]: readonly [number, number]): boolean =>
  x >= left - AIR && x <= left + width + AIR && y >= top - AIR && y <= top + height + AIR;
