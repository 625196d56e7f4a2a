/** Draws delay and age over the budget as one picture. */
import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { FAMILY } from '../../../src/charts/fonts.js';
import { outlinedSvg } from '../../../src/charts/raster.js';
import { COLOURS } from '../../../src/charts/theme.js';
import { HOUR } from '../../../src/base/clock.js';
import type { Measured } from './cell.js';
import { KINDS } from './oracle.js';
import { LISTS } from './service.js';

const PANEL = { width: 480, height: 280, left: 64, top: 52, right: 96, bottom: 48 } as const;
const COLUMNS = 2;
const { ground, ink, soft, rule, parts } = COLOURS.light;

interface Line {
  readonly name: string;
  /** Requests a month, and hours. */
  readonly points: readonly (readonly [number, number])[];
}
interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

function panelsOf(cells: readonly Measured[]): readonly Panel[] {
  const line = (name: string, some: readonly Measured[], value: (one: Measured) => number | undefined): Line => ({
    name,
    points: some.flatMap((one) => {
      const known = value(one);
      return known === undefined || !Number.isFinite(known) ? [] : [[one.limit, known / HOUR] as const];
    }),
  });
  return [...new Set(cells.map(({ projects }) => projects))].flatMap((projects) => {
    const own = cells.filter((one) => one.projects === projects);
    const honest = own.filter(({ lists }) => lists === 'honest');
    return [
      {
        title: `${projects} projects: median delay of an alert, hours`,
        lines: KINDS.map((kind) => line(kind, honest, ({ delays }) => delays[kind].median)),
      },
      {
        title: `${projects} projects: age of what lists tell, hours`,
        lines: [
          ...LISTS.map((lists) =>
            line(
              `lists ${lists}`,
              own.filter((one) => one.lists === lists),
              ({ ages }) => ages.listed,
            ),
          ),
          line('bound', honest, ({ statedBound }) => statedBound.pages),
        ],
      },
    ];
  });
}

function optionOf(panels: readonly Panel[]): EChartsCoreOption {
  const text = { fontFamily: FAMILY, color: soft, fontSize: 11 };
  const place = (index: number) => ({ x: (index % COLUMNS) * PANEL.width, y: Math.floor(index / COLUMNS) * PANEL.height });
  const axis = (index: number) => ({ type: 'log', gridIndex: index, axisLabel: { ...text, formatter: plain }, minorTick: { show: false } });
  return {
    backgroundColor: ground,
    animation: false,
    title: panels.map(({ title }, index) => ({
      ...{ text: title, left: place(index).x + PANEL.left - 44, top: place(index).y + 12 },
      textStyle: { fontFamily: FAMILY, color: ink, fontSize: 14, fontWeight: 600 },
    })),
    grid: panels.map((_, index) => ({
      ...{ left: place(index).x + PANEL.left, top: place(index).y + PANEL.top },
      ...{ width: PANEL.width - PANEL.left - PANEL.right, height: PANEL.height - PANEL.top - PANEL.bottom },
    })),
    xAxis: panels.map((_, index) => ({
      ...{ ...axis(index), splitLine: { show: false }, axisLine: { lineStyle: { color: rule } } },
      ...{ name: 'requests a month', nameLocation: 'middle', nameGap: 24, nameTextStyle: text },
    })),
    yAxis: panels.map((_, index) => ({ ...axis(index), splitLine: { lineStyle: { color: rule } } })),
    series: panels.flatMap(({ lines }, index) =>
      lines.map(({ name, points }, order) => ({
        ...{ type: 'line', xAxisIndex: index, yAxisIndex: index, data: points, symbol: 'circle', symbolSize: 6 },
        ...{
          color: parts[order % parts.length],
          endLabel: { ...text, show: true, formatter: name },
          labelLayout: { moveOverlap: 'shiftY' },
        },
        ...(name === 'bound' ? { lineStyle: { type: 'dashed' } } : {}),
      })),
    ),
  };
}

const plain = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

export function curve(cells: readonly Measured[]): string {
  use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
  const panels = panelsOf(cells);
  const size = { width: COLUMNS * PANEL.width, height: Math.ceil(panels.length / COLUMNS) * PANEL.height };
  const sheet = init(null, null, { renderer: 'svg', ssr: true, ...size });
  sheet.setOption(optionOf(panels));
  const svg = `${outlinedSvg(sheet.renderToSVGString())}\n`;
  // Its timer would keep the process running.
  sheet.dispose();
  return svg;
}
