/**
 * Draws every sample in both looks and says what each costs; with PICTURES_FOLDER it writes them there, to be looked at:
 * `PICTURES_FOLDER=/tmp/pictures npx vitest run test/bench/pictures.test.ts`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LOOKS } from '../../src/charts/look.js';
import { outlinedSvg, pngOf } from '../../src/charts/raster.js';
import { drawSvg } from '../../src/charts/svg.js';
import { SAMPLES } from '../charts/samples.js';

const folder = process.env['PICTURES_FOLDER'];

test('every picture can be drawn, and here is what each costs', { timeout: 120_000 }, async ({ skip }) => {
  skip(folder === undefined, 'set PICTURES_FOLDER to the folder the pictures shall be written to');
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const lines: string[] = [];
  for (const [name, chart] of Object.entries(SAMPLES))
    for (const look of LOOKS) {
      const begin = performance.now();
      const svg = drawSvg(chart, look);
      const drawn = performance.now();
      const png = pngOf(svg);
      const end = performance.now();
      const outlined = outlinedSvg(svg);
      writeFileSync(join(folder, `${name}.${look}.png`), png);
      writeFileSync(join(folder, `${name}.${look}.svg`), outlined);
      expect(png.length).toBeGreaterThan(5_000);
      const took = [drawn - begin, end - drawn].map((milliseconds) => milliseconds.toFixed(0).padStart(4));
      lines.push(
        `${`${name} ${look}`.padEnd(26)} svg ${took[0]} ms, png ${took[1]} ms  png ${(png.length / 1024).toFixed(0).padStart(4)} KB, svg ${(outlined.length / 1024).toFixed(0).padStart(4)} KB`,
      );
      await turn();
    }
  process.stdout.write(`${lines.join('\n')}\n`);
});
