/** Defines the size and colours of a chart. */
import type { Chart, ChartSeries, RangesChart, Theme } from '../chat/chart.js';

export const THEMES: readonly Theme[] = ['dark', 'light'];

export interface Colours {
  readonly ground: string;
  readonly ink: string;
  readonly soft: string;
  readonly rule: string;
  readonly tones: Readonly<Record<ChartSeries['tone'], string>>;
  readonly parts: readonly string[];
}

export const COLOURS = {
  dark: {
    ground: '#181d21',
    ink: '#eef1f1',
    soft: '#a9b4b8',
    rule: '#343d43',
    tones: { main: '#5db8ec', second: '#f2b63d', up: '#2ec79a', down: '#f2804f', quiet: '#93a0a6', third: '#d98cba', fourth: '#f0e442' },
    parts: ['#5db8ec', '#f2b63d', '#2ec79a', '#d98cba', '#f2804f', '#f0e442', '#93a0a6'],
  },
  light: {
    ground: '#ffffff',
    ink: '#1b2225',
    soft: '#566066',
    rule: '#e2e0d9',
    tones: { main: '#0069ab', second: '#b36a00', up: '#00805c', down: '#cc4e00', quiet: '#78838a', third: '#a8518a', fourth: '#8a7d00' },
    parts: ['#0069ab', '#e09b12', '#00926a', '#c06aa0', '#cc4e00', '#56b4e9', '#9aa3a8'],
  },
} as const satisfies Record<Theme, Colours>;

/** The size in pixels; the PNG has twice as many. Phones show half the size, so no text is smaller than 20. */
export const WIDTH = 800;
export const HEIGHT = 450;
/** The height of a picture beside a text that says more. */
export const LOW_HEIGHT = 300;
export const PANEL_HEIGHT = 140;

/** The heights of the parts of a chart of ranges. Its total height depends on its rows. */
export const RANGES = { head: 108, row: 50, foot: 30, itemsTitle: 66, item: 64, edge: 18 } as const;

export const rangesHeight = ({ rows, foot, items }: RangesChart): number =>
  RANGES.head +
  rows.length * RANGES.row +
  (foot === undefined ? 0 : RANGES.foot) +
  (items === undefined ? 0 : RANGES.itemsTitle + items.rows.length * RANGES.item) +
  RANGES.edge;

/** Returns the height in pixels. Long titles and names may increase it. */
export const chartHeight = (chart: Chart): number => (chart.kind === 'ranges' ? rangesHeight(chart) : xyHeight(chart));

const xyHeight = (chart: Chart): number =>
  (chart.kind === 'xy' && chart.isLow === true ? LOW_HEIGHT : HEIGHT) +
  (chart.kind === 'xy' && chart.series.some(({ axis }) => axis === 'below') && chart.series.some(({ axis }) => axis !== 'below')
    ? PANEL_HEIGHT
    : 0);
