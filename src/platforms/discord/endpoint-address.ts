/** Sets where Discord posts interactions, and unsets it for the gateway. */
import { z } from 'zod';
import { MINUTE, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Store } from '../../store/store.js';
import type { Endpoint } from './endpoint.js';
import { inWords } from './outcome.js';
import type { RestCall } from './rest.js';

export interface EndpointAddressDeps {
  readonly call: RestCall;
  readonly store: Store;
  /** Undefined: over the gateway. */
  readonly endpoint: Endpoint | undefined;
  readonly receive: (interaction: unknown) => void;
  /** Default: it sets it. */
  readonly sets?: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export interface EndpointAddress {
  /** Until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Why interactions do not arrive, with the remedy; undefined: they do. */
  problem(): string | undefined;
}

const CHECKED_EVERY = 10 * MINUTE;
const MIN_PAUSE = MINUTE;
const MAX_PAUSE = 60 * MINUTE;

const PATH = '/applications/@me';
const applicationSchema = z.object({ id: z.string(), verify_key: z.string(), interactions_endpoint_url: z.string().nullish() });

export function createEndpointAddress({ call, store, endpoint, receive, sets = true, clock, log }: EndpointAddressDeps): EndpointAddress {
  /** The address that this bot set, by application. */
  const set = store.collection({ prefix: 'interactions-url', version: 1, schema: z.object({ url: z.string() }) });
  let problem: string | undefined;

  const change = async (url: string | null): Promise<void> => {
    await call({ method: 'PATCH', path: PATH, body: { interactions_endpoint_url: url } });
    log.info('discord.interactions-url-set', { url });
  };

  async function arrange(): Promise<void> {
    if (endpoint === undefined && (await set.list()).found.length === 0) return;
    const application = applicationSchema.parse(await call({ method: 'GET', path: PATH }));
    const { id, verify_key: key, interactions_endpoint_url: current } = application;
    if (endpoint === undefined) {
      const ours = await set.get(id);
      // Another program's address is not ours to remove.
      if (ours !== undefined && ours.url === current) await change(null);
      if (ours !== undefined) await set.delete(id);
      return;
    }
    endpoint.open(key, receive);
    if (!sets) return;
    // Before the change, so that it can be taken back after a crash.
    if ((await set.get(id))?.url !== endpoint.url) await set.set(id, { url: endpoint.url });
    // Discord tries the address before it takes it.
    if (current !== endpoint.url) await change(endpoint.url);
  }

  return {
    problem: () => problem,
    async run(signal) {
      let pause = MIN_PAUSE;
      while (!signal.aborted) {
        let wait = CHECKED_EVERY;
        try {
          await arrange();
          problem = undefined;
          pause = MIN_PAUSE;
          if (endpoint === undefined) return;
        } catch (error) {
          wait = pause;
          pause = Math.min(MAX_PAUSE, pause * 2);
          problem = problemOf(error, endpoint);
          log.warn('discord.interactions-url-not-set', { because: inWords(error), retryMs: wait });
        }
        await clock.sleep(wait, signal).catch(() => undefined);
      }
      endpoint?.close();
    },
  };
}

const problemOf = (error: unknown, endpoint: Endpoint | undefined): string =>
  endpoint === undefined
    ? `the address for interactions is not taken back (${inWords(error)}), so commands are not answered; the bot tries again`
    : `Discord does not post to DISCORD_INTERACTIONS_URL (${inWords(error)}), so commands may not be answered; check the address and its certificate, or leave it out`;
