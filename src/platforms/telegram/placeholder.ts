/** An empty picture shown while a chart is drawn. */
import { crc32, deflateSync } from 'node:zlib';
import { chartHeight, WIDTH } from '../../charts/size.js';
import { COLOURS } from '../../charts/theme.js';
import type { Chart } from '../../chat/chart.js';

const SCALE = 4;

/** Equal for equal heights: uploaded once. */
export function placeholderOf(chart: Chart): Uint8Array {
  const width = Math.round(WIDTH / SCALE);
  const height = Math.round(chartHeight(chart) / SCALE);
  const colour = Buffer.from(COLOURS.light.rule.slice(1), 'hex');
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => colour)]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    // Eight bits of red, green and blue.
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** https://www.w3.org/TR/png/#5Chunk-layout */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
