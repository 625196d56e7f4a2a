/**
 * Draws every sample, and what the commands answer about the simulated world, in both themes and says what each costs; with PICTURES_FOLDER it writes them there, to be viewed:
 * `PICTURES_FOLDER=<folder> npx vitest run test/bench/pictures.test.ts`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { THEMES } from '../../src/charts/theme.js';
import { drawSvg, outlinedSvg, pngOf } from '../../src/charts/svg.js';
import type { Chart } from '../../src/chat/chart.js';
import { openAppHarness } from '../support/app-harness.js';
import { SAMPLES } from '../charts/samples.js';

const folder = process.env['PICTURES_FOLDER'];
const UNASKED = 'set PICTURES_FOLDER to the folder the pictures shall be written to';

test('every sample can be drawn, and here is what each costs', { timeout: 120_000 }, async ({ skip }) => {
  skip(folder === undefined, UNASKED);
  const lines = await sheet(SAMPLES, folder ?? '');
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(lines).toHaveLength(2 * Object.keys(SAMPLES).length);
});

/** Questions whose answers carry a picture, by the name of its file. */
const QUESTIONS = {
  'sim-premium-1D': '/premium tide 1D',
  'sim-premium-3M': '/premium tide 3M',
  'sim-premium-ALL': '/premium heron ALL',
  'sim-treasury-history': '/treasury tide history',
  'sim-treasury-holdings': '/treasury tide holdings',
  'sim-supply': '/supply tide chart',
  'sim-growth-30': '/growth tide daily-traders 30',
  'sim-growth-90': '/growth tide fees-usd 90',
};

test('what the commands draw of the simulated world', { timeout: 120_000 }, async ({ skip }) => {
  skip(folder === undefined, UNASKED);
  const { say } = await openAppHarness();
  const charts: Record<string, Chart> = {};
  for (const [name, line] of Object.entries({ ...QUESTIONS, ...more() })) {
    const { chart } = (await say(line)).reply;
    if (chart === undefined) process.stdout.write(`${name}: no picture\n`);
    else charts[name] = chart;
  }
  process.stdout.write(`${(await sheet(charts, folder ?? '')).join('\n')}\n`);
  expect(Object.keys(charts)).toEqual(expect.arrayContaining(Object.keys(QUESTIONS)));
});

/** More questions to draw, one a line: `PICTURES_QUESTIONS="/vesting tide unlocks"`. */
const more = (): Record<string, string> =>
  Object.fromEntries(
    (process.env['PICTURES_QUESTIONS'] ?? '').split('\n').flatMap((line, index) => (line === '' ? [] : [[`asked-${index + 1}`, line]])),
  );

/** Writes each chart in both themes, as PNG and as SVG; answers a line about each. */
async function sheet(charts: Readonly<Record<string, Chart>>, to: string): Promise<readonly string[]> {
  mkdirSync(to, { recursive: true });
  const lines: string[] = [];
  for (const [name, chart] of Object.entries(charts))
    for (const theme of THEMES) {
      const begin = performance.now();
      const svg = drawSvg(chart, theme);
      const drawn = performance.now();
      const png = pngOf(svg);
      const end = performance.now();
      const outlined = outlinedSvg(svg);
      writeFileSync(join(to, `${name}.${theme}.png`), png);
      writeFileSync(join(to, `${name}.${theme}.svg`), outlined);
      expect(png.length).toBeGreaterThan(5_000);
      const took = `svg ${milliseconds(drawn - begin)}, png ${milliseconds(end - drawn)}`;
      lines.push(`${`${name} ${theme}`.padEnd(30)} ${took}   png ${kilobytes(png.length)}, svg ${kilobytes(outlined.length)}`);
      await turn();
    }
  return lines;
}

const milliseconds = (value: number): string => `${value.toFixed(0).padStart(4)} ms`;
const kilobytes = (value: number): string => `${(value / 1024).toFixed(0).padStart(4)} KB`;
