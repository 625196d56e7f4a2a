/**
 * Draws what the bench measured at several sizes, as one picture: `npm run bench:curves`. Reads docs/measurements.json, which `npm run bench -- --json`
 * writes, and writes docs/performance.svg.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { FAMILY } from '../../src/charts/fonts.js';
import { COLOURS } from '../../src/charts/theme.js';
import { median } from './harness/figure.js';
import { AXIS_TEXT, drawPanels, plain } from './harness/panels.js';

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
/** Left of the smallest size, so that its label does not cover the axis. */
const FIRST_TICK = 50;
const { ground, ink, tones } = COLOURS.light;

interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [size: number, value: number])[];
  readonly goals: readonly (readonly [size: number, value: number])[];
}

/** One for each curve, in the order in which they were measured. */
function curvesOf(figures: readonly Measured[]): readonly Curve[] {
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

function drawn({ points, goals }: Curve): readonly object[] {
  const label = { show: true, position: 'top', fontFamily: FAMILY, fontSize: 11, formatter: ({ value }: Point) => plain(value[1]) };
  return [
    { data: goals, symbol: 'none', lineStyle: { color: tones.second, type: 'dashed', width: 1.5 } },
    { data: points, symbol: 'circle', symbolSize: 7, color: tones.main, label: { ...label, color: ink, backgroundColor: ground } },
  ];
}

interface Point {
  readonly value: readonly [size: number, value: number];
}

const { figures } = measurementsSchema.parse(JSON.parse(await readFile(FROM, 'utf8')));
const svg = drawPanels({
  panels: curvesOf(figures).map((curve) => ({ title: curve.name, lines: drawn(curve) })),
  panel: PANEL,
  over: 'chats (dashed: the goal)',
  xAxis: { min: FIRST_TICK, axisLabel: { ...AXIS_TEXT, formatter: plain, showMinLabel: false } },
});
await writeFile(TO, svg);
