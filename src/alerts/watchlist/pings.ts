/** This module defines the pings that members of a server can choose, and finds the ping of an alert. It is pure. */
import { z } from 'zod';
import { mentionSchema, type Mention } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import { compare } from '../../domain/decimal.js';
import type { FeedEvent } from '../../domain/event.js';
import { decimal } from '../../domain/scalars.js';

export const PINGS = ['proposals', 'launches', 'discounts'] as const;
export type Ping = (typeof PINGS)[number];

export const PING_TITLES: Readonly<Record<Ping, string>> = { proposals: 'Proposals', launches: 'Launches', discounts: 'Deep discounts' };

/** The ids of a server's roles, for the alerts of one channel. */
export const pingsSchema = z.partialRecord(z.enum(PINGS), mentionSchema.shape.id);
export type Pings = z.infer<typeof pingsSchema>;

/** The value is in percent of NAV. */
const DEEP = decimal('-10');

function pingOf({ feed }: Pick<FeedEvent, 'feed'>, crossings: readonly Crossing[] = []): Ping | undefined {
  if (feed === 'proposals' || feed === 'launches') return feed;
  const isDeep = ({ side, now, furthest }: Crossing): boolean => side === 'low' && furthest === undefined && compare(now.value, DEEP) <= 0;
  return feed === 'premium' && crossings.some(isDeep) ? 'discounts' : undefined;
}

/** Returns the role to ping for an alert, if there is one. */
export function pingedBy(
  event: Pick<FeedEvent, 'feed'>,
  { crossings, pings = {} }: { readonly crossings?: readonly Crossing[] | undefined; readonly pings?: Pings | undefined },
): readonly Mention[] {
  const ping = pingOf(event, crossings);
  const id = ping && pings[ping];
  return id === undefined ? [] : [{ kind: 'role', id }];
}

/** The roles of a chat with a new one instead of one that was deleted in its server. */
export const pingsWith = (pings: Pings, old: string, role: string): Pings =>
  pingsSchema.parse(Object.fromEntries(Object.entries(pings).map(([ping, id]) => [ping, id === old ? role : id])));

/** The roles of a chat without one that is mentioned no more. */
export const withoutPing = (pings: Pings, role: string | undefined): Pings | undefined => {
  const left = Object.entries(pings).filter(([, id]) => id !== role);
  return left.length === 0 ? undefined : pingsSchema.parse(Object.fromEntries(left));
};
