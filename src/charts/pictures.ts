/** Draws charts in a worker, one at a time, with a cache. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { MINUTE, SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { chartSchema, type Chart, type Pictures, type Theme } from '../chat/chart.js';
import { PictureError, createDrawingThread, type DrawOrder } from './drawing-thread.js';

export interface PicturesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The longest time of an order in milliseconds, not counting the queue. */
  readonly patience?: number;
  readonly program?: URL;
  /** The size of the cache in bytes. */
  readonly room?: number;
}

/** An SVG is 800 pixels wide, with text as outlines, without style or script. A PNG has twice that. */
export interface Drawing extends Pictures {
  /** Starts the thread, so that the first picture is fast. Never rejects. */
  warm(): Promise<void>;
  /** Rejects waiting requests. Idempotent. */
  close(): Promise<void>;
}

const PATIENCE = 20 * SECOND;
const ROOM = 16 * 1024 * 1024;
const MAX_WAITING = 50;
/** The pause after a failing chart, because each attempt may take the whole time limit. */
const REST = 10 * MINUTE;
const MAX_FAILED = 200;

export const pictureKey = (chart: Chart): string => createHash('sha256').update(JSON.stringify(chart)).digest('base64url').slice(0, 22);

const SAMPLE = chartSchema.parse({
  kind: 'xy',
  title: 'Sample',
  series: [{ name: 'sample', draw: 'line', unit: 'usd', points: Array.from({ length: 20 }, (_, index) => [index * MINUTE, index % 3]) }],
});

/** Draws pictures in a thread that starts with `warm` or the first request. */
class DrawnPictures implements Drawing {
  readonly #clock: PicturesDeps['clock'];
  readonly #log: PicturesDeps['log'];
  readonly #thread;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #cache: LRUCache<string, Uint8Array>;
  readonly #underway = new Map<string, Promise<Uint8Array>>();
  readonly #failed = new Map<string, { readonly error: unknown; readonly until: number }>();
  #closed = false;
  #orders = 0;

  constructor({ clock, log, patience = PATIENCE, room = ROOM, program = PROGRAM }: PicturesDeps) {
    this.#clock = clock;
    this.#log = log;
    this.#thread = createDrawingThread({ program, clock, patience });
    this.#cache = new LRUCache({ maxSize: room, sizeCalculation: ({ length }) => length });
  }

  async svg(chart: Chart, theme: Theme): Promise<string> {
    return new TextDecoder().decode(await this.#picture(chart, theme, 'svg'));
  }

  async png(chart: Chart, theme: Theme): Promise<Uint8Array> {
    return this.#picture(chart, theme, 'png');
  }

  isCold(): boolean {
    return this.#thread.isCold();
  }

  async warm(): Promise<void> {
    if (this.#closed || this.#orders > 0) return;
    const id = (this.#orders += 1);
    await this.#queue
      .add(async () => this.#thread.paint({ chart: SAMPLE, theme: 'light', form: 'png', id }))
      .catch((error: unknown) => this.#log.debug('charts.not-warmed', { error }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.stop();
    await this.#queue.onIdle();
  }

  async #draw(key: string, order: Omit<DrawOrder, 'id'>): Promise<Uint8Array> {
    const before = this.#failed.get(key);
    if (before !== undefined && before.until > this.#clock.now()) throw before.error;
    if (this.#queue.size >= MAX_WAITING) throw new PictureError('charts: too many pictures are waited for; ask again in a minute');
    return this.#queue.add(async () => {
      if (this.#closed) throw gone();
      const begun = this.#clock.now();
      try {
        const bytes = await this.#thread.paint({ ...order, id: (this.#orders += 1) });
        this.#cache.set(key, bytes);
        this.#failed.delete(key);
        return bytes;
      } catch (error) {
        if (this.#closed) throw gone();
        this.#log.warn('charts.failed', { form: order.form, title: order.chart.title, milliseconds: this.#clock.now() - begun, error });
        this.#remember(key, error);
        throw error;
      }
    });
  }

  #remember(key: string, error: unknown): void {
    this.#failed.set(key, { error, until: this.#clock.now() + REST });
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= MAX_FAILED) return;
      this.#failed.delete(oldest);
    }
  }

  async #picture(chart: Chart, theme: Theme, form: DrawOrder['form']): Promise<Uint8Array> {
    if (this.#closed) throw gone();
    const key = `${pictureKey(chart)} ${theme} ${form}`;
    const kept = this.#cache.get(key);
    if (kept !== undefined) return kept;
    const shared = this.#underway.get(key);
    if (shared !== undefined) return shared;
    const drawing = this.#draw(key, { chart, theme, form }).finally(() => this.#underway.delete(key));
    this.#underway.set(key, drawing);
    return drawing;
  }
}

export const openPictures = (deps: PicturesDeps): Drawing => new DrawnPictures(deps);

const PROGRAM = new URL('./worker.js', import.meta.url);
const gone = (): PictureError => new PictureError('charts: no picture is drawn any more, the bot is stopping');
