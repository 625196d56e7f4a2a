/** Draws docs/long-run.json as docs/long-run.svg. */
import { writeFile } from 'node:fs/promises';
import { LineChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent, TitleComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { FAMILY } from '../../src/charts/fonts.js';
import { outlinedSvg } from '../../src/charts/svg.js';
import { COLOURS } from '../../src/charts/theme.js';
import type { DayMeasured } from './measure.js';
import { FILLED_AFTER, seriesOf } from './verdict.js';

const TO = new URL('../../docs/long-run.svg', import.meta.url);
const PANEL = { width: 440, height: 240, left: 56, top: 48, right: 100, bottom: 44 } as const;
const COLUMNS = 2;
const MAX_LINES = 6;
const { ground, ink, soft, rule, parts } = COLOURS.light;

interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

function panelsOf(days: readonly DayMeasured[]): readonly Panel[] {
  const all = seriesOf(days);
  const lines = (...names: readonly (readonly [series: string, name: string])[]): readonly Line[] =>
    names.map(([series, name]) => ({ name, values: all.get(series) ?? [] }));
  const largest = (unit: string, divisor: number): readonly Line[] =>
    [...all]
      .filter(([name]) => name.endsWith(`, ${unit}`))
      .map(([name, values]) => ({ name: name.slice(0, -`, ${unit}`.length), values: values.map((value) => value / divisor) }))
      .toSorted((a, b) => Math.max(...b.values) - Math.max(...a.values))
      .slice(0, MAX_LINES);
  const happened = (name: string): readonly number[] => days.map((day) => day.happened[name] ?? 0);
  return [
    { title: 'Memory, MB', lines: lines(['resident, MB', 'resident'], ['heap, MB', 'heap']) },
    { title: 'Database file and its log, MB', lines: lines(['database and log, MB', 'both']) },
    { title: 'Documents of the largest collections', lines: largest('documents', 1) },
    { title: 'Their contents, MB', lines: largest('kB', 1_024) },
    {
      title: 'A day',
      lines: [
        { name: 'messages', values: happened('messages') },
        { name: 'requests', values: happened('requests') },
        ...lines(['log lines', 'log lines']),
      ],
    },
    {
      title: 'At the end of a day',
      lines: lines(['alerts that wait', 'alerts waiting'], ['timers that wait', 'timers'], ['handles', 'handles']),
    },
  ];
}

function optionOf(panels: readonly Panel[], days: number): EChartsCoreOption {
  const text = { fontFamily: FAMILY, color: soft, fontSize: 11 };
  const place = (index: number) => ({ x: (index % COLUMNS) * PANEL.width, y: Math.floor(index / COLUMNS) * PANEL.height });
  const axisLine = { lineStyle: { color: rule } };
  return {
    backgroundColor: ground,
    animation: false,
    title: panels.map(({ title }, index) => ({
      ...{ text: title, left: place(index).x + PANEL.left - 40, top: place(index).y + 10 },
      textStyle: { fontFamily: FAMILY, color: ink, fontSize: 14, fontWeight: 600 },
    })),
    grid: panels.map((_, index) => ({
      ...{ left: place(index).x + PANEL.left, top: place(index).y + PANEL.top },
      ...{ width: PANEL.width - PANEL.left - PANEL.right, height: PANEL.height - PANEL.top - PANEL.bottom },
    })),
    xAxis: panels.map((_, index) => ({
      ...{ type: 'value', gridIndex: index, min: 0, max: days, interval: 15, axisLabel: text, splitLine: { show: false }, axisLine },
      ...{ name: 'simulated days', nameLocation: 'middle', nameGap: 24, nameTextStyle: text },
    })),
    yAxis: panels.map((_, index) => ({ type: 'value', gridIndex: index, min: 0, axisLabel: text, splitNumber: 4, splitLine: axisLine })),
    series: panels.flatMap(({ lines }, index) =>
      lines.map(({ name, values }, line) => ({
        ...{ type: 'line', xAxisIndex: index, yAxisIndex: index, symbol: 'none', data: values.map((value, day) => [day + 1, value]) },
        lineStyle: { color: parts[line], width: 1.8 },
        endLabel: { show: true, ...text, color: parts[line], formatter: name, distance: 6 },
        labelLayout: { moveOverlap: 'shiftY' },
        ...(line > 0
          ? {}
          : {
              markLine: {
                ...{ silent: true, symbol: 'none', label: { show: false }, data: [{ xAxis: FILLED_AFTER }] },
                lineStyle: { color: soft, type: 'dashed', width: 1 },
              },
            }),
      })),
    ),
  };
}

export async function draw(days: readonly DayMeasured[]): Promise<void> {
  use([LineChart, GridComponent, MarkLineComponent, TitleComponent, SVGRenderer]);
  const panels = panelsOf(days);
  const size = { width: COLUMNS * PANEL.width, height: Math.ceil(panels.length / COLUMNS) * PANEL.height };
  const sheet = init(null, null, { renderer: 'svg', ssr: true, ...size });
  sheet.setOption(optionOf(panels, days.length));
  await writeFile(TO, `${outlinedSvg(sheet.renderToSVGString())}\n`);
  // Its timer would keep the process running.
  sheet.dispose();
}
