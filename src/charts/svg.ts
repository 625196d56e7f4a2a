/** A chart as SVG, with its words as text in the bundled font. Blocks for tens of milliseconds, so the bot calls it in the worker only. */
import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GraphicComponent, GridComponent } from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart } from '../chat/chart.js';
import type { Look } from '../chat/pictures.js';
import { COLOURS } from './look.js';
import { WIDTH } from './height.js';
import type { PaperDrawing, Pen } from './paper.js';
import { readable } from './readable.js';
import { sharesDrawing } from './shares.js';
import { typeface } from './typeface.js';
import { xyDrawing } from './xy.js';

use([BarChart, LineChart, PieChart, GraphicComponent, GridComponent, SVGRenderer]);

// ECharts guesses how wide words are; the font knows.
setPlatformAPI({
  measureText: (text, font) => {
    const size = Number(/(\d+(?:\.\d+)?)px/u.exec(font ?? '')?.[1] ?? 12);
    return { width: typeface(/\b(600|700|bold)\b/u.test(font ?? '') ? 'bold' : 'regular').width(text, size) };
  },
});

/** Throws where a chart holds what cannot be drawn. The same chart and look give the same text. */
export function drawSvg(chart: Chart, look: Look): string {
  const { option, height } = drawingOf(chart, look);
  const sheet = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    sheet.setOption(option);
    return nameless(sheet.renderToSVGString());
  } finally {
    sheet.dispose();
  }
}

/** ECharts counts its pictures in classes and ids, for a mouse that no picture will meet: without the count the same picture is the same text. */
const nameless = (svg: string): string =>
  svg
    .replaceAll(/<style[^>]*>.*?<\/style>/gsu, '')
    .replaceAll(/ class="zr[^"]*"/gu, '')
    .replaceAll(/(?<=( id="|url\(#))zr\d+-/gu, 'part-');

/** What ECharts is told. */
function drawingOf(chart: Chart, look: Look): PaperDrawing {
  const pen: Pen = { colours: COLOURS[look], faces: { regular: typeface('regular'), bold: typeface('bold') } };
  const plain = legible(chart);
  return plain.kind === 'xy' ? xyDrawing(plain, pen) : sharesDrawing(plain, pen);
}

/** Every text of a chart brought into what the font can draw. */
function legible(chart: Chart): Chart {
  const face = typeface('regular');
  const plain = (text: string): string => readable(text, face);
  const named = <T extends { readonly name: string }>(one: T): T => ({ ...one, name: plain(one.name) });
  const titles = { title: plain(chart.title), ...(chart.subtitle === undefined ? {} : { subtitle: plain(chart.subtitle) }) };
  if (chart.kind === 'shares') return { ...chart, ...titles, parts: chart.parts.map(named) };
  const { axisNames = {}, gapNames, categories } = chart;
  return {
    ...chart,
    ...titles,
    ...(categories === undefined ? {} : { categories: categories.map(plain) }),
    ...(gapNames === undefined ? {} : { gapNames: { up: plain(gapNames.up), down: plain(gapNames.down) } }),
    axisNames: Object.fromEntries(Object.entries(axisNames).map(([axis, text]) => [axis, plain(text)])),
    series: chart.series.map(named),
    spans: chart.spans.map(named),
    levels: chart.levels.map(named),
    marks: chart.marks.map(named),
  };
}
