/** What stands for a picture while it is drawn: an action in the chat, and an empty picture. */
import { crc32, deflateSync } from 'node:zlib';
import type { Api } from 'grammy';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { chartHeight, COLOURS, WIDTH } from '../../charts/theme.js';
import type { Chart } from '../../chat/chart.js';
import { sendTo, type ChatTopic } from './address.js';
import { inWords } from './outcome.js';

/** Clients show it for five seconds. https://core.telegram.org/bots/api#sendchataction */
const SHOWN_FOR = 5 * SECOND;
/** A picture is drawn within ten seconds. */
const MAX_REPEATS = 2;

/** Shows "sending a photo" until `done` aborts. Never rejects. */
export async function showDrawing(
  { api, clock, log }: { readonly api: Api; readonly clock: Clock; readonly log: Log },
  place: ChatTopic,
  done: AbortSignal,
): Promise<void> {
  const { chat_id: chat, ...thread } = sendTo(place);
  try {
    for (let shown = 0; shown < MAX_REPEATS && !done.aborted; shown += 1) {
      await api.sendChatAction(chat, 'upload_photo', thread);
      await clock.sleep(SHOWN_FOR, done);
    }
  } catch (error) {
    if (!done.aborted) log.debug('telegram.action-not-shown', { chat, error: inWords(error) });
  }
}

const SCALE = 4;

/** Pictures of equal height are equal, so each is uploaded once. */
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
