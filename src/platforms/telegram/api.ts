/** grammY's client, dressed: our own line, its throttling for what counts against the flood limits, its retry for short waits only. */
import { autoRetry } from '@grammyjs/auto-retry';
import { apiThrottler, type APIThrottlerOptions } from '@grammyjs/transformer-throttler';
import { Api, type Transformer } from 'grammy';
import { wire, type WireNeeds } from './wire.js';

export type Pace = APIThrottlerOptions;

export interface ApiNeeds extends WireNeeds {
  readonly token: string;
  readonly apiRoot: string;
  /** Instead of Telegram's usual flood limits. */
  readonly pace?: Pace;
}

/** Seconds. A longer wait is handed to the queue at once, which keeps it over a restart. */
const LONGEST_WAIT_HERE = 5;

/** The methods that count: reading and "typing…" do not, and must not stand behind what does. */
const COUNTS = /^(send(?!ChatAction)|edit|copy|forward)/u;

export function openApi({ token, apiRoot, pace, ...needs }: ApiNeeds): Api {
  // grammY refuses a slash at the end.
  const api = new Api(token, { apiRoot: apiRoot.replace(/\/+$/u, ''), fetch: wire(needs) });
  const throttle = apiThrottler(pace);
  const paced: Transformer = async (prev, method, payload, signal) =>
    COUNTS.test(method) ? throttle(prev, method, payload, signal) : prev(method, payload, signal);
  api.config.use(
    paced,
    // What failed without an answer, or with a server's error, may have been carried out: whoever sent it decides.
    autoRetry({ maxRetryAttempts: 2, maxDelaySeconds: LONGEST_WAIT_HERE, rethrowInternalServerErrors: true, rethrowHttpErrors: true }),
  );
  return api;
}
