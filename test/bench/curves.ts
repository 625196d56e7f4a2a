/**
 * Draws what the bench measured at several sizes, as one picture: `npm run bench:curves`. Reads docs/measurements.json, which `npm run bench -- --json`
 * writes, and writes docs/performance.svg.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { LineChart } from 'echarts/charts';
import { GridComponent, TitleComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { z } from 'zod';
import { FAMILY } from '../../src/charts/fonts.js';
import { COLOURS } from '../../src/charts/theme.js';
import { outlinedSvg } from '../../src/charts/raster.js';
import { median } from './harness/figure.js';

const FROM = new URL('../../docs/measurements.json', import.meta.url);
const TO = new URL('../../docs/performance.svg', import.meta.url);

const measurementsSchema = z.object({
  figures: z.array(
    z.object({
      unit: z.string(),
      values: z.array(z.number()),
      goal: z.number().optional(),
      curve: z.object({ of: z.string(), at: z.number() }).optional(),
    }),
  ),
});
type Measured = z.infer<typeof measurementsSchema>['figures'][number];

const PANEL = { width: 400, height: 240, left: 64, top: 52, right: 28, bottom: 48 } as const;
const COLUMNS = 2;
/** Left of the smallest size, so that its label does not cover the axis. */
const FIRST_TICK = 50;
const { ground, ink, soft, rule, tones } = COLOURS.light;

interface Panel {
  readonly name: string;
  readonly points: readonly (readonly [size: number, value: number])[];
  readonly goals: readonly (readonly [size: number, value: number])[];
}

/** One for each curve, in the order in which they were measured. */
function panelsOf(figures: readonly Measured[]): readonly Panel[] {
  const names = [...new Set(figures.flatMap(({ curve, unit }) => (curve === undefined ? [] : [`${curve.of}, ${unit}`])))];
  return names.map((name) => {
    const own = figures.filter(({ curve, unit }) => curve !== undefined && `${curve.of}, ${unit}` === name);
    const at = (value: (one: Measured) => number | undefined) =>
      own.flatMap((one) => {
        const known = value(one);
        return known === undefined || one.curve === undefined ? [] : [[one.curve.at, known] as const];
      });
    return { name, points: at(({ values }) => median(values)), goals: at(({ goal }) => goal) };
  });
}

function optionOf(panels: readonly Panel[]): EChartsCoreOption {
  const text = { fontFamily: FAMILY, color: soft, fontSize: 11 };
  const place = (index: number) => ({ x: (index % COLUMNS) * PANEL.width, y: Math.floor(index / COLUMNS) * PANEL.height });
  const axis = (index: number) => ({ type: 'log', gridIndex: index, axisLabel: { ...text, formatter: plain }, minorTick: { show: false } });
  return {
    backgroundColor: ground,
    animation: false,
    title: panels.map(({ name }, index) => ({
      ...{ text: name, left: place(index).x + PANEL.left - 44, top: place(index).y + 12 },
      textStyle: { fontFamily: FAMILY, color: ink, fontSize: 14, fontWeight: 600 },
    })),
    grid: panels.map((_, index) => ({
      ...{ left: place(index).x + PANEL.left, top: place(index).y + PANEL.top },
      ...{ width: PANEL.width - PANEL.left - PANEL.right, height: PANEL.height - PANEL.top - PANEL.bottom },
    })),
    xAxis: panels.map((_, index) => ({
      ...{
        ...axis(index),
        min: FIRST_TICK,
        axisLabel: { ...text, formatter: plain, showMinLabel: false },
        splitLine: { show: false },
        axisLine: { lineStyle: { color: rule } },
      },
      ...{ name: 'chats (dashed: the goal)', nameLocation: 'middle', nameGap: 24, nameTextStyle: text },
    })),
    yAxis: panels.map((_, index) => ({ ...axis(index), splitLine: { lineStyle: { color: rule } } })),
    series: panels.flatMap(({ points, goals }, index) => {
      const where = { type: 'line', xAxisIndex: index, yAxisIndex: index };
      const label = { show: true, position: 'top', fontFamily: FAMILY, fontSize: 11, formatter: ({ value }: Point) => plain(value[1]) };
      return [
        { ...where, data: goals, symbol: 'none', lineStyle: { color: tones.second, type: 'dashed', width: 1.5 } },
        {
          ...where,
          data: points,
          symbol: 'circle',
          symbolSize: 7,
          color: tones.main,
          label: { ...label, color: ink, backgroundColor: ground },
        },
      ];
    }),
  };
}

interface Point {
  readonly value: readonly [size: number, value: number];
}

const plain = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

use([LineChart, GridComponent, TitleComponent, SVGRenderer]);
const panels = panelsOf(measurementsSchema.parse(JSON.parse(await readFile(FROM, 'utf8'))).figures);
const size = { width: COLUMNS * PANEL.width, height: Math.ceil(panels.length / COLUMNS) * PANEL.height };
const sheet = init(null, null, { renderer: 'svg', ssr: true, ...size });
sheet.setOption(optionOf(panels));
await writeFile(TO, `${outlinedSvg(sheet.renderToSVGString())}\n`);
// Its timer would keep the process running.
sheet.dispose();
