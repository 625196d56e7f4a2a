/** Draws a chart as SVG with text, as SVG with outlines, or as PNG. Blocks for tens of milliseconds. */
import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GraphicComponent, GridComponent } from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { never } from '../base/never.js';
import type { Chart, Theme } from '../chat/chart.js';
import { COLOURS, WIDTH } from './theme.js';
import type { PaperDrawing, Pen } from './shapes.js';
import { readable } from './text.js';
import { rangesDrawing } from './range-chart.js';
import { sharesDrawing } from './ring-chart.js';
import { FAMILY, fontFiles, typeface } from './fonts.js';
import { plotIn, withPlot } from './pointed-values.js';
import { xyDrawing } from './xy-chart.js';
import { Resvg } from '@resvg/resvg-js';

use([BarChart, LineChart, PieChart, GraphicComponent, GridComponent, SVGRenderer]);

// ECharts would only estimate text widths, so it gets those of the font.
setPlatformAPI({
  measureText: (text, font) => {
    const size = Number(/(\d+(?:\.\d+)?)px/u.exec(font ?? '')?.[1] ?? 12);
    return { width: typeface(/\b(600|700|bold)\b/u.test(font ?? '') ? 'bold' : 'regular').width(text, size) };
  },
});

/** Draws an SVG, deterministically. Throws for a chart that cannot be drawn. */
export function drawSvg(chart: Chart, theme: Theme): string {
  const { option, height, plot } = drawingOf(chart, theme);
  const sheet = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    sheet.setOption(option);
    return withPlot(nameless(sheet.renderToSVGString()), plot);
  } finally {
    sheet.dispose();
  }
}

/** Removes the counters in ECharts' classes and ids, which would differ between drawings. */
const nameless = (svg: string): string =>
  svg
    .replaceAll(/<style[^>]*>.*?<\/style>/gsu, '')
    .replaceAll(/ class="zr[^"]*"/gu, '')
    .replaceAll(/(?<=( id="|url\(#))zr\d+-/gu, 'part-');

function drawingOf(chart: Chart, theme: Theme): PaperDrawing {
  const pen: Pen = { colours: COLOURS[theme], faces: { regular: typeface('regular'), bold: typeface('bold') } };
  const plain = legible(chart);
  switch (plain.kind) {
    case 'xy':
      return xyDrawing(plain, pen);
    case 'shares':
      return sharesDrawing(plain, pen);
    case 'ranges':
      return rangesDrawing(plain, pen);
    default:
      return never(plain);
  }
}

function legible(chart: Chart): Chart {
  const face = typeface('regular');
  const plain = (text: string): string => readable(text, face);
  const named = <T extends { readonly name: string }>(one: T): T => ({ ...one, name: plain(one.name) });
  const titles = { title: plain(chart.title), ...(chart.subtitle === undefined ? {} : { subtitle: plain(chart.subtitle) }) };
  if (chart.kind === 'shares') return { ...chart, ...titles, parts: chart.parts.map(named) };
  if (chart.kind === 'ranges') {
    const { items, rows } = chart;
    return {
      ...chart,
      ...titles,
      rows: rows.map(named),
      ...(items === undefined ? {} : { items: { ...items, rows: items.rows.map((row) => ({ ...named(row), note: plain(row.note) })) } }),
    };
  }
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

const ZOOM = 2;

const open = (svg: string): Resvg =>
  new Resvg(svg, {
    font: { fontFiles: [...fontFiles()], loadSystemFonts: false, defaultFontFamily: FAMILY },
    fitTo: { mode: 'zoom', value: ZOOM },
  });

export const pngOf = (svg: string): Uint8Array => open(svg).render().asPng();

/** Converts text to outlines, which drops attributes that are not drawn. Shortens resvg's six decimals to two. */
export const outlinedSvg = (svg: string): string =>
  withPlot(
    open(svg)
      .toString()
      .replaceAll(
        / d="([^"]*)"/gu,
        (_, path: string) => ` d="${path.replaceAll(/-?\d+\.\d{3,}/gu, (number) => String(Number(Number(number).toFixed(2))))}"`,
      )
      .replaceAll(/>\s+</gu, '><'),
    plotIn(svg),
  );
