/** Derives Telegram's rate limits and the webhook secret from the settings. */
import { createHmac } from 'node:crypto';
import { MINUTE, SECOND } from '../../base/clock.js';
import type { RateLimits } from '../limiter/limiter.js';

/** https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
export interface SendingRates {
  /** Messages to all chats. */
  readonly perSecond: number;
  /** Messages to one group. */
  readonly perGroupMinute: number;
}

export const DEFAULT_RATES: SendingRates = { perSecond: 30, perGroupMinute: 20 };

/** Groups, supergroups and channels have negative numbers. */
export const telegramLimits = ({ perSecond, perGroupMinute }: SendingRates): RateLimits => ({
  token: { max: perSecond, per: SECOND },
  chat: (chat) => [{ max: 1, per: SECOND }, ...(chat.startsWith('-') ? [{ max: perGroupMinute, per: MINUTE }] : [])],
});

/** Telegram sends this secret with every update, so that nobody else can post updates. Derived from the token, so it survives restarts. */
export const webhookSecret = (token: string, url: string): string =>
  createHmac('sha256', token).update(`webhook ${url}`).digest('base64url');
