/** The application at Discord: the link that adds it to a server, and its rate limits. */
import { SECOND } from '../../base/clock.js';
import type { RateLimits } from '../limiter/limiter.js';

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
export const INVITED_PERMISSIONS = {
  'View Channel': 1n << 10n,
  'Send Messages': 1n << 11n,
  'Embed Links': 1n << 14n,
  /** Needed for charts and lists. */
  'Attach Files': 1n << 15n,
  /** Needed to recognise an alert that was posted before a restart. */
  'Read Message History': 1n << 16n,
  'Send Messages in Threads': 1n << 38n,
} as const;

export function inviteUrl(application: string): string {
  const permissions = Object.values(INVITED_PERMISSIONS).reduce((all, bit) => all | bit, 0n);
  return `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot+applications.commands&permissions=${permissions}`;
}

/** Returns the application's id, with which a token begins in Base64. */
export function applicationOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{15,22}$/u.test(id) ? id : undefined;
}

/** Requests of the token per second; requests of interactions do not count. */
export const DEFAULT_PER_SECOND = 50;

const CHANNEL = /^\d+$/u;

/** The limit per channel is observed, because Discord states none. */
export const discordLimits = (perSecond: number): RateLimits => ({
  token: { max: perSecond, per: SECOND },
  chat: (chat) => (CHANNEL.test(chat) ? [{ max: 5, per: 5 * SECOND }] : []),
});
