/** The thread that draws. It is alone in loading ECharts and resvg: the bot itself starts without them and is never held up by a picture. */
import { parentPort } from 'node:worker_threads';
import { orderSchema, type Painted } from './order.js';
import { outlinedSvg, pngOf } from './raster.js';
import { drawSvg } from './svg.js';

parentPort?.on('message', (message: unknown) => {
  const { id, chart, look, form } = orderSchema.parse(message);
  try {
    const svg = drawSvg(chart, look);
    // Copied: what resvg hands out may be larger than the picture. The copy is handed over, not copied again.
    const bytes = form === 'png' ? Uint8Array.from(pngOf(svg)) : new TextEncoder().encode(outlinedSvg(svg));
    parentPort?.postMessage({ kind: 'done', id, bytes } satisfies Painted, [bytes.buffer]);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ kind: 'refused', id, because } satisfies Painted, []);
  }
});
