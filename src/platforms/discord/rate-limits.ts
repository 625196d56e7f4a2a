/** Discord's rate limits. https://docs.discord.com/developers/topics/rate-limits */
import { SECOND } from '../../base/clock.js';
import type { RateLimits } from '../limiter/limiter.js';

/** Of the token, without interactions. */
export const DEFAULT_PER_SECOND = 50;

const CHANNEL = /^\d+$/u;

/** Observed: Discord states none for a channel. */
export const discordLimits = (perSecond: number): RateLimits => ({
  token: { max: perSecond, per: SECOND },
  chat: (chat) => (CHANNEL.test(chat) ? [{ max: 5, per: 5 * SECOND }] : []),
});
