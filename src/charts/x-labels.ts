/** Labels of the x axis, and the position of each x. */
import type { XyChart } from '../chat/chart.js';
import { momentTicks, type Tick } from './time-ticks.js';
import { WIDTH } from './size.js';
import { SIZES, stroke, words, type Mark, type Pen } from './shapes.js';
import { reachOfTime, type PlotPanel, type Reach } from './panels.js';

export interface XLabels {
  /** Undefined for categories. */
  readonly reach?: Reach;
  readonly ticks: readonly Tick[];
  /** Of category labels, in degrees. */
  readonly turned: number;
  /** Every n-th category is labelled. */
  readonly every: number;
  readonly room: number;
  readonly place: (at: number) => number;
}

const FLAT = 40;
const TURN = 32;
const LINE = 30;
/** Pixels between two labels. */
const AIR = 24;

export function xLabelsOf(chart: XyChart, { left, right }: Pick<PlotPanel, 'left' | 'right'>, { faces }: Pen): XLabels {
  const width = (text: string) => faces.regular.width(text, SIZES.text);
  const { categories } = chart;
  if (categories === undefined) {
    const reach = reachOfTime(chart);
    const place = (at: number) => left + ((at - reach.from) / (reach.to - reach.from)) * (right - left);
    const fits = (ticks: readonly Tick[]): boolean =>
      ticks.every(({ at, text }, index) => {
        const before = ticks[index - 1];
        return before === undefined || place(at) - place(before.at) > (width(text) + width(before.text)) / 2 + AIR;
      });
    return { reach, ticks: momentTicks({ ...reach, zone: chart.zone }, fits), turned: 0, every: 1, room: FLAT, place };
  }
  const slot = (right - left) / Math.max(1, categories.length);
  const widest = categories.reduce((most, text) => Math.max(most, width(text)), 0);
  const flat = widest + 10 <= slot;
  return {
    ticks: categories.map((text, at) => ({ at, text })),
    turned: flat ? 0 : TURN,
    every: flat ? 1 : Math.max(1, Math.ceil(LINE / slot)),
    room: flat ? FLAT : Math.min(130, Math.sin((TURN * Math.PI) / 180) * widest + 38),
    place: (at) => left + (at + 0.5) * slot,
  };
}

export function momentMarks({ reach, ticks, place }: XLabels, { bottom }: PlotPanel, { colours, faces }: Pen): readonly Mark[] {
  if (reach === undefined) return [];
  return ticks.flatMap(({ at, text }) => {
    const half = faces.regular.width(text, SIZES.text) / 2 + 6;
    return [
      stroke({ from: [place(at), bottom], to: [place(at), bottom + 7], stroke: colours.rule, width: 2 }),
      words({ text, x: Math.max(half, Math.min(WIDTH - half, place(at))), y: bottom + 15, fill: colours.soft, align: 'center' }),
    ];
  });
}
