/** What every part of a process shares: settings, clock, log, store. */
import { setMaxListeners } from 'node:events';
import { omitUndefined } from '../base/omit-undefined.js';
import { later, SECOND, systemClock, type Clock } from '../base/clock.js';
import { lines, type DroppedLines } from '../base/line-writer.js';
import { createLog, type Log } from '../base/log.js';
import { never } from '../base/never.js';
import { redactor } from '../base/redact.js';
import { openTrustedClock, type MachineClock, type TrustedClock } from '../base/trusted-clock.js';
import { secretsOf, type Config } from '../config.js';
import type { Connect } from '../analytics/transport.js';
import type { Drawing } from '../charts/pictures.js';
import type { Instant } from '../domain/scalars.js';
import { readLastSeen } from '../jobs/downtime.js';
import type { Ticker } from '../jobs/ticker.js';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.js';
import { observedStore } from '../operations/observed-store.js';
import { createStoreOutageLog } from '../operations/store-outage.js';
import type { RateLimits } from '../platforms/limiter/limiter.js';
import { mayShareMachine, openStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import type { openHttp } from './http.js';

/** Of a stop, for questions and calls under way: longer than that of a wallet refresh, which costs its caller. */
const STOP_GRACE = 5 * SECOND;

/** Replacements for the real world, for tests. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  /** Instead of the one at STORE_URL. */
  readonly store?: Store;
  readonly ticker?: Ticker;
  /** Of a machine, in ms. Without it another clock than the machine's is never doubted. */
  readonly monotonic?: () => number;
  /** Instead of HTTP to the analytics service. */
  readonly connect?: Connect;
  /** Instead of an HTTP server that listens. */
  readonly listen?: typeof openHttp;
  /** Instead of the drawing thread. */
  readonly pictures?: Drawing;
  /** Aborts the start: it rejects, with everything closed. Default: none. */
  readonly signal?: AbortSignal;
  /** Instead of a platform's usual rate limits, by its name. */
  readonly limits?: Readonly<Record<string, RateLimits>>;
}

export interface Foundation extends Pick<Overrides, 'ticker' | 'connect' | 'listen' | 'pictures' | 'limits'> {
  readonly config: Config;
  readonly clock: TrustedClock;
  readonly random: () => number;
  readonly log: Log;
  readonly droppedLines: () => DroppedLines;
  /** By the monotonic clock: it moves along when a jump is confirmed. */
  readonly startedAt: () => Instant;
  readonly store: Store;
  /** Asked before each request to a platform and each POST to the service. Absent: always. */
  readonly isActive?: () => boolean;
  readonly metrics: Metrics;
  /** Aborts when everything is to be closed, also during the start. */
  readonly stopping: AbortSignal;
  /** Aborts `STOP_GRACE` after `stopping`: no question and no call waits longer. */
  readonly givingUp: AbortSignal;
  /** Closed in reverse order. */
  readonly onStop: (close: () => Promise<void>) => void;
}

/** Rejects with a `StoreError`. */
export async function layFoundation(
  config: Config,
  overrides: Overrides,
  { stopping, onStop }: Pick<Foundation, 'stopping' | 'onStop'>,
): Promise<Foundation> {
  const { random = Math.random, ticker, connect, listen, pictures, limits } = overrides;
  const isMachines = overrides.clock === undefined || overrides.monotonic !== undefined;
  const clock = openTrustedClock(machineClock(overrides));
  const errorLines = lines(2);
  const everyLine = overrides.log ?? createLog({ level: config.logLevel, redact: redactor(secretsOf(config)), to: errorLines });
  const { log, called } = createStoreOutageLog(everyLine, clock);
  followClock(clock, log);
  const startedAt = clock.reading().monotonic;
  const metrics = createMetrics();
  onStop(async () => metrics.stop());
  const givingUp = endOfGrace(clock, stopping, onStop);
  const open = async (): Promise<Store> =>
    openStore(config.storeUrl, {
      trustsCleanStop: true,
      onTime: isMachines ? (at) => clock.observe({ at, confirms: !mayShareMachine(config.storeUrl) }) : undefined,
    });
  const store = observedStore(overrides.store ?? (await open()), (call) => {
    metrics.stored(call);
    called(call);
  });
  onStop(async () => store.close());
  const hasOtherClocks = config.analytics.baseUrl !== undefined || config.platforms.length > 0;
  clock.begin({ lastSeen: isMachines && hasOtherClocks ? await readLastSeen(store) : undefined });
  return {
    config,
    clock,
    random,
    log,
    droppedLines: () => errorLines.dropped(),
    startedAt: () => later(clock.now(), Math.round(startedAt - clock.reading().monotonic)),
    store,
    metrics,
    stopping,
    givingUp,
    onStop,
    ...omitUndefined({ ticker, connect, listen, pictures, limits }),
  };
}

function endOfGrace(clock: Clock, stopping: AbortSignal, onStop: Foundation['onStop']): AbortSignal {
  const [givingUp, stopped] = [new AbortController(), new AbortController()];
  // Every question under way listens.
  setMaxListeners(0, givingUp.signal);
  const begin = (): void => {
    clock.sleep(STOP_GRACE, stopped.signal).then(
      () => givingUp.abort(new Error('the bot is stopping')),
      () => undefined,
    );
  };
  stopping.addEventListener('abort', begin, { once: true });
  onStop(async () => stopped.abort(new Error('stopped')));
  return givingUp.signal;
}

function machineClock({ clock, monotonic }: Overrides): MachineClock {
  if (clock === undefined) return { ...systemClock, monotonic: monotonic ?? (() => performance.now()) };
  return {
    now: () => clock.now(),
    sleep: async (milliseconds, signal) => clock.sleep(milliseconds, signal),
    monotonic: monotonic ?? (() => clock.now()),
  };
}

function followClock(clock: TrustedClock, log: Log): void {
  clock.onChange((change) => {
    switch (change.kind) {
      case 'jumped':
        return log.warn('clock.jumped', { ...change.doubt });
      case 'contradicted':
        return log.error('clock.wrong', { ...change.doubt });
      case 'confirmed':
      case 'set-back':
        return log.info('clock.trusted-again', { because: change.kind });
      default:
        return never(change);
    }
  });
}
