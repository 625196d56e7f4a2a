/** Where a conversation takes place, on any platform: `console/main`, later `discord/<channel>` or `telegram/<chat>/<topic>`. */
import { z } from 'zod';

export const addressSchema = z
  .string()
  .regex(/^[a-z]+(\/[\w.-]+)+$/, 'not an address')
  .brand<'Address'>();
export type Address = z.infer<typeof addressSchema>;

/** `address('console', 'main')`. Throws where a part has a character that no platform uses in its ids. */
export const address = (platform: string, ...rest: readonly [string, ...string[]]): Address =>
  addressSchema.parse([platform, ...rest].join('/'));

/** What access lists call a chat: `telegram/chat/-100123`. */
export const circleOf = (where: Address): string => `${platformOf(where)}/chat/${localOf(where)}`;

/** The platform's name: the first part. */
export const platformOf = (where: Address): string => where.slice(0, where.indexOf('/'));

/** What people call such a place. Whether one of Telegram is a group or a channel does not show in its address. */
export const placeWord = (where: Address): 'channel' | 'chat' => (platformOf(where) === 'discord' ? 'channel' : 'chat');

/** The platform's own part: everything after its name. */
export const localOf = (where: Address): string => where.slice(where.indexOf('/') + 1);
