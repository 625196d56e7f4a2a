/** Starts the drawing thread after the first questions. */
import { SECOND, type Clock } from '../base/clock.js';
import { signalOnce } from '../base/when-ready.js';

export interface WarmUp {
  /** A question was answered without a picture. */
  asked(): void;
  start(): void;
  stop(): void;
}

/** Without a question: the thread needs a core for half a second, which answers under way would miss. */
const QUIET = 2 * SECOND;
/** Where questions never pause. */
const MAX_WAITS = 30;

export function createWarmUp({ clock, warm }: { readonly clock: Clock; readonly warm: () => Promise<void> }): WarmUp {
  const stopping = new AbortController();
  const first = signalOnce();
  let questions = 0;

  async function run(): Promise<void> {
    await first.done;
    for (let waits = 0; waits < MAX_WAITS; waits += 1) {
      const before = questions;
      await clock.sleep(QUIET, stopping.signal);
      if (questions === before) break;
    }
    await warm();
  }
  return {
    asked() {
      questions += 1;
      first.signal();
    },
    start: () => void run().catch(() => undefined), // Stopping: nothing is to be drawn.
    stop: () => stopping.abort(new Error('the bot is stopping')),
  };
}
