/** Draws x-y charts. ECharts draws axes, lines and bars; this file places the text. */
import type { SeriesOption, XAXisComponentOption, YAXisComponentOption } from 'echarts';
import type { ChartSeries, XyChart } from '../chat/chart.js';
import { annotate, endLabelsOf } from './annotate.js';
import { FAMILY } from './fonts.js';
import { type LegendItem, headerOf } from './header.js';
import { HEIGHT, LOW_HEIGHT, PANEL_HEIGHT, WIDTH } from './theme.js';
import { DASH, EDGE, type Mark, type PaperDrawing, type Pen, SIZES, words } from './shapes.js';
import { type PlotPanel, type PlotSide, closest, sideOf } from './panels.js';
import { type XLabels, momentMarks, xLabelsOf } from './x-labels.js';

/** The smallest heights of a plot, in pixels. */
const MIN_HEIGHT = 190;
const MIN_LOW_HEIGHT = 140;

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
  const [whole, plot] = chart.isLow === true ? [LOW_HEIGHT, MIN_LOW_HEIGHT] : [HEIGHT, MIN_HEIGHT];
  const height = Math.max(whole, top + plot + foot) + (below === undefined ? 0 : PANEL_HEIGHT);
  const floor = height - foot;
  const low: PlotPanel = { ...columns, top: floor - PANEL_HEIGHT + 32, bottom: floor };
  const main: PlotPanel = { ...columns, top, bottom: below === undefined ? floor : low.top - (names.below === undefined ? 26 : 60) };
  const used = [left, right, below].filter((one): one is PlotSide => one !== undefined);
  const grids = below === undefined ? [main] : [main, low];
  return {
    height,
    plot: {
      ...columns,
      main: [main.top, main.bottom],
      ...(below === undefined ? {} : { low: [low.top, low.bottom] as const }),
      ...(under.reach ?? { from: -0.5, to: Math.max(1, chart.categories?.length ?? 1) - 0.5 }),
    },
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

export interface XAxisDeps {
  readonly chart: XyChart;
  readonly under: XLabels;
  readonly index: number;
  readonly last: boolean;
  readonly pen: Pen;
}

function xAxis({ chart, under, index, last, pen }: XAxisDeps): XAXisComponentOption {
  const { colours } = pen;
  const common = {
    gridIndex: index,
    axisLine: { show: true, onZero: false, lineStyle: { color: colours.rule, width: 2 } },
    splitLine: { show: false },
    axisTick: { show: false },
  };
  if (chart.categories === undefined)
    return { ...common, type: 'time', min: under.reach?.from, max: under.reach?.to, axisLabel: { show: false } };
  return {
    ...common,
    type: 'category',
    data: [...chart.categories],
    axisLabel: {
      show: last,
      color: colours.soft,
      fontSize: SIZES.text,
      fontFamily: FAMILY,
      margin: 12,
      rotate: under.turned,
      interval: (at: number) => at % under.every === 0,
    },
  };
}

function yAxis({ axis, scale, ticks }: PlotSide, { colours }: Pen): YAXisComponentOption {
  const texts = new Map(ticks.map(({ value, text }) => [value, text]));
  return {
    type: 'value',
    gridIndex: axis === 'below' ? 1 : 0,
    position: axis === 'right' ? 'right' : 'left',
    min: scale.min,
    max: scale.max,
    interval: scale.step,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: axis !== 'right', lineStyle: { color: colours.rule, width: 1.5 } },
    axisLabel: {
      color: colours.soft,
      fontSize: SIZES.text,
      fontFamily: FAMILY,
      margin: 10,
      showMinLabel: true,
      showMaxLabel: true,
      formatter: (value: number) => texts.get(Number(value.toPrecision(12))) ?? '',
    },
  };
}

export interface Around {
  readonly chart: XyChart;
  readonly under: XLabels;
  readonly columns: Pick<PlotPanel, 'left' | 'right'>;
  readonly used: readonly PlotSide[];
  readonly pen: Pen;
}

function drawn(series: ChartSeries, around: Around): SeriesOption {
  const colour = around.pen.colours.tones[series.tone];
  const common = {
    name: series.name,
    xAxisIndex: series.axis === 'below' ? 1 : 0,
    yAxisIndex: around.used.findIndex(({ axis }) => axis === series.axis),
    silent: true,
    ...(series.stack === undefined ? {} : { stack: `${series.axis} ${series.stack}` }),
  };
  const points = series.points.toSorted(([a], [b]) => a - b);
  if (series.draw === 'bar')
    return {
      ...common,
      type: 'bar',
      data: points.map(([at, value]) => [at, value ?? '-']),
      itemStyle: { color: colour },
      barGap: '8%',
      barWidth: barWidth(series, around),
    };
  const stacked = series.stack !== undefined;
  // A short series with gaps gets a dot for each known point.
  const dots = points.length <= FEW_POINTS && hasHoles(points);
  return {
    ...common,
    type: 'line',
    data: points.map(([at, value], index) => ({
      value: [at, value ?? '-'],
      // A value between two gaps has no line, so it gets a dot.
      ...(value !== null && (dots || alone(points, index)) ? { symbol: 'circle', symbolSize: 9 } : { symbol: 'none' }),
    })),
    connectNulls: false,
    showAllSymbol: true,
    itemStyle: { color: colour },
    lineStyle: { color: colour, width: stacked ? 2 : 4, join: 'round', ...(isDashed(series) ? { type: DASH } : {}) },
    ...(series.draw === 'area' ? { areaStyle: { color: colour, opacity: stacked ? 0.85 : 0.26, origin: 0 } } : {}),
    ...(series.draw === 'step' ? { step: 'end' as const } : {}),
  };
}

/** Tells whether a line is dashed, because colour alone does not distinguish lines. */
const isDashed = ({ tone, stack }: ChartSeries): boolean => stack === undefined && (tone === 'second' || tone === 'quiet');

function hasHoles(points: ChartSeries['points']): boolean {
  const known = points.map(([, value]) => value !== null);
  return known.slice(known.indexOf(true), known.lastIndexOf(true) + 1).includes(false);
}

const alone = (points: ChartSeries['points'], index: number): boolean =>
  (points[index - 1]?.[1] ?? null) === null && (points[index + 1]?.[1] ?? null) === null;

const MAX_BAR_WIDTH = 64;
const FEW_POINTS = 45;

function barWidth(series: ChartSeries, { chart, under, columns }: Around): number {
  const bars = chart.series.filter(({ draw, axis }) => draw === 'bar' && axis === series.axis);
  const beside = new Set(bars.map(({ stack }, index) => stack ?? index)).size;
  const width = columns.right - columns.left;
  const moments = bars.flatMap(({ points }) => points.map(([at]) => at));
  const { reach } = under;
  const slot =
    reach === undefined ? width / Math.max(1, chart.categories?.length ?? 1) : (closest(moments) / (reach.to - reach.from)) * width;
  return Math.min(MAX_BAR_WIDTH, Math.max(2, (slot * 0.74) / beside));
}
