/**
 * Draws docs/pictures/dashboard.png: the panels of the Grafana dashboard from a real Prometheus that scraped a running bot for three minutes.
 * `node --import ./test/support/child/register.mjs test/screenshots/dashboard.ts`, after a build.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { init, use } from 'echarts/core';
import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { z } from 'zod';
import { FAMILY, fontFiles } from '../../src/charts/fonts.js';
import { OPERATOR, startMain } from '../journeys/process.js';
import { startPrometheus, withoutPrometheus, type RunningPrometheus } from '../support/prometheus.js';

use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const ROOT = new URL('../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, ROOT));
const SCRAPED_MS = 180_000;
const STEP_SECONDS = 5;
/** Of Grafana's 24 columns and of its rows, in pixels. */
const [COLUMN, ROW] = [58, 30];
const [INK, MUTED, LINE, BACK, PANEL] = ['#ccccdc', '#8e8ea0', '#2c3235', '#111217', '#181b1f'];
/** Names in a row of a legend. */
const LEGEND_ROW = 4;
const LINES = ['/premium tide', '/treasury tide', '/supply tide', '/proposals', '/overview', '/holders tide', '/runway tide', '/status'];

const panelSchema = z.object({
  title: z.string(),
  type: z.enum(['stat', 'timeseries']),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string(), custom: z.unknown().optional() }) }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
});
type Panel = z.infer<typeof panelSchema>;
const ranges = z.object({
  result: z.array(z.object({ metric: z.record(z.string(), z.string()), values: z.array(z.tuple([z.number(), z.string()])) })),
});

interface Series {
  readonly name: string;
  readonly points: readonly (readonly [at: number, value: number])[];
}

async function seriesOf(server: RunningPrometheus, { targets }: Panel, to: number): Promise<readonly Series[]> {
  const found = await Promise.all(
    targets.map(async ({ expr, legendFormat }) => {
      const query = expr.replaceAll('$__rate_interval', '1m');
      const range = { start: String(to - SCRAPED_MS / 1_000), end: String(to), step: String(STEP_SECONDS) };
      const { result } = ranges.parse(await server.get('query_range', { query, ...range }));
      return result.map(({ metric, values }) => ({
        name: legendFormat.replaceAll(/\{\{(\w+)\}\}/gu, (_, label: string) => metric[label] ?? ''),
        points: values.map(([second, value]): [number, number] => [second * 1_000, Number(value)]),
      }));
    }),
  );
  return found.flat();
}

const rounded = (value: number): string => String(Number(value.toPrecision(3)));

function withUnit(value: number, unit: string): string {
  if (unit === 'bytes') return `${rounded(value / 2 ** 20)} MiB`;
  if (unit === 'percentunit') return `${rounded(value * 100)}%`;
  if (unit === 's')
    return value >= 120
      ? `${rounded(value / 60)} min`
      : value !== 0 && value < 0.5
        ? `${rounded(value * 1_000)} ms`
        : `${rounded(value)} s`;
  return unit === 'ops' ? `${rounded(value)}/s` : rounded(value);
}

function drawn({ title, type, gridPos: { x, y, w, h }, fieldConfig }: Panel, series: readonly Series[]): string {
  const { unit, custom } = fieldConfig.defaults;
  const [width, height] = [w * COLUMN - 8, h * ROW - 8];
  const frame = `<g transform="translate(${x * COLUMN + 4} ${y * ROW + 4})"><rect width="${width}" height="${height}" rx="3" fill="${PANEL}" stroke="${LINE}"/>`;
  const font = `font-family="${FAMILY}"`;
  if (type === 'stat') {
    const last = series[0]?.points.at(-1)?.[1];
    const text = last === undefined ? 'No data' : withUnit(last, unit);
    return `${frame}<text x="10" y="20" ${font} font-size="12" fill="${INK}">${title}</text><text x="${width / 2}" y="${height / 2 + 24}" ${font} font-size="${last === undefined ? 18 : 36}" text-anchor="middle" fill="${last === undefined ? MUTED : '#73bf69'}">${text}</text></g>`;
  }
  const sheet = init(null, null, { renderer: 'svg', ssr: true, width, height });
  sheet.setOption({
    animation: false,
    textStyle: { fontFamily: FAMILY },
    color: ['#73bf69', '#f2cc0c', '#5794f2', '#ff9830', '#f2495c', '#b877d9', '#8ab8ff', '#96d98d', '#ffa6b0'],
    title: { text: title, left: 6, top: 4, textStyle: { color: INK, fontSize: 12, fontWeight: 'normal', fontFamily: FAMILY } },
    legend: {
      bottom: 2,
      left: 6,
      type: 'plain',
      itemWidth: 10,
      itemHeight: 2,
      icon: 'rect',
      itemGap: 8,
      textStyle: { color: MUTED, fontSize: 10 },
    },
    grid: { left: 58, right: 12, top: 32, bottom: 28 + 15 * Math.ceil(series.length / LEGEND_ROW) },
    xAxis: {
      type: 'time',
      axisLabel: { color: MUTED, fontSize: 10, formatter: '{HH}:{mm}' },
      axisLine: { lineStyle: { color: LINE } },
      splitNumber: 3,
    },
    yAxis: {
      type: 'value',
      min: 0,
      splitNumber: 3,
      axisLabel: { color: MUTED, fontSize: 10, formatter: (value: number) => withUnit(value, unit) },
      splitLine: { lineStyle: { color: LINE } },
    },
    series: series.map(({ name, points }) => ({
      ...{ name, type: 'line', showSymbol: false, lineStyle: { width: 1.5 }, data: points },
      ...(custom === undefined ? {} : { stack: 'all', areaStyle: { opacity: 0.3 } }),
    })),
  });
  const svg = sheet.renderToSVGString();
  sheet.dispose();
  const none =
    series.length === 0
      ? `<text x="${width / 2}" y="${height / 2}" ${font} font-size="12" text-anchor="middle" fill="${MUTED}">No data</text>`
      : '';
  return `${frame}${svg}${none}</g>`;
}

async function main(): Promise<void> {
  if (withoutPrometheus !== undefined) throw new Error(`dashboard: ${withoutPrometheus}`);
  const { panels } = z
    .object({ panels: z.array(panelSchema) })
    .parse(JSON.parse(await readFile(at('docs/monitoring/grafana-dashboard.json'), 'utf8')));
  const bot = startMain(at('dist/src/main.js'), ['ignore', 'pipe', 'ignore']);
  let server: RunningPrometheus | undefined;
  try {
    const url = await bot.url(bot.child.stdout);
    const asking = async (text: string): Promise<unknown> =>
      fetch(new URL('/api/chats/main/messages', url), {
        method: 'POST',
        headers: { ...OPERATOR, 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
    await asking('/watch all');
    await asking('/alerts all everything');
    server = await startPrometheus(
      { target: new URL(url).host, rules: at('docs/monitoring/prometheus-rules.yml'), every: '5s', authorization: OPERATOR.authorization },
      async (api) => {
        await api.get('targets');
        return true;
      },
    );
    const end = Date.now() + SCRAPED_MS;
    for (let asked = 0; Date.now() < end; asked += 1) {
      await asking(LINES[asked % LINES.length] ?? '/help');
      if (asked % 10 === 9) await asking('/alerts test');
      await sleep(1_500);
    }
    const [from, now] = [server, Math.floor(Date.now() / 1_000)];
    const parts: string[] = [];
    for (const panel of panels) parts.push(drawn(panel, await seriesOf(from, panel, now)));
    const rows = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
    const [width, height] = [24 * COLUMN, rows * ROW];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${BACK}"/>${parts.join('')}</svg>`;
    const fonts = { fontFiles: [...fontFiles()], loadSystemFonts: false, defaultFontFamily: FAMILY };
    await writeFile(at('docs/pictures/dashboard.png'), new Resvg(svg, { font: fonts }).render().asPng());
  } finally {
    await server?.stop();
    await bot.stop();
  }
}

await main();
