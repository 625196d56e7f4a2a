/** Draws the header of a chart: title, subtitle and legend. */
import { WIDTH } from './theme.js';
import { box, EDGE, SIZES, stroke, words, type Mark, type Pen } from './shapes.js';
import { fit, shorten } from './text.js';

const TITLES = [
  [31, 1],
  [29, 2],
  [25, 3],
] as const;
const LEADING = 1.24;

export interface LegendItem {
  readonly text: string;
  readonly colour: string;
  readonly as: 'line' | 'dashed' | 'box' | 'shade';
}

export interface ChartHeader {
  readonly marks: readonly Mark[];
  readonly below: number;
}

export interface HeadWords {
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly legend: readonly LegendItem[];
}

export function headerOf({ title, subtitle, legend }: HeadWords, pen: Pen): ChartHeader {
  const { colours, faces } = pen;
  const room = WIDTH - 2 * EDGE;
  const setting = fit(title, { face: faces.bold, room, settings: TITLES });
  const leading = Math.round(setting.size * LEADING);
  const marks: Mark[] = setting.lines.map((text, index) =>
    words({ text, x: EDGE, y: EDGE - 2 + index * leading, fill: colours.ink, size: setting.size, bold: true }),
  );
  let y = EDGE + setting.lines.length * leading + 4;
  if (subtitle !== undefined && subtitle !== '') {
    const text = shorten(subtitle, { face: faces.regular, size: SIZES.text, room });
    marks.push(words({ text, x: EDGE, y, fill: colours.soft }));
    y += 31;
  }
  const { marks: key, below } = legendOf(legend, { y: y + 3, room }, pen);
  return { marks: [...marks, ...key], below };
}

const SWATCH = 30;
const BETWEEN = 26;
const ROW = 31;

function legendOf(items: readonly LegendItem[], { y, room }: { y: number; room: number }, { colours, faces }: Pen): ChartHeader {
  const marks: Mark[] = [];
  let [x, row] = [EDGE, 0];
  for (const item of items) {
    const text = shorten(item.text, { face: faces.regular, size: SIZES.text, room: room - SWATCH - 9 });
    const width = SWATCH + 9 + faces.regular.width(text, SIZES.text);
    if (x > EDGE && x + width > EDGE + room) [x, row] = [EDGE, row + 1];
    const top = y + row * ROW;
    marks.push(swatch(item, x, top + SIZES.text / 2 + 1), words({ text, x: x + SWATCH + 9, y: top, fill: colours.ink }));
    x += width + BETWEEN;
  }
  return { marks, below: items.length === 0 ? y : y + (row + 1) * ROW };
}

function swatch({ colour, as }: LegendItem, x: number, y: number): Mark {
  if (as === 'line' || as === 'dashed')
    return stroke({ from: [x, y], to: [x + SWATCH, y], stroke: colour, width: 5, dashed: as === 'dashed' });
  return box({ x: x + 4, y: y - 10, width: SWATCH - 8, height: 20, fill: colour, opacity: as === 'shade' ? SHADE : 1, round: 4 });
}

export const SHADE = 0.34;
