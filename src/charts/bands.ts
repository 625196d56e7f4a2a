/** Splits the area between two lines where they cross. */

export type BandPoint = readonly [at: number, value: number | null];
export interface Band {
  readonly side: 'up' | 'down';
  /** Moment, value of the first line, value of the second. */
  readonly rows: readonly (readonly [at: number, first: number, second: number])[];
}

export interface BandLine {
  readonly points: readonly BandPoint[];
  readonly stepped?: boolean;
}

/** In time order; `up` while the first is above. Null separates pieces. */
export function bandsOf(first: BandLine, second: BandLine): readonly Band[] {
  const bands: { side: Band['side']; rows: [number, number, number][] }[] = [];
  let open: (typeof bands)[number] | undefined;
  for (const [at, value, other] of together(first, second)) {
    if (value === null || other === null) {
      open = undefined;
      continue;
    }
    const side = value > other ? 'up' : value < other ? 'down' : (open?.side ?? 'up');
    const before = open?.rows.at(-1);
    if (open !== undefined && before !== undefined && open.side !== side) {
      const cross = crossing(before, [at, value, other]);
      open.rows.push(cross);
      open = { side, rows: [cross] };
      bands.push(open);
    }
    if (open === undefined) {
      open = { side, rows: [] };
      bands.push(open);
    }
    open.rows.push([at, value, other]);
  }
  return bands.filter(({ rows }) => rows.length > 1);
}

function* together(first: BandLine, second: BandLine): Generator<[number, number | null, number | null]> {
  const others = new Map(second.points);
  let before: [number | null, number | null] | undefined;
  for (const [at, value] of first.points.toSorted(([a], [b]) => a - b)) {
    const other = others.get(at) ?? null;
    if (before !== undefined && (first.stepped === true || second.stepped === true))
      yield [at, first.stepped === true ? before[0] : value, second.stepped === true ? before[1] : other];
    yield [at, value, other];
    before = [value, other];
  }
}

function crossing([t0, a0, b0]: [number, number, number], [t1, a1, b1]: [number, number, number]): [number, number, number] {
  const [d0, d1] = [a0 - b0, a1 - b1];
  const part = d0 === d1 ? 0 : d0 / (d0 - d1);
  const value = a0 + (a1 - a0) * part;
  return [t0 + (t1 - t0) * part, value, value];
}
