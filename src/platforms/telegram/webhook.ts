/** The HTTP route to which Telegram posts updates. https://core.telegram.org/bots/api#setwebhook */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Log } from '../../base/log.js';
import type { Routes } from '../../base/routes.js';
import type { ReceiveUpdates } from './receiving.js';
import { webhookSecret } from './webhook-secret.js';

export interface Webhook {
  readonly url: string;
  readonly secret: string;
  readonly routes: Routes;
  /** Requests before it are refused, and Telegram repeats them. */
  open(receive: ReceiveUpdates): void;
  close(): void;
}

/** Bytes. An update is a few kilobytes. */
const MAX_BODY = 1024 * 1024;

export interface WebhookDeps {
  readonly token: string;
  readonly url: string;
  readonly log: Log;
}

export function openWebhook({ token, url, log }: WebhookDeps): Webhook {
  const secret = webhookSecret(token, url);
  const app = new Hono();
  let receive: ReceiveUpdates | undefined;

  app.post(
    new URL(url).pathname,
    async (c, next) => (isSame(c.req.header('x-telegram-bot-api-secret-token') ?? '', secret) ? next() : c.body(null, 401)),
    bodyLimit({ maxSize: MAX_BODY, onError: (c) => c.body(null, 413) }),
    async (c) => {
      if (receive === undefined) return c.body(null, 503);
      const update: unknown = await c.req.json().catch(() => undefined);
      if (update === undefined) return c.body(null, 400);
      try {
        // Handled in the background. Telegram repeats what is not answered, so a crash before this loses nothing.
        await receive([update]);
      } catch (error) {
        log.warn('telegram.update-not-kept', { error });
        return c.body(null, 503);
      }
      return c.body(null, 200);
    },
  );

  return {
    url,
    secret,
    routes: { path: '/', app },
    open: (to) => void (receive = to),
    close: () => void (receive = undefined),
  };
}

/** In constant time: digests have one length. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
