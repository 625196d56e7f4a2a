/** The application at Discord: the link that adds it to a server, and its rate limits. */
import { SECOND } from '../../base/clock.js';
import type { RateLimits } from '../limiter/limiter.js';

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
export const INVITED_PERMISSIONS = {
  'View Channel': 1n << 10n,
  'Send Messages': 1n << 11n,
  'Embed Links': 1n << 14n,
  /** Charts and lists need it. */
  'Attach Files': 1n << 15n,
  /** An alert that was posted before a restart is recognised with it. */
  'Read Message History': 1n << 16n,
  'Send Messages in Threads': 1n << 38n,
} as const;

export function inviteUrl(application: string): string {
  const permissions = Object.values(INVITED_PERMISSIONS).reduce((all, bit) => all | bit, 0n);
  return `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot+applications.commands&permissions=${permissions}`;
}

/** A token begins with it in Base64. */
export function applicationOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{15,22}$/u.test(id) ? id : undefined;
}

/** Requests of the token; interactions do not count. */
export const DEFAULT_PER_SECOND = 50;

const CHANNEL = /^\d+$/u;

/** Observed: Discord states none for a channel. */
export const discordLimits = (perSecond: number): RateLimits => ({
  token: { max: perSecond, per: SECOND },
  chat: (chat) => (CHANNEL.test(chat) ? [{ max: 5, per: 5 * SECOND }] : []),
});
