/** Discord's rate limits. https://docs.discord.com/developers/topics/rate-limits */
import { SECOND } from '../../base/clock.js';
import type { RateLimits } from '../limiter/limiter.js';

/** Requests of the token, interactions excepted. */
export const DEFAULT_PER_SECOND = 50;

const CHANNEL = /^\d+$/u;

/** The limit of a channel is what Discord has long answered for it; it states none, and the library heeds what it answers now. */
export const discordLimits = (perSecond: number): RateLimits => ({
  token: { max: perSecond, per: SECOND },
  chat: (chat) => (CHANNEL.test(chat) ? [{ max: 5, per: 5 * SECOND }] : []),
});
