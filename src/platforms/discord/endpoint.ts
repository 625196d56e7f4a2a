/** The HTTP route to which Discord posts interactions. https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { InteractionResponseType, InteractionType } from 'discord.js';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { MINUTE, SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Routes } from '../../base/routes.js';

export interface Endpoint {
  readonly url: string;
  readonly routes: Routes;
  /** Refuses requests before. `publicKey`: in hex. Throws for other text. */
  open(publicKey: string, receive: (interaction: unknown) => void): void;
  close(): void;
}

/** Bytes. */
const MAX_BODY = 1024 * 1024;
/** A token's lifetime: older is a replay. */
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
    // The first response is posted to the callback, as over the gateway: a lost one can be repeated.
    return c.body(null, 202);
  });

  return {
    url,
    routes: { path: '/', app },
    open: (publicKey, receive) => void (opened = { key: keyOf(publicKey), receive }),
    close: () => void (opened = undefined),
  };
}

/** Ed25519, RFC 8037. */
const keyOf = (hex: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') }, format: 'jwk' });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
