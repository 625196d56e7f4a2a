/** The drawing thread. Only it loads ECharts and resvg, because they block. */
import { parentPort } from 'node:worker_threads';
import { orderSchema, type Painted } from './drawing-thread.js';
import { drawSvg, outlinedSvg, pngOf } from './svg.js';

parentPort?.on('message', (message: unknown) => {
  const { id, chart, theme, form } = orderSchema.parse(message);
  try {
    const svg = drawSvg(chart, theme);
    // resvg's buffer may be larger than the picture, so a copy is transferred.
    const bytes = form === 'png' ? Uint8Array.from(pngOf(svg)) : new TextEncoder().encode(outlinedSvg(svg));
    parentPort?.postMessage({ kind: 'done', id, bytes } satisfies Painted, [bytes.buffer]);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ kind: 'refused', id, because } satisfies Painted, []);
  }
});
