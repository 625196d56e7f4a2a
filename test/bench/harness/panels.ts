/** Draws curves over logarithmic axes, a panel each, as one picture. */
import { LineChart } from 'echarts/charts';
import { GridComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { FAMILY } from '../../../src/charts/fonts.js';
import { outlinedSvg } from '../../../src/charts/svg.js';
import { COLOURS } from '../../../src/charts/theme.js';

const COLUMNS = 2;
const { ground, ink, soft, rule } = COLOURS.light;

/** The labels of axes. */
export const AXIS_TEXT = { fontFamily: FAMILY, color: soft, fontSize: 11 };

export const plain = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** In pixels; what is beside the axes is part of the width and the height. */
export interface PanelSize {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Panel {
  readonly title: string;
  /** Options of ECharts without the axes that the lines belong to. */
  readonly lines: readonly object[];
}

interface Sheet {
  readonly panels: readonly Panel[];
  readonly panel: PanelSize;
  /** The name of the horizontal axes. */
  readonly over: string;
  /** More options of the horizontal axes. */
  readonly xAxis?: object;
}

/** As the text of an SVG file. */
export function drawPanels({ panels, panel, over, xAxis = {} }: Sheet): string {
  const place = (index: number) => ({ x: (index % COLUMNS) * panel.width, y: Math.floor(index / COLUMNS) * panel.height });
  const axis = (index: number) => ({
    ...{ type: 'log', gridIndex: index, axisLabel: { ...AXIS_TEXT, formatter: plain }, minorTick: { show: false } },
  });
  use([LineChart, GridComponent, TitleComponent, SVGRenderer]);
  const size = { width: COLUMNS * panel.width, height: Math.ceil(panels.length / COLUMNS) * panel.height };
  const sheet = init(null, null, { renderer: 'svg', ssr: true, ...size });
  sheet.setOption({
    backgroundColor: ground,
    animation: false,
    title: panels.map(({ title }, index) => ({
      ...{ text: title, left: place(index).x + panel.left - 44, top: place(index).y + 12 },
      textStyle: { fontFamily: FAMILY, color: ink, fontSize: 14, fontWeight: 600 },
    })),
    grid: panels.map((_, index) => ({
      ...{ left: place(index).x + panel.left, top: place(index).y + panel.top },
      ...{ width: panel.width - panel.left - panel.right, height: panel.height - panel.top - panel.bottom },
    })),
    xAxis: panels.map((_, index) => ({
      ...{ ...axis(index), ...xAxis, splitLine: { show: false }, axisLine: { lineStyle: { color: rule } } },
      ...{ name: over, nameLocation: 'middle', nameGap: 24, nameTextStyle: AXIS_TEXT },
    })),
    yAxis: panels.map((_, index) => ({ ...axis(index), splitLine: { lineStyle: { color: rule } } })),
    series: panels.flatMap(({ lines }, index) => lines.map((line) => ({ type: 'line', xAxisIndex: index, yAxisIndex: index, ...line }))),
  });
  const svg = `${outlinedSvg(sheet.renderToSVGString())}\n`;
  // Its timer would keep the process running.
  sheet.dispose();
  return svg;
}
