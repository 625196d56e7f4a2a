/** ECharts draws axes, lines and bars; text is placed here. */
import type { XyChart } from '../chat/chart.js';
import { annotate } from './annotate.js';
import { endLabelsOf } from './end-labels.js';
import { FAMILY } from './fonts.js';
import { headerOf, type LegendItem } from './header.js';
import { HEIGHT, PANEL_HEIGHT, WIDTH } from './size.js';
import { EDGE, SIZES, words, type PaperDrawing, type Mark, type Pen } from './shapes.js';
import { drawn, isDashed, xAxis, yAxis } from './echarts-options.js';
import { sideOf, type PlotPanel, type PlotSide } from './panels.js';
import { momentMarks, xLabelsOf } from './x-labels.js';

/** In pixels. */
const MIN_HEIGHT = 190;

export function xyDrawing(given: XyChart, pen: Pen): PaperDrawing {
  const chart = raised(given);
  const [right, below] = [sideOf('right', chart), sideOf('below', chart)];
  const left = sideOf('left', chart) ?? (right === undefined ? EMPTY : undefined);
  const head = headerOf({ ...chart, legend: legendOf(chart, pen) }, pen);
  const ends = right === undefined ? endLabelsOf(chart) : [];
  const beside = Math.max(roomOf(right?.ticks, 12, pen.faces.regular), roomOf(ends, 14, pen.faces.bold));
  const columns = {
    left: EDGE + Math.max(roomOf(left?.ticks, 12, pen.faces.regular), roomOf(below?.ticks, 12, pen.faces.regular)),
    right: WIDTH - EDGE - beside,
  };
  const under = xLabelsOf(chart, columns, pen);
  const names = chart.axisNames ?? {};
  const top = head.below + (names.left !== undefined || names.right !== undefined ? 42 : 16);
  const foot = EDGE + under.room + (names.x === undefined ? 0 : 26) - 10;
  // Long titles and names increase the height instead of shrinking the panel.
  const height = Math.max(HEIGHT, top + MIN_HEIGHT + foot) + (below === undefined ? 0 : PANEL_HEIGHT);
  const floor = height - foot;
  const low: PlotPanel = { ...columns, top: floor - PANEL_HEIGHT + 32, bottom: floor };
  const main: PlotPanel = { ...columns, top, bottom: below === undefined ? floor : low.top - (names.below === undefined ? 26 : 60) };
  const used = [left, right, below].filter((one): one is PlotSide => one !== undefined);
  const grids = below === undefined ? [main] : [main, low];
  return {
    height,
    option: {
      animation: false,
      useUTC: true,
      backgroundColor: pen.colours.ground,
      textStyle: { fontFamily: FAMILY },
      grid: grids.map((panel) => ({
        left: panel.left,
        top: panel.top,
        width: panel.right - panel.left,
        height: panel.bottom - panel.top,
        outerBoundsMode: 'none' as const,
      })),
      xAxis: grids.map((_, index) => xAxis({ chart, under, index, last: index === grids.length - 1, pen })),
      yAxis: used.map((one) => yAxis(one, pen)),
      series: chart.series.map((series) => drawn(series, { chart, under, columns, used, pen })),
      graphic: [
        ...head.marks,
        ...axisName(names.left, { x: EDGE, y: head.below + 4 }, pen),
        ...axisName(names.right, { x: WIDTH - EDGE, y: head.below + 4, align: 'right' }, pen),
        ...(below === undefined ? [] : axisName(names.below, { x: EDGE, y: low.top - 39 }, pen)),
        ...axisName(names.x, { x: (columns.left + columns.right) / 2, y: height - EDGE - 14, align: 'center' }, pen),
        ...momentMarks(under, grids.at(-1) ?? main, pen),
        ...annotate(chart, { sides: used, panels: { left: main, right: main, below: low }, ends, place: under.place }, pen),
      ],
    },
  };
}

const EMPTY: PlotSide = { axis: 'left', scale: { min: 0, max: 1, step: 1 }, ticks: [] };

function raised(chart: XyChart): XyChart {
  if (chart.series.some(({ axis }) => axis !== 'below')) return chart;
  const up = <T extends { readonly axis: PlotSide['axis'] }>(one: T): T => ({ ...one, axis: 'left' });
  const { below, ...names } = chart.axisNames ?? {};
  return { ...chart, series: chart.series.map(up), levels: chart.levels.map(up), axisNames: { ...names, left: names.left ?? below } };
}

const roomOf = (texts: readonly { readonly text: string }[] | undefined, air: number, face: Pen['faces']['regular']): number =>
  texts === undefined || texts.length === 0 ? 0 : air + texts.reduce((most, { text }) => Math.max(most, face.width(text, SIZES.text)), 0);

const axisName = (
  text: string | undefined,
  place: { x: number; y: number; align?: 'right' | 'center' },
  { colours }: Pen,
): readonly Mark[] => (text === undefined ? [] : [words({ text, ...place, fill: colours.soft, size: SIZES.name })]);

function legendOf(chart: XyChart, { colours }: Pen): readonly LegendItem[] {
  const lines = chart.series.map((one): LegendItem => ({
    text: one.name,
    colour: colours.tones[one.tone],
    as: one.draw === 'bar' || (one.draw === 'area' && one.stack !== undefined) ? 'box' : isDashed(one) ? 'dashed' : 'line',
  }));
  const { gap, gapNames } = chart;
  const shades =
    gapNames === undefined || !gap
      ? []
      : (['up', 'down'] as const).map((tone): LegendItem => ({ text: gapNames[tone], colour: colours.tones[tone], as: 'shade' }));
  return lines.length + shades.length < 2 ? [] : [...lines, ...shades];
}
