/** One thread that draws, started at its first order, and anew after it died or took too long. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.js';
import { paintedSchema, type DrawOrder, type Painted } from './order.js';

/** Why there is no picture, as a sentence; the text of a reply does not need it. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

export interface PainterNeeds {
  /** The program of the thread. */
  readonly program: URL;
  readonly clock: Clock;
  /** Milliseconds an order may take, the start of the thread included. */
  readonly patience: number;
}

export interface Painter {
  /** One order at a time. Rejects with a `PictureError`. */
  paint(order: DrawOrder): Promise<Uint8Array>;
  /** Whether the thread that stands has not answered an order yet, or none stands. */
  isCold(): boolean;
  /** Ends the thread; an order under way rejects. */
  stop(): Promise<void>;
}

/** In megabytes: a picture takes a tenth of it; one that wants more must not take the bot along. */
const MOST_MEMORY = 256;
/** Megabytes for what is used up at once; more would only make the process larger. */
const MAX_YOUNG = 8;

export function createPainter({ program, clock, patience }: PainterNeeds): Painter {
  let standing: Worker | undefined;
  let answered: Worker | undefined;

  function start(): Worker {
    // The thread has no use for the environment, and so no way to tell a secret.
    const worker = new Worker(program, {
      env: { NODE_ENV: 'production' },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY, maxYoungGenerationSizeMb: MAX_YOUNG },
    });
    // Without a listener a failing thread would end the bot; the order under way hears of it by itself.
    worker.on('error', () => leave(worker));
    worker.on('exit', () => leave(worker));
    return worker;
  }

  function leave(worker: Worker): void {
    if (standing === worker) standing = undefined;
  }

  async function ask(order: DrawOrder): Promise<Painted> {
    const worker = (standing ??= start());
    const over = new AbortController();
    // An idle thread does not keep the bot from ending; one that draws does.
    worker.ref();
    try {
      worker.postMessage(order, []);
      const late = clock.sleep(patience, over.signal).then(() => {
        throw new PictureError(`charts: the picture was not drawn within ${patience / 1_000} s and was given up`);
      });
      const painted = await Promise.race([answerTo(order, worker, over.signal), late]);
      answered = worker;
      return painted;
    } catch (error) {
      // Whatever it is doing, nobody waits for it any more; the next order starts another.
      leave(worker);
      void worker.terminate();
      throw error;
    } finally {
      over.abort();
      worker.unref();
    }
  }

  return {
    async paint(order) {
      const painted = await ask(order);
      if (painted.kind === 'refused') throw new PictureError(`charts: the picture could not be drawn: ${painted.because}`);
      return painted.bytes;
    },
    isCold: () => standing === undefined || answered !== standing,
    async stop() {
      const worker = standing;
      standing = undefined;
      await worker?.terminate();
    },
  };
}

/** Resolves with the thread's answer; rejects when it dies first. Listens no longer once the signal aborts. */
async function answerTo(order: DrawOrder, worker: Worker, signal: AbortSignal): Promise<Painted> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      const painted = paintedSchema.safeParse(message);
      if (!painted.success) reject(new PictureError('charts: the drawing thread answered with something else than a picture'));
      else if (painted.data.id === order.id) resolve(painted.data);
    };
    const fail = (cause: Error): void => reject(new PictureError(`charts: the drawing thread failed: ${cause.message}`, { cause }));
    const exit = (): void => reject(new PictureError('charts: the drawing thread ended before the picture was drawn'));
    worker.on('message', hear).on('error', fail).on('exit', exit);
    signal.addEventListener('abort', () => worker.off('message', hear).off('error', fail).off('exit', exit), { once: true });
  });
}
