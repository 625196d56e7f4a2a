/** Draws bars from a low to a high, one below another and each on its own scale, above a list of items. */
import type { RangesChart } from '../chat/chart.js';
import { valueText } from './scale.js';
import { FAMILY } from './fonts.js';
import { headerOf } from './header.js';
import { HEIGHT, RANGES, WIDTH, rangesHeight } from './theme.js';
import { EDGE, SIZES, box, dot, stroke, words, type Mark, type PaperDrawing, type Pen } from './shapes.js';
import { shorten } from './text.js';

const MAX_NAME = 170;
const BAR = 12;
const NOW = 10;
const TICK = 15;
const GAP = 14;
const INDENT = 26;

/** Where the parts of a row begin or end, from left to right. */
interface Columns {
  readonly names: number;
  readonly value: number;
  readonly low: number;
  readonly bar: readonly [left: number, right: number];
  readonly high: number;
}

type RangeRow = RangesChart['rows'][number];

export function rangesDrawing(chart: RangesChart, pen: Pen): PaperDrawing {
  const { colours } = pen;
  const head = headerOf({ ...chart, legend: [] }, pen);
  // A title of several lines increases the height.
  const top = Math.max(RANGES.head, head.below + 8);
  const columns = columnsOf(chart, pen);
  const below = top + chart.rows.length * RANGES.row;
  const foot = chart.foot === undefined ? [] : [words({ text: chart.foot, x: EDGE, y: below + 5, fill: colours.soft, size: SIZES.name })];
  const itemsTop = below + (chart.foot === undefined ? 0 : RANGES.foot);
  return {
    height: rangesHeight(chart) + top - RANGES.head,
    option: {
      animation: false,
      backgroundColor: colours.ground,
      textStyle: { fontFamily: FAMILY },
      graphic: [
        ...head.marks,
        ...(chart.rows.length === 0
          ? [words({ text: 'no values', x: WIDTH / 2, y: HEIGHT / 2, fill: colours.soft, align: 'center' })]
          : chart.rows.flatMap((row, index) => rowMarks(row, { y: top + (index + 0.5) * RANGES.row, chart, columns }, pen))),
        ...foot,
        ...itemMarks(chart, itemsTop, pen),
      ],
    },
  };
}

function columnsOf({ rows, unit }: RangesChart, { faces }: Pen): Columns {
  const widest = (texts: readonly string[], weight: 'regular' | 'bold', size: number): number =>
    texts.reduce((most, text) => Math.max(most, faces[weight].width(text, size)), 0);
  const texts = (what: 'low' | 'high' | 'value'): readonly string[] => rows.map((row) => valueText(unit, row[what]));
  const notes = rows.map(({ name, note }) => faces.bold.width(name, SIZES.text) + noteRoom(note, faces.regular));
  const names = Math.min(
    MAX_NAME,
    notes.reduce((most, width) => Math.max(most, width), 0),
  );
  const value = EDGE + names + GAP + widest(texts('value'), 'bold', SIZES.text);
  const low = value + 22 + widest(texts('low'), 'regular', SIZES.name);
  const high = WIDTH - EDGE - widest(texts('high'), 'regular', SIZES.name);
  return { names, value, low, bar: [low + GAP, high - GAP], high };
}

const noteRoom = (note: string | undefined, face: Pen['faces']['regular']): number =>
  note === undefined ? 0 : 8 + face.width(note, SIZES.name);

interface RowPlace {
  readonly y: number;
  readonly chart: RangesChart;
  readonly columns: Columns;
}

function rowMarks(row: RangeRow, { y, chart: { unit, middle }, columns }: RowPlace, { colours, faces }: Pen): readonly Mark[] {
  const { value, low, high, note } = row;
  const [left, right] = columns.bar;
  const place = placeIn(row, columns.bar);
  const tone = middle === undefined ? colours.tones.main : colours.tones[value < middle ? 'down' : 'up'];
  const name = shorten(row.name, { face: faces.bold, size: SIZES.text, room: columns.names - noteRoom(note, faces.regular) });
  const before = row.before === undefined ? undefined : place(row.before);
  const at = place(value);
  const bar = { y: y - BAR / 2, height: BAR, round: BAR / 2 };
  const text = (written: string, parts: Pick<Parameters<typeof words>[0], 'x' | 'align' | 'bold' | 'size' | 'fill'>): Mark =>
    words({ text: written, y, rise: 'middle', ...parts });
  return [
    text(name, { x: EDGE, fill: colours.ink, bold: true }),
    ...(note === undefined ? [] : [text(note, { x: EDGE + faces.bold.width(name, SIZES.text) + 8, fill: colours.soft, size: SIZES.name })]),
    text(valueText(unit, value), { x: columns.value, fill: tone, bold: true, align: 'right' }),
    text(valueText(unit, low), { x: columns.low, fill: colours.soft, size: SIZES.name, align: 'right' }),
    text(valueText(unit, high), { x: columns.high, fill: colours.soft, size: SIZES.name }),
    box({ ...bar, x: left, width: right - left, fill: colours.rule, z: 3 }),
    ...(before === undefined
      ? []
      : [box({ ...bar, x: Math.min(before, at) - BAR / 2, width: Math.abs(before - at) + BAR, fill: tone, opacity: 0.5, z: 4 })]),
    ...(middle === undefined || middle <= low || middle >= high
      ? []
      : [stroke({ from: [place(middle), y - TICK], to: [place(middle), y + TICK], stroke: colours.soft, width: 3, z: 6 })]),
    dot({ x: at, y, fill: tone, rim: colours.ground, radius: NOW }),
  ];
}

/** Returns the position of a value. A range without extent has it in the middle. */
function placeIn({ low, high }: Pick<RangeRow, 'low' | 'high'>, [left, right]: Columns['bar']): (value: number) => number {
  const inside = [left + BAR / 2, right - BAR / 2] as const;
  return (value) => {
    const part = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
    return inside[0] + part * (inside[1] - inside[0]);
  };
}

/** Draws items of two lines, with the value at the right of the first. */
function itemMarks({ items }: RangesChart, top: number, { colours, faces }: Pen): readonly Mark[] {
  if (items === undefined) return [];
  const first = top + RANGES.itemsTitle;
  return [
    stroke({ from: [EDGE, top + 10], to: [WIDTH - EDGE, top + 10], stroke: colours.rule, width: 2 }),
    words({ text: items.title, x: EDGE, y: top + 26, fill: colours.ink, bold: true }),
    ...items.rows.flatMap(({ name, value, note, tone }, index): readonly Mark[] => {
      const y = first + index * RANGES.item;
      const room = WIDTH - 2 * EDGE - INDENT;
      const left = room - faces.bold.width(value, SIZES.text) - 2 * GAP;
      return [
        dot({ x: EDGE + 8, y: y + 12, fill: colours.tones[tone], rim: colours.ground, radius: 8 }),
        words({ text: shorten(name, { face: faces.regular, size: SIZES.text, room: left }), x: EDGE + INDENT, y, fill: colours.ink }),
        words({ text: value, x: WIDTH - EDGE, y, fill: colours.tones[tone], bold: true, align: 'right' }),
        words({
          text: shorten(note, { face: faces.regular, size: SIZES.name, room }),
          ...{ x: EDGE + INDENT, y: y + 28, fill: colours.soft, size: SIZES.name },
        }),
      ];
    }),
  ];
}
