/** Axes, lines and bars as ECharts options. */
import type { SeriesOption, XAXisComponentOption, YAXisComponentOption } from 'echarts';
import type { ChartSeries, XyChart } from '../chat/chart.js';
import { FAMILY } from './fonts.js';
import { DASH, SIZES, type Pen } from './shapes.js';
import { closest, type PlotPanel, type PlotSide } from './panels.js';
import type { XLabels } from './x-labels.js';

export interface XAxisDeps {
  readonly chart: XyChart;
  readonly under: XLabels;
  readonly index: number;
  readonly last: boolean;
  readonly pen: Pen;
}

export function xAxis({ chart, under, index, last, pen }: XAxisDeps): XAXisComponentOption {
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

export function yAxis({ axis, scale, ticks }: PlotSide, { colours }: Pen): YAXisComponentOption {
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

export function drawn(series: ChartSeries, around: Around): SeriesOption {
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
  // With missing points, each known point gets a dot.
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

/** Colour alone is not enough. */
export const isDashed = ({ tone, stack }: ChartSeries): boolean => stack === undefined && (tone === 'second' || tone === 'quiet');

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
