/** The HTTP route to which Discord posts interactions, and its URL in the application's settings. https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { InteractionResponseType, InteractionType } from 'discord.js';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { MINUTE, SECOND, type Clock } from '../../base/clock.js';
import type { Routes } from '../../base/http.js';
import type { Log } from '../../base/log.js';
import type { Store } from '../../store/store.js';
import { inWords } from './outcome.js';
import type { RestCall } from './rest.js';

export interface Endpoint {
  readonly url: string;
  readonly routes: Routes;
  /** Opens the route; requests before are refused. The key is in hex; other text throws. */
  open(publicKey: string, receive: (interaction: unknown) => void): void;
  close(): void;
}

/** The value is in bytes. */
const MAX_BODY = 1024 * 1024;
/** The lifetime of an interaction token. An older request is a replay. */
const MAX_AGE = 15 * MINUTE;

const pingSchema = z.object({ type: z.literal(InteractionType.Ping) });

export interface EndpointDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function openEndpoint({ url, clock, log }: EndpointDeps): Endpoint {
  const app = new Hono();
  let opened: { readonly key: KeyObject; readonly receive: (interaction: unknown) => void } | undefined;

  app.post(new URL(url).pathname, bodyLimit({ maxSize: MAX_BODY, onError: (c) => c.body(null, 413) }), async (c) => {
    if (opened === undefined) return c.body(null, 503);
    const [signature = '', timestamp = ''] = [c.req.header('x-signature-ed25519'), c.req.header('x-signature-timestamp')];
    const body = Buffer.from(await c.req.arrayBuffer());
    const isRecent = Math.abs(clock.now() - Number(timestamp) * SECOND) <= MAX_AGE;
    if (!isRecent || !verify(null, Buffer.concat([Buffer.from(timestamp), body]), opened.key, Buffer.from(signature, 'hex')))
      return c.body(null, 401);
    const interaction = parsed(body);
    if (interaction === undefined) return c.body(null, 400);
    if (pingSchema.safeParse(interaction).success) return c.json({ type: InteractionResponseType.Pong });
    try {
      opened.receive(interaction);
    } catch (error) {
      log.warn('discord.interaction-not-kept', { error });
      return c.body(null, 503);
    }
    // The response to the person is sent through the callback API, as over the gateway, so that a lost one can be retried.
    return c.body(null, 202);
  });

  return {
    url,
    routes: { path: '/', app },
    open: (publicKey, receive) => void (opened = { key: keyOf(publicKey), receive }),
    close: () => void (opened = undefined),
  };
}

/** Reads an Ed25519 key, RFC 8037. */
const keyOf = (hex: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') }, format: 'jwk' });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

export interface EndpointAddressDeps {
  readonly call: RestCall;
  readonly store: Store;
  /** Undefined if interactions come over the gateway. */
  readonly endpoint: Endpoint | undefined;
  readonly receive: (interaction: unknown) => void;
  /** True, the default, if this process sets the URL at Discord. */
  readonly sets?: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export interface EndpointAddress {
  /** Keeps the URL set until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns why interactions do not arrive, with the remedy; undefined if they do. */
  problem(): string | undefined;
}

const CHECKED_EVERY = 10 * MINUTE;
const MIN_PAUSE = MINUTE;
const MAX_PAUSE = 60 * MINUTE;

const PATH = '/applications/@me';
const applicationSchema = z.object({ id: z.string(), verify_key: z.string(), interactions_endpoint_url: z.string().nullish() });

export function createEndpointAddress({ call, store, endpoint, receive, sets = true, clock, log }: EndpointAddressDeps): EndpointAddress {
  /** The URL that this bot set, by application. */
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
      // A URL that another program set must stay, so only our own is removed.
      if (ours !== undefined && ours.url === current) await change(null);
      if (ours !== undefined) await set.delete(id);
      return;
    }
    endpoint.open(key, receive);
    if (!sets) return;
    // Stored before the change, so that the URL can be removed after a crash.
    if ((await set.get(id))?.url !== endpoint.url) await set.set(id, { url: endpoint.url });
    // Discord calls the URL before it accepts it.
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
