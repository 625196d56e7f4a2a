/** The bot behind a target: opened again from time to time, so that what one input left behind does not pile up. */
import { openAppHarness, type AppHarness, type AppHarnessOptions } from '../support/app-harness.js';

export interface FuzzedBot {
  /** The bot of this run, and its clock a day and an hour later, so that nothing kept is fresh. */
  next(): Promise<AppHarness>;
  current(): AppHarness;
  close(): Promise<void>;
}

const DAY_AND_HOUR = 90_000_000;

export async function openFuzzedBot(options: AppHarnessOptions, lifetime: number): Promise<FuzzedBot> {
  let closes: (() => Promise<void>)[] = [];
  let runs = 0;
  const close = async (): Promise<void> => {
    for (const one of closes) await one();
    closes = [];
  };
  const open = async (): Promise<AppHarness> => openAppHarness({ ...options, onClose: (one) => void closes.push(one) });
  let bot = await open();
  return {
    async next() {
      runs += 1;
      if (runs % lifetime === 0) {
        await close();
        bot = await open();
      }
      await bot.clock.advance(DAY_AND_HOUR);
      bot.written.length = 0;
      return bot;
    },
    current: () => bot,
    close,
  };
}

/** Errors that nobody foresaw: the person was told that something broke. */
export function unbroken({ written }: AppHarness): void {
  const broke = written.find(({ event }) => event === 'question.broke');
  if (broke === undefined) return;
  const { error } = broke.fields;
  throw error instanceof Error ? error : new Error(`a question broke: ${JSON.stringify(broke.fields)}`);
}
