/** Telegram's limits for sending. https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
import { MINUTE, SECOND } from '../../base/clock.js';
import type { RateLimits } from '../limiter/limiter.js';

export interface SendingRates {
  /** All chats. */
  readonly perSecond: number;
  /** One group. */
  readonly perGroupMinute: number;
}

export const DEFAULT_RATES: SendingRates = { perSecond: 30, perGroupMinute: 20 };

/** Groups, supergroups and channels have negative numbers. */
export const telegramLimits = ({ perSecond, perGroupMinute }: SendingRates): RateLimits => ({
  token: { max: perSecond, per: SECOND },
  chat: (chat) => [{ max: 1, per: SECOND }, ...(chat.startsWith('-') ? [{ max: perGroupMinute, per: MINUTE }] : [])],
});
