/** The thread that draws. It is alone in loading ECharts and resvg: the bot itself starts without them and is never held up by a picture. */
import { parentPort } from 'node:worker_threads';
import { orderSchema, type Painted } from './order.js';
import { outlinedSvg, pngOf } from './raster.js';
import { drawSvg } from './svg.js';

parentPort?.on('message', (message: unknown) => {
  const { id, chart, look, form } = orderSchema.parse(message);
  const answer = (painted: Painted) => parentPort?.postMessage(painted);
  try {
    const svg = drawSvg(chart, look);
    // Copied: what resvg hands out may be larger than the picture.
    answer({ kind: 'done', id, bytes: form === 'png' ? Uint8Array.from(pngOf(svg)) : new TextEncoder().encode(outlinedSvg(svg)) });
  } catch (error) {
    answer({ kind: 'refused', id, because: error instanceof Error ? error.message : String(error) });
  }
});
