/** Runs the drawing thread, which starts on demand and again after a crash or timeout, and defines its messages. */
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { chartSchema } from '../chat/chart.js';
import type { Clock } from '../base/clock.js';
import { withDeadline } from '../base/deadline.js';
import { THEMES } from './theme.js';

export const orderSchema = z.object({
  id: z.int(),
  chart: chartSchema,
  theme: z.enum(THEMES),
  form: z.enum(['svg', 'png']),
});
export type DrawOrder = z.infer<typeof orderSchema>;

export const paintedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), id: z.int(), bytes: z.instanceof(Uint8Array) }),
  /** The chart cannot be drawn. The thread is still usable. */
  z.object({ kind: z.literal('refused'), id: z.int(), because: z.string() }),
]);
export type Painted = z.infer<typeof paintedSchema>;

export class PictureError extends Error {
  override readonly name = 'PictureError';
}

export interface DrawingThreadDeps {
  readonly program: URL;
  readonly clock: Clock;
  /** The longest time of an order in milliseconds, including the start of the thread. */
  readonly patience: number;
}

export interface DrawingThread {
  /** Draws a picture. Rejects with a `PictureError`. */
  paint(order: DrawOrder): Promise<Uint8Array>;
  /** Tells whether no thread is running, or it has not answered an order yet. */
  isCold(): boolean;
  stop(): Promise<void>;
}

const MAX_OLD = 256;
const MAX_YOUNG = 8;

export function createDrawingThread({ program, clock, patience }: DrawingThreadDeps): DrawingThread {
  let running: Worker | undefined;
  let answered: Worker | undefined;

  function start(): Worker {
    // The worker gets no environment, so it has no secrets.
    const worker = new Worker(program, {
      env: { NODE_ENV: 'production' },
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD, maxYoungGenerationSizeMb: MAX_YOUNG },
    });
    // Without a listener an error in the thread would end the bot; the running order gets the error separately.
    worker.on('error', () => leave(worker));
    worker.on('exit', () => leave(worker));
    return worker;
  }

  function leave(worker: Worker): void {
    if (running === worker) running = undefined;
  }

  async function ask(order: DrawOrder): Promise<Painted> {
    const worker = (running ??= start());
    // Only a working thread keeps the process alive.
    worker.ref();
    try {
      worker.postMessage(order, []);
      const late = (): Error => new PictureError(`charts: the picture was not drawn within ${patience / 1_000} s and was given up`);
      const painted = await withDeadline({ clock, milliseconds: patience, late }, async (signal) => answerTo(order, worker, signal));
      answered = worker;
      return painted;
    } catch (error) {
      // The thread is terminated; the next order starts a new one.
      leave(worker);
      void worker.terminate();
      throw error;
    } finally {
      worker.unref();
    }
  }

  return {
    async paint(order) {
      const painted = await ask(order);
      if (painted.kind === 'refused') throw new PictureError(`charts: the picture could not be drawn: ${painted.because}`);
      return painted.bytes;
    },
    isCold: () => running === undefined || answered !== running,
    async stop() {
      const worker = running;
      running = undefined;
      await worker?.terminate();
    },
  };
}

/** Sends an order and waits for its answer. Rejects if the thread ends first. */
async function answerTo(order: DrawOrder, worker: Worker, signal: AbortSignal): Promise<Painted> {
  return new Promise((resolve, reject) => {
    const receive = (message: unknown): void => {
      const painted = paintedSchema.safeParse(message);
      if (!painted.success) reject(new PictureError('charts: the drawing thread answered with something else than a picture'));
      else if (painted.data.id === order.id) resolve(painted.data);
    };
    const fail = (cause: Error): void => reject(new PictureError(`charts: the drawing thread failed: ${cause.message}`, { cause }));
    const exit = (): void => reject(new PictureError('charts: the drawing thread ended before the picture was drawn'));
    worker.on('message', receive).on('error', fail).on('exit', exit);
    signal.addEventListener('abort', () => worker.off('message', receive).off('error', fail).off('exit', exit), { once: true });
  });
}
