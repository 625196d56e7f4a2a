/** Places the labels of an x-y chart's annotations where they hide the least. */
import type { ChartSeries, XyChart } from '../chat/chart.js';
import { valueText } from './scale.js';
import { SHADE } from './header.js';
import { SIZES, box, dot, polygon, stroke, words, type Mark, type Pen } from './shapes.js';
import { heightOf, spread, type PlotPanel, type PlotSide } from './panels.js';

export interface Ground {
  readonly sides: readonly PlotSide[];
  readonly panels: Readonly<Record<PlotSide['axis'], PlotPanel>>;
  readonly ends: readonly EndLabel[];
  readonly place: (at: number) => number;
}

export function annotate(chart: XyChart, ground: Ground, pen: Pen): readonly Mark[] {
  return [gap, spans, levels, heads, marks, nothing].flatMap((part) => part(chart, ground, pen)).concat(ends(ground, pen));
}

const heights = ({ sides, panels }: Ground, axis: PlotSide['axis']) => {
  const side = sides.find((one) => one.axis === axis);
  return side === undefined ? undefined : (value: number) => heightOf(value, side.scale, panels[axis]);
};

function gap({ gap: wanted, series }: XyChart, ground: Ground, { colours }: Pen): readonly Mark[] {
  const [first, second] = series;
  const height = first && heights(ground, first.axis);
  if (!wanted || first === undefined || second === undefined || height === undefined || first.axis !== second.axis) return [];
  const [a, b] = [first, second].map(({ points, draw }) => ({ points, stepped: draw === 'step' }));
  if (a === undefined || b === undefined) return [];
  return bandsOf(a, b).map(({ side, rows }) =>
    polygon({
      points: [
        ...rows.map(([at, value]) => [ground.place(at), height(value)] as const),
        ...rows.toReversed().map(([at, , other]) => [ground.place(at), height(other)] as const),
      ],
      fill: colours.tones[side],
      opacity: SHADE,
    }),
  );
}

/** Labels each span at the top, or at the bottom if that hides less. */
function spans({ spans: all, series }: XyChart, ground: Ground, { colours, faces }: Pen): readonly Mark[] {
  const panel = ground.panels.left;
  const floor = ground.sides.some(({ axis }) => axis === 'below') ? ground.panels.below.bottom : panel.bottom;
  return all.flatMap(({ name, from, to }) => {
    const [x, end] = [Math.max(panel.left, ground.place(from)), Math.min(panel.right, ground.place(to))];
    const width = faces.bold.width(name, SIZES.name);
    const left = Math.max(panel.left + 4, Math.min(panel.right - width - 4, (x + end - width) / 2));
    const tops = [panel.top + 5, panel.bottom - 5 - SIZES.name];
    const spot = bestPosition(
      tops.map((top) => ({ left, top, width, height: SIZES.name })),
      courses(series, 'left', ground),
    );
    return [
      box({ x, y: panel.top, width: Math.max(1, end - x), height: floor - panel.top, fill: colours.tones.quiet, opacity: 0.18, z: 0 }),
      ...[x, end].map((at) =>
        stroke({ from: [at, panel.top], to: [at, floor], stroke: colours.tones.quiet, width: 2, dashed: true, z: 1 }),
      ),
      words({ text: name, x: left, y: spot?.top ?? panel.top + 5, fill: colours.ink, size: SIZES.name, bold: true }),
    ];
  });
}

/** Labels each level where there are fewer points. */
function levels({ levels: all, series }: XyChart, ground: Ground, { colours, faces }: Pen): readonly Mark[] {
  return all.flatMap(({ name, value, axis }) => {
    const height = heights(ground, axis);
    if (height === undefined) return [];
    const panel = ground.panels[axis];
    const y = height(value);
    const width = faces.bold.width(name, SIZES.name);
    const columns = [panel.left + 8, (panel.left + panel.right - width) / 2, panel.right - width - 8];
    const spots = columns.flatMap((x): LabelBox[] => [
      { left: x, top: y - 5 - SIZES.name, width, height: SIZES.name },
      { left: x, top: y + 5, width, height: SIZES.name },
    ]);
    const spot = bestPosition(
      spots.filter(({ top }) => top >= panel.top - 4 && top + SIZES.name <= panel.bottom + 4),
      courses(series, axis, ground),
    );
    return [
      stroke({ from: [panel.left, y], to: [panel.right, y], stroke: colours.ink, width: 2.5, dashed: true, z: 4 }),
      ...(spot === undefined
        ? []
        : [words({ text: name, x: spot.left, y: spot.top, fill: colours.ink, size: SIZES.name, bold: true, rim: colours.ground })]),
    ];
  });
}

const FEW = 8;

/** Writes values above bars if there is one series of at most `FEW` bars. */
function heads({ series, categories }: XyChart, ground: Ground, { colours }: Pen): readonly Mark[] {
  const [bars, ...others] = series;
  const height = bars && heights(ground, bars.axis);
  if (bars?.draw !== 'bar' || height === undefined || others.length > 0 || categories === undefined || categories.length > FEW) return [];
  return bars.points.flatMap(([at, value]) => {
    if (value === null) return [];
    const [rise, away] = value < 0 ? (['top', 5] as const) : (['bottom', -5] as const);
    const text = valueText(bars.unit, value);
    return [words({ text, x: ground.place(at), y: height(value) + away, fill: colours.ink, size: SIZES.name, align: 'center', rise })];
  });
}

/** Labels marks where the labels hide the least and do not overlap. */
function marks({ marks: all, series }: XyChart, ground: Ground, { colours, faces }: Pen): readonly Mark[] {
  const taken: LabelBox[] = [];
  return all.flatMap(({ name, series: index, at, value, side, tone }) => {
    const of = series[index];
    const height = of && heights(ground, of.axis);
    if (of === undefined || height === undefined) return [];
    const panel = ground.panels[of.axis];
    const [x, y] = [ground.place(at), height(value)];
    const point = dot({ x, y, fill: colours.tones[tone ?? of.tone], rim: colours.ground });
    if (name === '') return [point];
    const width = faces.bold.width(name, SIZES.text);
    const sides = side === 'above' ? (['above', 'below'] as const) : (['below', 'above'] as const);
    const spots = sides.flatMap((one) =>
      [x - width / 2, x - width - 4, x + 4].map((left): LabelBox => ({
        left: Math.max(panel.left + 4, Math.min(panel.right - width - 4, left)),
        top: one === 'above' ? y - AWAY - SIZES.text : y + AWAY,
        width,
        height: SIZES.text,
      })),
    );
    const inside = spots.filter(({ top }) => top >= panel.top - 4 && top + SIZES.text <= panel.bottom);
    const spot = bestPosition(inside, courses(series, of.axis, ground), taken);
    if (spot !== undefined) taken.push(spot);
    const text = spot && words({ text: name, x: spot.left, y: spot.top - 2, fill: colours.ink, bold: true, rim: colours.ground });
    return [point, ...(text === undefined ? [] : [text])];
  });
}

const AWAY = 12;

const courses = (series: XyChart['series'], axis: PlotSide['axis'], ground: Ground) => {
  const height = heights(ground, axis) ?? (() => 0);
  return series
    .filter((one) => one.axis === axis)
    .flatMap(({ points }) =>
      dense(points.map(([at, value]) => (value === null ? undefined : ([ground.place(at), height(value)] as const)))),
    );
};

function nothing({ series }: XyChart, { panels: { left: panel } }: Ground, { colours }: Pen): readonly Mark[] {
  if (series.some(({ points }) => points.some(([, value]) => value !== null))) return [];
  const [x, y] = [(panel.left + panel.right) / 2, (panel.top + panel.bottom) / 2];
  return [words({ text: 'no values', x, y, fill: colours.soft, align: 'center', rise: 'middle' })];
}

function ends(ground: Ground, { colours }: Pen): readonly Mark[] {
  const panel = ground.panels.left;
  const exact = ground.ends.map(({ series, value }) => heights(ground, series.axis)?.(value) ?? panel.bottom);
  const apart = spread(exact, { room: 27, top: panel.top, bottom: panel.bottom });
  return ground.ends.flatMap(({ series, at, text }, index) => [
    dot({ x: ground.place(at), y: exact[index] ?? 0, fill: colours.tones[series.tone], rim: colours.ground }),
    words({ text, x: panel.right + 14, y: apart[index] ?? 0, fill: colours.tones[series.tone], bold: true, rise: 'middle' }),
  ]);
}

export interface EndLabel {
  readonly series: ChartSeries;
  readonly at: number;
  readonly value: number;
  readonly text: string;
}

export const endLabelsOf = ({ series }: Pick<XyChart, 'series'>): readonly EndLabel[] =>
  series.flatMap((one) => {
    if (one.draw === 'bar' || one.stack !== undefined || one.axis !== 'left') return [];
    const last = one.points.toSorted(([a], [b]) => a - b).findLast(([, value]) => value !== null);
    return last === undefined || last[1] === null ? [] : [{ series: one, at: last[0], value: last[1], text: valueText(one.unit, last[1]) }];
  });

/** The place of a label. */
export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Place = readonly [x: number, y: number];

const OVERLAP = 1_000;

function bestPosition(spots: readonly LabelBox[], points: readonly Place[], taken: readonly LabelBox[] = []): LabelBox | undefined {
  const costs = spots.map(
    (spot) => points.filter((point) => covers(spot, point)).length + OVERLAP * taken.filter((other) => overlap(spot, other)).length,
  );
  return spots[costs.indexOf(Math.min(...costs))];
}

function dense(line: readonly (Place | undefined)[]): readonly Place[] {
  return line.flatMap((point, index) => {
    const next = line[index + 1];
    if (point === undefined) return [];
    if (next === undefined) return [point];
    const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil(Math.hypot(next[0] - point[0], next[1] - point[1]) / STEP)));
    return Array.from({ length: steps }, (_, step): Place => {
      const part = step / steps;
      return [point[0] + (next[0] - point[0]) * part, point[1] + (next[1] - point[1]) * part];
    });
  });
}

const STEP = 6;
const MAX_STEPS = 200;

const AIR = 4;
const covers = ({ left, top, width, height }: LabelBox, [x, y]: Place): boolean =>
  x >= left - AIR && x <= left + width + AIR && y >= top - AIR && y <= top + height + AIR;

const overlap = (a: LabelBox, b: LabelBox): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

type BandPoint = readonly [at: number, value: number | null];
interface Band {
  readonly side: 'up' | 'down';
  /** Each row is a moment and the values of both lines. */
  readonly rows: readonly (readonly [at: number, first: number, second: number])[];
}

interface BandLine {
  readonly points: readonly BandPoint[];
  readonly stepped?: boolean;
}

/** Splits the area between two lines where they cross, in order of time. `up` is true while the first is above; null separates pieces. */
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
