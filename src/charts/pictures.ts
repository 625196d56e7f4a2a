/** Charts as pictures: drawn in a thread of their own, one at a time, and kept, because the same chart is asked for by many. */
import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { MINUTE, SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { chartSchema, type Chart } from '../chat/chart.js';
import type { Look, Pictures } from '../chat/pictures.js';
import { createKeep } from './keep.js';
import type { DrawOrder } from './order.js';
import { createPainter, PictureError } from './painter.js';

export interface PicturesNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds a picture may take from its turn on. */
  readonly patience?: number;
  /** The program of the drawing thread. */
  readonly program?: URL;
  /** How many bytes of pictures are kept. */
  readonly room?: number;
}

/** Pictures with the thread that draws them. SVG is 800 pixels wide, its words are outlines: it holds no text, style or script. PNG has twice that width. */
export interface Drawing extends Pictures {
  /** Starts the thread and draws one picture that nobody sees, unless one was asked for before: the first one asked for is then as fast as the next. Never rejects. */
  warm(): Promise<void>;
  /** Ends the thread; pictures still waited for reject. Idempotent. */
  close(): Promise<void>;
}

const PATIENCE = 20 * SECOND;
const ROOM = 16 * 1024 * 1024;
/** More than so many waiting would come too late for anybody. */
const MOST_WAITING = 50;
/** What failed is not tried again so soon: a page that is opened again asks again, and each try may cost the whole patience. */
const REST = 10 * MINUTE;
const MOST_FAILED = 200;

/** Says what a picture shows, briefly: equal for equal charts, on every start of the bot. */
export const pictureKey = (chart: Chart): string => createHash('sha256').update(JSON.stringify(chart)).digest('base64url').slice(0, 22);

/** What warms the thread: lines, words and a font, as most pictures have. */
const SAMPLE = chartSchema.parse({
  kind: 'xy',
  title: 'Sample',
  series: [{ name: 'sample', draw: 'line', unit: 'usd', points: Array.from({ length: 20 }, (_, index) => [index * MINUTE, index % 3]) }],
});

/** Costs nothing until it is warmed or the first picture is asked for. */
export function openPictures({ clock, log, patience = PATIENCE, room = ROOM, program = PROGRAM }: PicturesNeeds): Drawing {
  const painter = createPainter({ program, clock, patience });
  const queue = new PQueue({ concurrency: 1 });
  const keep = createKeep(room);
  const underway = new Map<string, Promise<Uint8Array>>();
  const failed = new Map<string, { readonly error: unknown; readonly until: number }>();
  let closed = false;
  let orders = 0;

  async function draw(key: string, order: Omit<DrawOrder, 'id'>): Promise<Uint8Array> {
    const before = failed.get(key);
    if (before !== undefined && before.until > clock.now()) throw before.error;
    if (queue.size >= MOST_WAITING) throw new PictureError('charts: too many pictures are waited for; ask again in a minute');
    return queue.add(async () => {
      if (closed) throw gone();
      const begun = clock.now();
      try {
        const bytes = await painter.paint({ ...order, id: (orders += 1) });
        keep.put(key, bytes);
        failed.delete(key);
        return bytes;
      } catch (error) {
        if (closed) throw gone();
        log.warn('charts.failed', { form: order.form, title: order.chart.title, milliseconds: clock.now() - begun, error });
        remember(key, error);
        throw error;
      }
    });
  }

  function remember(key: string, error: unknown): void {
    failed.set(key, { error, until: clock.now() + REST });
    for (const oldest of failed.keys()) {
      if (failed.size <= MOST_FAILED) return;
      failed.delete(oldest);
    }
  }

  async function picture(chart: Chart, look: Look, form: DrawOrder['form']): Promise<Uint8Array> {
    if (closed) throw gone();
    const key = `${pictureKey(chart)} ${look} ${form}`;
    const kept = keep.get(key);
    if (kept !== undefined) return kept;
    const shared = underway.get(key);
    if (shared !== undefined) return shared;
    const drawing = draw(key, { chart, look, form }).finally(() => underway.delete(key));
    underway.set(key, drawing);
    return drawing;
  }

  return {
    svg: async (chart, look) => new TextDecoder().decode(await picture(chart, look, 'svg')),
    png: async (chart, look) => picture(chart, look, 'png'),
    isCold: () => painter.isCold(),
    async warm() {
      if (closed || orders > 0) return;
      const id = (orders += 1);
      await queue
        .add(async () => painter.paint({ chart: SAMPLE, look: 'light', form: 'png', id }))
        .catch((error: unknown) => log.debug('charts.not-warmed', { error }));
    },
    async close() {
      closed = true;
      await painter.stop();
      await queue.onIdle();
    },
  };
}

const PROGRAM = new URL('./worker.js', import.meta.url);
const gone = (): PictureError => new PictureError('charts: no picture is drawn any more, the bot is stopping');
