/** What Telegram sends with every update, so that nobody else can post them. https://core.telegram.org/bots/api#setwebhook */
import { createHmac } from 'node:crypto';

/** Derived: no setting, and stable over restarts. */
export const webhookSecret = (token: string, url: string): string =>
  createHmac('sha256', token).update(`webhook ${url}`).digest('base64url');
