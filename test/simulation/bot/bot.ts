/** The bot as it is assembled, on a simulated machine: its clock, store, service and platforms are given from outside, everything else is its own. */
import { startApp, type RunningApp } from '../../../src/app.js';
import { silentLog, type Log } from '../../../src/base/log.js';
import { readConfig, type Config } from '../../../src/config.js';
import type { Drawing } from '../../../src/charts/pictures.js';
import type { Connect } from '../../../src/analytics/transport.js';
import type { ConnectedPlatform } from '../../../src/platforms/descriptor.js';
import type { Store } from '../../../src/store/store.js';
import type { Life, Time } from '../machine/time.js';
import type { Random } from '../machine/random.js';
import { simulatedTicker } from './ticker.js';

export interface Surroundings {
  readonly time: Time;
  readonly random: Random;
  readonly store: Store;
  readonly connect: Connect;
  readonly platforms: readonly ConnectedPlatform[];
  /** Of the environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** Between two runs of what is due each second. */
  readonly tickSeconds: number;
  /** What the bot logs as an error. */
  readonly failed: Log['error'];
}

/** Draws nothing. */
export const drawing: Drawing = {
  svg: async () => '<svg/>',
  png: async () => new Uint8Array(1),
  warm: async () => {},
  close: async () => {},
};

export async function startBot(life: Life, around: Surroundings): Promise<RunningApp> {
  const { time, random, store, connect, platforms, settings, tickSeconds, failed } = around;
  const config: Config = { ...readConfig(settings), platforms };
  return startApp(config, {
    ...{
      store,
      connect,
      clock: life.clock,
      log: { ...silentLog, error: failed },
      random: () => random.next(),
      monotonic: () => time.now(),
      pictures: drawing,
    },
    ticker: simulatedTicker(life, time, tickSeconds),
    listen: async () => ({ url: 'http://bot.test', show: () => {}, close: async () => {} }),
  });
}
