/** The bot as it is assembled, over a database in a folder, with simulated time, service and platforms. */
import type { Hono } from 'hono';
import { startApp, type RunningApp } from '../../src/app.js';
import { SECOND } from '../../src/base/clock.js';
import { createLog } from '../../src/base/log.js';
import { redactor } from '../../src/base/redact.js';
import { readConfig, secretsOf } from '../../src/config.js';
import { openSqlite } from '../../src/store/sqlite.js';
import { storeOver } from '../../src/store/open.js';
import type { Backend } from '../../src/store/backend.js';
import { drawing } from '../simulation/bot/bot.js';
import { simulatedTicker } from '../simulation/bot/ticker.js';
import { life } from '../simulation/machine/time.js';
import type { Random } from '../simulation/machine/random.js';
import { trackedBackend, type LongTime, type UnderWay } from './machine.js';
import type { AcceptingPlatform } from './platform.js';
import { API_KEY, embeddedService } from './service.js';

export interface LongBot {
  readonly backend: Backend;
  readonly requests: () => number;
  /** Lines by event, since the start. */
  readonly lines: ReadonlyMap<string, number>;
  /** What was logged as an error, a few of them. */
  readonly errors: readonly string[];
  /** Of a page or the metrics, as an operator reads it. */
  read(path: string): Promise<string>;
  stop(): Promise<void>;
}

export interface LongBotOptions {
  readonly path: string;
  readonly time: LongTime;
  readonly underWay: UnderWay;
  readonly random: Random;
  readonly platforms: readonly AcceptingPlatform[];
  readonly settings: Readonly<Record<string, string>>;
  readonly pace: number;
  /** Between two runs of what is due each second. */
  readonly tickSeconds: number;
}

/** Who asks, as the HTTP server says it. */
const OWN_MACHINE = { incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 1, remoteFamily: 'IPv4' } } };

const MAX_ERRORS = 20;
/** Level 50 of pino. */
const IS_ERROR = /"level":50/u;
const EVENT = /"event":"([^"]+)"/u;

export async function startLongBot(options: LongBotOptions): Promise<LongBot> {
  const { path, time, underWay, random, platforms, pace, tickSeconds } = options;
  const own = life(time);
  const backend = trackedBackend(await openSqlite(path, { pragmas: ['synchronous = OFF'] }), underWay);
  const service = embeddedService({ clock: own.clock, pace, underWay });
  const settings = {
    ACCESS: 'open',
    ANALYTICS_BASE_URL: 'http://service.test',
    ANALYTICS_API_KEY: API_KEY,
    METRICS_OPEN: 'true',
    ...options.settings,
  };
  const config = { ...readConfig(settings), platforms: platforms.map(({ connected }) => connected) };
  const lines = new Map<string, number>();
  const errors: string[] = [];
  const write = (line: string): void => {
    const event = EVENT.exec(line)?.[1] ?? 'none';
    lines.set(event, (lines.get(event) ?? 0) + 1);
    if (IS_ERROR.test(line) && errors.length < MAX_ERRORS) errors.push(line.trim());
  };
  let shown: Hono | undefined;
  const starting = startApp(config, {
    store: storeOver(backend),
    connect: service.connect,
    clock: own.clock,
    log: createLog({ level: 'info', redact: redactor(secretsOf(config)), to: { write } }),
    random: () => random.next(),
    monotonic: () => time.now(),
    pictures: drawing,
    ticker: simulatedTicker(own, time, tickSeconds),
    listen: async () => ({
      url: 'http://127.0.0.1',
      show: (app) => {
        shown = app;
      },
      close: async () => {},
    }),
  });
  const read = async (where: string): Promise<string> => {
    const answer = await shown?.request(where, { headers: { host: '127.0.0.1' } }, OWN_MACHINE);
    return (await answer?.text()) ?? '';
  };
  /** Time passes meanwhile. */
  const finished = async <T>(work: Promise<T>): Promise<T> => {
    const passing = new AbortController();
    const end = (): void => passing.abort();
    work.then(end, end);
    while (!passing.signal.aborted) await time.until(time.now() + SECOND);
    return work;
  };
  const app: RunningApp = await finished(starting);
  return {
    backend,
    lines,
    errors,
    requests: service.requests,
    read: async (where) => finished(read(where)),
    stop: async () => finished(app.stop()),
  };
}
